"""Training by several processes: the same numbers, up to rounding, as by one."""

from rlap.training.distributed.world import ALONE, World, launched, world

__all__ = ["ALONE", "World", "launched", "world"]

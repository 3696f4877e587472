"""Which of how many processes this is."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from torch import distributed

Value = TypeVar("Value")

# The others wait while the first evaluates or reads a data set.
_PATIENCE = datetime.timedelta(hours=6)


@dataclass(frozen=True)
class World:
    """Process number `rank` of `size`.

    Example:
        >>> [World(rank, 3).share(7) for rank in range(3)]
        [(0, 2), (2, 4), (4, 7)]
    """

    rank: int
    size: int

    @property
    def first(self) -> bool:
        """Whether this process writes, shows and decides."""
        return self.rank == 0

    def share(self, count: int) -> tuple[int, int]:
        """Give the begin and the end of this process' share of so many things."""
        if count < self.size:
            raise ValueError(f"there must be one thing for each of {self.size} processes (got {count} in a step)")
        return count * self.rank // self.size, count * (self.rank + 1) // self.size

    def agree(self, value: Value) -> Value:
        """Give everybody the value of the first process."""
        if self.size == 1:
            return value
        values: list[Any] = [value]
        distributed.broadcast_object_list(values, src=0)
        agreed: Value = values[0]
        return agreed


ALONE = World(0, 1)


def world() -> World:
    """Say which process this is, of those that `launched` has joined.

    Example:
        >>> world()
        World(rank=0, size=1)
    """
    if not (distributed.is_available() and distributed.is_initialized()):
        return ALONE
    return World(distributed.get_rank(), distributed.get_world_size())


@contextmanager
def launched() -> Iterator[World]:
    """Join the other processes, if torchrun has started this one; else it is alone.

    Example:
        >>> with launched() as processes:
        ...     processes.size
        1
    """
    if world().size > 1 or not (distributed.is_available() and distributed.is_torchelastic_launched()):
        yield world()
        return
    distributed.init_process_group("gloo", timeout=_PATIENCE)
    try:
        yield world()
    finally:
        distributed.destroy_process_group()


def check_device(device: torch.device, processes: World) -> None:
    """Refuse what was never tried."""
    if processes.size > 1 and device.type != "cpu":
        raise ValueError(f"several processes train on the CPU, with gloo (got the device {device})")

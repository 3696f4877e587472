"""METIS, the graph partitioner, with the same parts for the same graph whatever else the process does."""

from rlap.metis.partition import cut

__all__ = ["cut"]

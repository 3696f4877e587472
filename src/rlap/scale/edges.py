"""Edges on their way between workers, and what is left of them when parallel ones are merged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rlap import _core


class Edges(NamedTuple):
    """Undirected edges, each in one direction. `filled` tells those that an elimination has made or added to."""

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    weight: NDArray[np.float64]
    filled: NDArray[np.bool_]

    @property
    def size(self) -> int:
        """How many there are."""
        return int(self.source.size)

    @property
    def nbytes(self) -> int:
        """Their size in memory."""
        return sum(column.nbytes for column in self)

    def take(self, chosen: NDArray[np.generic]) -> Edges:
        """Give the edges of a mask, or of positions."""
        return Edges(*(column[chosen] for column in self))


def no_edges() -> Edges:
    """Give none."""
    return Edges(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.bool_))


def join(pieces: Sequence[Edges]) -> Edges:
    """Put edges one behind the other."""
    if not pieces:
        return no_edges()
    return Edges(*(np.concatenate(columns) for columns in zip(*pieces, strict=True)))


def localise(edges: Edges) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Number the nodes of some edges: their ids, which rise, and the ends in the new numbers."""
    ids = np.unique(np.concatenate([edges.source, edges.target]))
    return ids, np.searchsorted(ids, edges.source).astype(np.int32), np.searchsorted(ids, edges.target).astype(np.int32)


def merge(edges: Edges) -> Edges:
    """Sort edges by their ends, the smaller first, sum parallel ones and drop self-loops.

    The order of the input does not matter, not even for the last bit of a sum.

    Example:
        >>> import numpy as np
        >>> pair = Edges(np.array([5, 2]), np.array([2, 5]), np.array([1.0, 2.0]), np.zeros(2, bool))
        >>> [column.tolist() for column in merge(pair)]
        [[2], [5], [3.0], [False]]
    """
    return eliminate(edges, np.zeros(0, np.int64), _core.NeighborOrder.asc, 0)


def eliminate(edges: Edges, order: NDArray[np.int64], neighbor_order: _core.NeighborOrder, seed: int) -> Edges:
    """Merge edges, and eliminate the nodes of `order`, all of which must be ends of some."""
    ids, source, target = localise(edges)
    low, high, weight, filled = _core.eliminate_part(
        source,
        target,
        np.ascontiguousarray(edges.weight),
        np.ascontiguousarray(edges.filled),
        ids,
        np.searchsorted(ids, order).astype(np.int32),
        neighbor_order,
        seed,
    )
    return Edges(ids[low], ids[high], weight, filled)

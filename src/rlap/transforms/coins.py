"""Independent uniform numbers that belong to nodes and edges, not to places in an array.

The number of an edge is a hash of the seed and its two ends, so both directions have the same number without anybody
looking for pairs, and an edge has the number in a batch that it has when its graph is alone.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap import _core
from rlap.adapters.pyg import Staying, graph_of_node, read_ends, staying
from rlap.schur.threads import check_num_threads

_UNITS = 2.0**53
# Keys of different things must differ, or one seed for two transforms would couple them. Edges have the keys below.
_NODES, _COLUMNS, _PAIRS = (np.uint64(tag << 61) for tag in (1, 2, 3))


def to_keep(p: float) -> int:
    """Give the least of the numbers, in units of 2^-53, that are not below a probability."""
    return math.ceil(p * _UNITS)


def to_keep_each(p: NDArray[np.float64]) -> NDArray[np.int64]:
    """Do so for many."""
    return np.ceil(p * _UNITS).astype(np.int64)


class Coins:
    """The uniform numbers of one call with this seed, for the graphs between the offsets `ptr`."""

    def __init__(self, ptr: NDArray[np.int64], seed: int) -> None:
        self.ptr = ptr
        self.seed = seed
        self.graph = graph_of_node(ptr) if len(ptr) != 2 else None
        self._start = _core.coin_starts(seed, len(ptr) - 1)

    def of_nodes(self) -> NDArray[np.float64]:
        """Give a number in [0, 1) to every node."""
        nodes = np.arange(self.ptr[-1])
        return self._toss(nodes if self.graph is None else nodes - self.ptr[self.graph], _NODES, self.graph)

    def of_columns(self, count: int) -> NDArray[np.float64]:
        """Give a number to every column of every graph, of the shape (graphs, columns)."""
        graphs = len(self.ptr) - 1
        keys = np.tile(np.arange(count), graphs)
        return self._toss(keys, _COLUMNS, np.arange(graphs).repeat(count)).reshape(graphs, count)

    def of_pairs(self, graph: NDArray[np.int64], turn: NDArray[np.int64]) -> NDArray[np.float64]:
        """Give numbers for choosing pairs of nodes: number `turn` of its graph, for each of them."""
        return self._toss(turn, _PAIRS, graph)

    def keep(
        self, edges: Any, least: int = 0, leasts: NDArray[np.int64] | None = None, *, directed: bool = False
    ) -> Staying:
        """Keep every edge whose number is at least `least`, or its own one of `leasts`, in units of 2^-53.

        Both directions of an edge have the same number, unless `directed`.
        """
        threads = check_num_threads(0)
        found = _core.drop_edges(read_ends(edges), self.ptr, self._start, directed, least, leasts, threads)
        return staying(edges, found)

    def _toss(self, keys: NDArray[np.int64], what: np.uint64, graph: NDArray[np.int64] | None) -> NDArray[np.float64]:
        return _core.coins(keys.astype(np.uint64) | what, graph, self._start)

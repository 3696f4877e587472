"""Independent uniform numbers that belong to nodes and edges, not to places in an array.

The number of an edge is a hash of the seed and its two ends, so both directions have the same number without anybody
looking for pairs, and an edge has the number in a batch that it has when its graph is alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap import _core
from rlap.adapters.pyg import graph_of_node
from rlap.adapters.torch import to_numpy
from rlap.schur.seeds import derive_seed

_STEP = np.uint64(0x9E3779B97F4A7C15)
# Keys of different things must differ, or one seed for two transforms would couple them. Edges have the keys below.
_NODES, _COLUMNS, _PAIRS = (np.uint64(tag << 61) for tag in (1, 2, 3))


class Coins:
    """The uniform numbers of one call, for the graphs between the offsets `ptr`."""

    def __init__(self, ptr: NDArray[np.int64], seed: int) -> None:
        self.ptr = ptr
        self.seeds = [derive_seed(seed, graph=graph) for graph in range(len(ptr) - 1)]
        self.graph = graph_of_node(ptr) if len(ptr) != 2 else None
        start = np.array(self.seeds, dtype=np.uint64)
        _mix(start, np.empty_like(start))
        self._start = start

    def of_nodes(self) -> NDArray[np.float64]:
        """Give a number in [0, 1) to every node."""
        return self._draw(self._local(np.arange(self.ptr[-1])).view(np.uint64) | _NODES, self.graph)

    def of_columns(self, count: int) -> NDArray[np.float64]:
        """Give a number to every column of every graph, of the shape (graphs, columns)."""
        graphs = len(self.ptr) - 1
        keys = np.tile(np.arange(count, dtype=np.uint64) | _COLUMNS, graphs)
        return self._draw(keys, np.arange(graphs).repeat(count)).reshape(graphs, count)

    def of_edges(self, edge_index: Any, *, directed: bool = False) -> NDArray[np.float64]:
        """Give a number to every edge; the same one to both directions, unless `directed`."""
        row, col = np.ascontiguousarray(to_numpy(edge_index), dtype=np.int64)
        return _core.edge_coins(row, col, self.ptr, self._start, directed)

    def of_pairs(self, graph: NDArray[np.int64], turn: NDArray[np.int64]) -> NDArray[np.float64]:
        """Give numbers for choosing pairs of nodes: number `turn` of its graph, for each of them."""
        return self._draw(turn.astype(np.uint64) | _PAIRS, graph)

    def _local(self, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Number nodes as in their own graph."""
        return nodes if self.graph is None else nodes - self.ptr[self.graph[nodes]]

    def _draw(self, keys: NDArray[np.uint64], graph: NDArray[np.int64] | None) -> NDArray[np.float64]:
        """Turn keys into numbers, in place where that helps: SplitMix64, started anew for every graph."""
        keys *= _STEP
        keys += self._start[0] if graph is None else self._start[graph]
        _mix(keys, np.empty_like(keys))
        keys >>= np.uint64(11)
        return np.multiply(keys, 2.0**-53, dtype=np.float64)


def _mix(x: NDArray[np.uint64], spare: NDArray[np.uint64]) -> None:
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        np.right_shift(x, np.uint64(shift), out=spare)
        x ^= spare
        if factor != 1:
            x *= np.uint64(factor)

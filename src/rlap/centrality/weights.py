"""The weights of a graph, or a batch of graphs, as a SciPy array."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from rlap import _core


@dataclass(frozen=True)
class Weights:
    """A checked adjacency matrix, and which of its nodes belong to which graph of a batch."""

    matrix: sp.csr_array
    ptr: NDArray[np.int64]

    @classmethod
    def of(cls, graph: _core.Graph) -> Weights:
        """Copy what the core has read."""
        indptr, indices, data, ptr = _core.rows(graph)
        nodes = graph.num_nodes
        return cls(sp.csr_array((data, indices, indptr), shape=(nodes, nodes)), ptr)

    @property
    def graph(self) -> NDArray[np.int64]:
        """The graph of every node."""
        return np.repeat(np.arange(self.ptr.size - 1), np.diff(self.ptr))

    @property
    def degree(self) -> NDArray[np.float64]:
        """The sum of every node's weights."""
        return np.asarray(self.matrix.sum(axis=1), dtype=np.float64)

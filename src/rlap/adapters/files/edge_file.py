"""What a graph file holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class EdgeFile:
    """The graph of a file, in the arrays that `rlap.schur_view` takes.

    `edge_index` is int64 of the shape (2, E), `edge_weight` (E,) or None for weights of 1. `node_names` has the name of
    every node (text, or int64 for numbers that were too far apart to count up to); None means that nodes go by their
    number. `node_mask` is false for nodes that a view has eliminated; None means that all are there.

    `columns` are the column titles of a CSV file, None for a file without a header line; `self_loops` counts the loops
    that were dropped on reading, because a Laplacian does not hold them.
    """

    edge_index: NDArray[np.int64]
    edge_weight: NDArray[np.floating] | None
    num_nodes: int
    node_names: NDArray[Any] | None = None
    node_mask: NDArray[np.bool_] | None = None
    columns: tuple[str, str, str] | None = ("source", "target", "weight")
    self_loops: int = 0

    @property
    def num_edges(self) -> int:
        """The number of undirected edges."""
        return int(self.edge_index.shape[1]) // 2

    @property
    def total_weight(self) -> float:
        """The sum of the weights of the undirected edges."""
        return float(self.num_edges if self.edge_weight is None else self.edge_weight.sum(dtype=np.float64) / 2)

    def one_direction(self) -> tuple[NDArray[np.int64], NDArray[np.floating]]:
        """Give every edge once, from its lower to its higher node, with its weight: what most formats store."""
        ends, weight = self.every_direction()
        once = ends[0] < ends[1]
        return ends[:, once], weight[once]

    def every_direction(self) -> tuple[NDArray[np.int64], NDArray[np.floating]]:
        """Give both directions of every edge, with their weights."""
        weight = np.ones(self.edge_index.shape[1]) if self.edge_weight is None else self.edge_weight
        return self.edge_index, weight

    def label(self, node: int) -> str:
        """Say a node as the file does, for messages."""
        return str(node) if self.node_names is None else repr(self.node_names[node])

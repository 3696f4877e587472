"""NetworkX graphs in, NetworkX graphs out, with the names of their nodes."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from rlap import _core
from rlap.schur.matrix import Adjacency, read_adjacency


@dataclass(frozen=True)
class NamedAdjacency(Adjacency):
    """The adjacency of a NetworkX graph. Nodes are named, and eliminated ones are not in a result."""

    source: Any = None
    numbers: dict[Hashable, int] = field(default_factory=dict)

    def number(self, nodes: Any) -> ArrayLike | None:
        """Look up the numbers of named nodes."""
        if nodes is None:
            return None
        if isinstance(nodes, str) or (isinstance(nodes, np.ndarray) and nodes.dtype == np.bool_):
            # Letters and truth values could be names of nodes, and would be mistaken for them.
            kind = "a mask" if isinstance(nodes, np.ndarray) else f"the text {nodes!r}"
            raise TypeError(f"nodes of a NetworkX graph must be given as a collection of names (got {kind})")
        names = list(nodes)
        unknown = [name for name in names if name not in self.numbers]
        if unknown:
            raise ValueError(f"nodes must be in the graph (got {unknown[0]!r})")
        return np.array([self.numbers[name] for name in names], dtype=np.int64)

    def check_ground(self, ground: Any) -> NDArray[np.float64] | None:
        """Take a mapping from names (0 for those that it lacks), or values in the order of the graph's nodes."""
        if isinstance(ground, Mapping):
            self.number(ground)
            ground = [ground.get(name, 0.0) for name in self.numbers]
        return super().check_ground(ground)

    def wrap(self, view: _core.View) -> Any:
        """Build the undirected graph on the kept nodes, with their attributes and the graph's, and the new weights.

        With a ground, it is paired with a mapping from the kept nodes to their weights to the ground.
        """
        import networkx

        names = list(self.numbers)
        edge_index, edge_weight, node_mask, ground = view
        graph = networkx.Graph()
        graph.graph.update(self.source.graph)
        kept = np.flatnonzero(node_mask).tolist()
        graph.add_nodes_from((names[u], self.source.nodes[names[u]]) for u in kept)
        once = edge_index[0] < edge_index[1]
        ends = edge_index[:, once].tolist()
        graph.add_weighted_edges_from(
            (names[u], names[v], weight) for u, v, weight in zip(*ends, edge_weight[once].tolist(), strict=True)
        )
        return graph if ground is None else (graph, {names[u]: float(ground[u]) for u in kept})


def is_networkx(value: Any) -> bool:
    """Say whether this is a NetworkX graph, without importing NetworkX."""
    networkx = sys.modules.get("networkx")
    return networkx is not None and isinstance(value, networkx.Graph)


def read_networkx(source: Any, symmetrize: bool) -> NamedAdjacency:
    """Read a graph whose edges may have a `weight`; without, it is 1. Parallel edges are summed.

    A directed graph must have both directions of every edge, unless `symmetrize` adds what is missing.
    """
    import networkx

    if source.is_directed() and not symmetrize:
        for u, v in source.edges():
            if not source.has_edge(v, u):
                raise ValueError(
                    f"a graph must have both directions of every edge (got {u!r} -> {v!r} without its reverse; "
                    "symmetrize=True adds it)"
                )
    names = list(source)
    matrix = networkx.to_scipy_sparse_array(source, nodelist=names, dtype=np.float64) if names else sp.csr_array((0, 0))
    plain = read_adjacency(sp.csr_array(matrix), symmetrize)
    numbers = {name: number for number, name in enumerate(names)}
    return NamedAdjacency(plain.graph, plain.num_nodes, False, source=source, numbers=numbers)

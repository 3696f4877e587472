"""Graphs that the tests share: a named family small enough to enumerate every outcome, and a few larger ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

Edge = tuple[int, int, float]
NODE_ORDERS = ("random", "degree", "given")
NEIGHBOR_ORDERS = ("asc", "desc", "random")


@dataclass(frozen=True)
class Example:
    """An undirected graph, weights to the ground for its grounded variant, and a set of nodes to keep."""

    name: str
    num_nodes: int
    edges: tuple[Edge, ...]
    weighted: bool = True
    ground: tuple[float, ...] = ()
    keep: tuple[int, ...] = ()
    order: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.name

    @cached_property
    def edge_index(self) -> NDArray[np.int64]:
        once = np.array([edge[:2] for edge in self.edges], dtype=np.int64).reshape(-1, 2).T
        return np.concatenate([once, once[::-1]], axis=1)

    @cached_property
    def edge_weight(self) -> NDArray[np.float64] | None:
        once = np.array([edge[2] for edge in self.edges], dtype=np.float64)
        return np.concatenate([once, once]) if self.weighted else None

    @cached_property
    def dense(self) -> NDArray[np.float64]:
        matrix = np.zeros((self.num_nodes, self.num_nodes))
        for u, v, weight in self.edges:
            matrix[u, v] = matrix[v, u] = weight
        return matrix

    @cached_property
    def sparse(self) -> sp.csr_array:
        return sp.csr_array(self.dense)

    @cached_property
    def leak(self) -> NDArray[np.float64]:
        return np.array(self.ground, dtype=np.float64)

    @cached_property
    def gone(self) -> tuple[int, ...]:
        return tuple(u for u in range(self.num_nodes) if u not in self.keep)

    def node_order(self, word: str) -> str | tuple[int, ...]:
        """The argument that stands for the word: "given" is this graph's own permutation."""
        return self.order if word == "given" else word


def _ones(*pairs: tuple[int, int]) -> tuple[Edge, ...]:
    return tuple((u, v, 1.0) for u, v in pairs)


# Degrees stay at three or four, because a star of d leaves has up to d! (d - 1)! outcomes.
SMALL = (
    Example(
        "weighted",
        6,
        ((0, 1, 1.0), (1, 2, 2.5), (2, 3, 0.7), (3, 4, 1.9), (4, 5, 3.1), (0, 5, 0.4), (0, 3, 1.3), (2, 5, 2.2)),
        ground=(0.0, 0.5, 0.0, 0.0, 1.5, 0.0),
        keep=(0, 2, 3),
        order=(2, 5, 0, 4, 1, 3),
    ),
    Example(
        "unweighted",
        6,
        _ones((0, 1), (1, 2), (0, 2), (0, 3), (1, 4), (2, 5), (3, 4)),
        weighted=False,
        ground=(0.0, 0.0, 0.0, 1.0, 0.0, 1.0),
        keep=(1, 4, 5),
        order=(0, 1, 2, 3, 4, 5),
    ),
    Example(
        "ties",
        5,
        ((0, 1, 1.0), (0, 2, 1.0), (0, 3, 2.0), (0, 4, 2.0), (1, 2, 1.0), (3, 4, 2.0), (2, 3, 1.0)),
        ground=(0.0, 1.0, 0.0, 2.0, 0.0),
        keep=(1, 3, 4),
        order=(2, 0, 4, 1, 3),
    ),
    Example(
        "disconnected",
        6,
        ((0, 2, 1.5), (2, 4, 0.5), (0, 4, 2.0), (1, 3, 1.0), (3, 5, 3.0)),
        ground=(0.0, 0.7, 0.3, 0.0, 0.0, 0.0),
        keep=(0, 1, 5),
        order=(3, 2, 4, 0, 1, 5),
    ),
    Example(
        "star",
        5,
        _ones((0, 2), (1, 2), (2, 3), (2, 4)),
        weighted=False,
        ground=(0.0, 0.0, 0.0, 0.5, 0.0),
        keep=(1, 3, 4),
        order=(2, 1, 0, 4, 3),
    ),
    Example(
        "path",
        5,
        ((0, 1, 1.0), (1, 2, 2.0), (2, 3, 3.0), (3, 4, 4.0)),
        ground=(0.0, 0.0, 2.0, 0.0, 1.0),
        keep=(0, 2, 4),
        order=(1, 2, 3, 0, 4),
    ),
    Example(
        "clique",
        4,
        _ones((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)),
        weighted=False,
        ground=(0.0, 0.25, 0.0, 0.0),
        keep=(0, 2),
        order=(3, 1, 0, 2),
    ),
    Example(
        "isolated",
        6,
        ((1, 2, 1.0), (2, 4, 2.0), (1, 4, 0.5), (4, 5, 1.2)),
        ground=(1.0, 0.0, 0.6, 0.0, 0.0, 0.0),
        keep=(1, 3, 5),
        order=(0, 4, 2, 1, 3, 5),
    ),
    Example(
        "twelve_orders",
        5,
        ((0, 1, 1e-6), (0, 2, 1.0), (0, 3, 1e6), (1, 2, 1e3), (2, 3, 1e-3), (3, 4, 3e5), (1, 4, 2e-6)),
        ground=(0.0, 0.0, 1e-2, 0.0, 1e4),
        keep=(0, 1, 4),
        order=(2, 3, 0, 1, 4),
    ),
)

KARATE = Example(
    "karate",
    34,
    _ones(
        *((0, v) for v in (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31)),
        *((1, v) for v in (2, 3, 7, 13, 17, 19, 21, 30)),
        *((2, v) for v in (3, 7, 8, 9, 13, 27, 28, 32)),
        *((3, v) for v in (7, 12, 13)),
        *((u, v) for u in (4, 5) for v in (6, 10)),
        *((u, 16) for u in (5, 6)),
        *((8, v) for v in (30, 32, 33)),
        *((u, 33) for u in (9, 13, 19, 26, 27, 28)),
        *((u, v) for u in (14, 15, 18, 20, 22, 23, 29, 30, 31) for v in (32, 33)),
        *((23, v) for v in (25, 27, 29)),
        *((24, v) for v in (25, 27, 31)),
        *((25, 31), (26, 29), (28, 31), (32, 33)),
    ),
    weighted=False,
    ground=tuple(0.3 * (u % 3) for u in range(34)),
    keep=tuple(range(0, 34, 2)),
    order=tuple(7 * u % 34 for u in range(34)),
)


def random_graph(num_nodes: int, num_edges: int, seed: int) -> Example:
    """Draw a connected weighted graph: a random tree and further pairs, weights between 0.1 and 10."""
    rng = np.random.default_rng(seed)
    pairs = {(int(rng.integers(v)), v) for v in range(1, num_nodes)}
    while len(pairs) < num_edges:
        u, v = sorted(rng.integers(num_nodes, size=2).tolist())
        if u != v:
            pairs.add((u, v))
    # One by one: NumPy's powers of whole arrays differ in the last bit where it finds AVX-512.
    weights = [10.0**power for power in rng.uniform(-1, 1, size=len(pairs)).tolist()]
    return Example(
        f"random_{num_nodes}",
        num_nodes,
        tuple((u, v, float(w)) for (u, v), w in zip(sorted(pairs), weights, strict=True)),
        ground=tuple((0.5 * (rng.random(num_nodes) < 0.3)).tolist()),
        keep=tuple(np.flatnonzero(rng.random(num_nodes) < 0.5).tolist()),
        order=tuple(rng.permutation(num_nodes).tolist()),
    )

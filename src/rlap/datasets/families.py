"""An embedded graph set: five families of random graphs that differ in structure, not in size."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray

from rlap.datasets.features import Features, constant, degree_one_hot
from rlap.datasets.sets import GraphSet, cut

MEMBERS = 60  # of each family
SMALLEST, LARGEST = 24, 48  # nodes
REWIRED = 0.1  # the share of a lattice's edges that lose an end to a random node

Edges = set[tuple[int, int]]
Random = np.random.Generator


def build(features: Features) -> GraphSet:
    """Make 300 graphs with 24 to 48 nodes and two edges a node, in a fixed random order.

    The label is the family: 0 Erdos-Renyi, 1 Barabasi-Albert, 2 Watts-Strogatz (a rewired ring lattice), 3 two blocks,
    4 a rewired torus grid. Features are degrees, one-hot, or constant.
    """
    random = np.random.default_rng(0)
    labels = random.permutation(np.repeat(np.arange(len(FAMILIES)), MEMBERS))
    nodes, ends = [], []
    for label in labels:
        count, edges = FAMILIES[label](random)
        pairs = np.array(sorted(edges | {(v, u) for u, v in edges}), dtype=np.int64)
        nodes.append(count)
        ends.append(torch.from_numpy(pairs.T))
    degree = torch.cat([torch.bincount(end[0], minlength=count) for end, count in zip(ends, nodes, strict=True)])
    x = constant(len(degree)) if features == "constant" else degree_one_hot(degree)
    sizes = [end.shape[1] for end in ends]
    graphs = cut(x, torch.cat(ends, dim=1), torch.from_numpy(labels.astype(np.int64)), nodes, sizes)
    return GraphSet("families", graphs, len(FAMILIES))


def _size(random: Random) -> int:
    return int(random.integers(SMALLEST, LARGEST + 1))


def _erdos_renyi(random: Random) -> tuple[int, Edges]:
    count = _size(random)
    return count, _pairs(2 * count, lambda: random.integers(count, size=2))


def _barabasi_albert(random: Random) -> tuple[int, Edges]:
    """Every new node picks two others, each as likely as it has edges."""
    count = _size(random)
    edges: Edges = {(0, 1), (0, 2), (1, 2)}
    ends = [0, 1, 0, 2, 1, 2]
    for new in range(3, count):
        chosen: set[int] = set()
        while len(chosen) < 2:
            chosen.add(ends[int(random.integers(len(ends)))])
        for old in sorted(chosen):
            edges.add((old, new))
            ends += [old, new]
    return count, _pairs(2 * count, lambda: random.integers(count, size=2), edges)


def _watts_strogatz(random: Random) -> tuple[int, Edges]:
    count = _size(random)
    ring = {_edge(u, (u + step) % count) for u in range(count) for step in (1, 2)}
    return count, _rewire(random, ring, count)


def _two_blocks(random: Random) -> tuple[int, Edges]:
    """Nine of ten edges stay inside one of two halves."""
    count = _size(random) // 2 * 2

    def draw() -> NDArray[np.int64]:
        half = random.integers(2, size=2)
        if random.random() < 0.9:
            half[1] = half[0]
        return 2 * random.integers(count // 2, size=2) + half

    return count, _pairs(2 * count, draw)


def _torus(random: Random) -> tuple[int, Edges]:
    rows = int(random.integers(4, 7))
    columns = round(_size(random) / rows)
    count = rows * columns
    edges = {_edge(u, u // columns * columns + (u + 1) % columns) for u in range(count)}
    edges |= {_edge(u, (u + columns) % count) for u in range(count)}
    return count, _rewire(random, edges, count)


FAMILIES = (_erdos_renyi, _barabasi_albert, _watts_strogatz, _two_blocks, _torus)


def _edge(u: int, v: int) -> tuple[int, int]:
    return (u, v) if u < v else (v, u)


def _pairs(number: int, draw: Callable[[], NDArray[np.int64]], some: Edges | None = None) -> Edges:
    """Draw pairs of different nodes until there are so many different ones, with `some` to begin with."""
    edges = set(some or ())
    while len(edges) < number:
        u, v = (int(end) for end in draw())
        if u != v:
            edges.add(_edge(u, v))
    return edges


def _rewire(random: Random, edges: Edges, count: int) -> Edges:
    left = set(edges)
    for u, v in sorted(edges):
        if random.random() < REWIRED:
            other = int(random.integers(count))
            if other != u and _edge(u, other) not in left:
                left.remove((u, v))
                left.add(_edge(u, other))
    return left

"""Small graphs for parts: with a shape that can be cut, and some that cannot."""

from __future__ import annotations

import numpy as np


def grid(side, weighted=False, seed=0):
    """A square grid, every edge once."""
    node = np.arange(side * side).reshape(side, side)
    source = np.concatenate([node[:, :-1].ravel(), node[:-1].ravel()])
    target = np.concatenate([node[:, 1:].ravel(), node[1:].ravel()])
    return with_weights(source, target, side * side, weighted, seed)


def hubs(nodes, edges, weighted=False, seed=0):
    """A random graph in which a few nodes have most edges; some are parallel, some nodes have none."""
    rng = np.random.default_rng(seed)
    source = rng.integers(0, nodes, edges)
    target = (nodes * rng.random(edges) ** 4).astype(np.int64)
    apart = source != target
    return with_weights(source[apart], target[apart], nodes, weighted, seed)


def islands(weighted=False, seed=0):
    """Components of many sizes, one of which is a path that is left out when everything else is kept."""
    parts = [(0, 40), (40, 43), (43, 60), (70, 100)]
    source = np.concatenate([np.arange(begin, end - 1) for begin, end in parts])
    chords = np.random.default_rng(seed).integers(0, 40, (2, 60))
    chords = chords[:, chords[0] != chords[1]]
    return with_weights(
        np.concatenate([source, chords[0]]), np.concatenate([source + 1, chords[1]]), 110, weighted, seed
    )


def with_weights(source, target, nodes, weighted, seed):
    rng = np.random.default_rng(seed + 1)
    weight = rng.uniform(0.2, 3.0, source.size) if weighted else np.ones(source.size)
    return source, target, weight, nodes

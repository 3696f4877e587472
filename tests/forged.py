"""Edge lists that are not symmetric, made to pass for it: their hashes cancel.

An earlier version of the core checked symmetry by an exclusive or of 64-bit hashes of the edges, in which the two
directions of an edge cancel. An exclusive or is linear over GF(2), so elimination finds sets of one-way edges that
cancel too, in no time. No reader may take them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15
_ENOUGH = 66  # edges: more than there are bits, so some of them cancel


@dataclass(frozen=True)
class Forged:
    """An edge list that breaks the rule of `refused`."""

    edge_index: NDArray[Any]
    edge_weight: NDArray[Any] | None
    num_nodes: int
    refused: str


def forge(
    num_nodes: int,
    seed: int,
    *,
    groups: int = 1,
    weight: type[np.floating[Any]] | None = None,
    index: type[np.signedinteger[Any]] = np.int64,
    order: str = "row",
    fault: str = "missing",
    among: int = 0,
) -> Forged:
    """Make `groups` sets of edges that cancel, on pairs of nodes that are all different.

    Args:
        num_nodes: how many nodes there are.
        seed: which pairs, directions and weights.
        groups: how many sets of about 33 edges.
        weight: the type of the weights; None for no weights.
        index: the type of the node numbers.
        order: sorted by "row" or by "column", or "none".
        fault: "missing" leaves out one direction of every edge, "weights" gives the two directions different ones.
        among: how many edges that have both directions are mixed in.
    """
    rng = np.random.default_rng(seed)
    pairs = _pairs(rng, num_nodes, groups * _ENOUGH + among)
    values = rng.uniform(0.5, 2.0, (2, pairs.shape[1])).astype(weight or np.float64)
    both = pairs[:, :among]
    index_parts, value_parts = [both, both[::-1]], [values[0, :among]] * 2
    for first in range(among, pairs.shape[1], _ENOUGH):
        some, own = pairs[:, first : first + _ENOUGH], values[:, first : first + _ENOUGH]
        hashes = hash_edges(some, None if weight is None else own[0])
        if fault == "weights":
            hashes ^= hash_edges(some, own[1])
        chosen = cancelling(hashes)
        flip = rng.random(chosen.size) < 0.5
        index_parts.append(np.where(flip, some[::-1, chosen], some[:, chosen]))
        value_parts.append(own[0, chosen])
        if fault == "weights":
            index_parts.append(np.where(flip, some[:, chosen], some[::-1, chosen]))
            value_parts.append(own[1, chosen])
    edges, given = np.concatenate(index_parts, axis=1), np.concatenate(value_parts)
    keys = {"row": (edges[1], edges[0]), "column": (edges[0], edges[1]), "none": (rng.random(given.size),)}[order]
    place = np.lexsort(keys)
    assert not np.bitwise_xor.reduce(hash_edges(edges, None if weight is None else given))
    return Forged(
        edges[:, place].astype(index),
        None if weight is None else given[place],
        num_nodes,
        {"missing": "both directions of every edge", "weights": "the same in both directions"}[fault],
    )


def hash_edges(edges: NDArray[Any], weight: NDArray[Any] | None) -> NDArray[np.uint64]:
    """Hash edges, whatever their direction: SplitMix64's finalizer of the pair and the bits of the weight."""
    low, high = np.sort(edges.astype(np.uint64), axis=0)
    key = low << np.uint64(32) | high
    if weight is not None:
        bits = weight.view(np.uint32 if weight.dtype == np.float32 else np.uint64).astype(np.uint64)
        key ^= bits * np.uint64(_GOLDEN)
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))


def cancelling(hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Find some of more than 64 numbers whose exclusive or is zero, by Gaussian elimination over GF(2)."""
    basis: dict[int, tuple[int, int]] = {}  # by leading bit: a combination, and which numbers are in it
    for at, value in enumerate(int(one) for one in hashes):
        members = 1 << at
        while value and value.bit_length() in basis:
            other, others = basis[value.bit_length()]
            value, members = value ^ other, members ^ others
        if not value:
            return np.array([i for i in range(at + 1) if members >> i & 1])
        basis[value.bit_length()] = value, members
    raise AssertionError("more than 64 numbers of 64 bits are never independent")


def _pairs(rng: np.random.Generator, num_nodes: int, count: int) -> NDArray[np.int64]:
    """Draw different pairs of nodes, the lower first, in random order."""
    total = num_nodes * (num_nodes - 1) // 2
    code = rng.choice(total, count, replace=False)
    high = ((1 + np.sqrt(8.0 * code + 1)) / 2).astype(np.int64)
    return np.stack([code - high * (high - 1) // 2, high])

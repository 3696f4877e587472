"""Which nodes go, and in which order: a hash of the node's id decides, so that nobody has to hold a list."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
# What the draws are for; the core's own purposes have small numbers.
_ORDER, _WALK, _CHOICE = (np.uint64(purpose * 0x9E3779B97F4A7C15 % 2**64) for purpose in (101, 102, 103))
_AT_ONCE = 1 << 20
_ROUNDS = 4  # of mixing in a permutation


def order_key(seed: int, ids: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Give every node a number that is uniform on 64 bits, and different for every node.

    Nodes go in the order of these numbers, within their part and level. With a fraction, those with the smallest go.

    Example:
        >>> import numpy as np
        >>> keys = order_key(0, np.arange(1000))
        >>> np.unique(keys).size, bool(abs(keys.mean() / 2**63 - 1) < 0.1)
        (1000, True)
    """
    return _derive(_mix(_word(seed) + _ORDER), ids)


def edge_key(seed: int, low: NDArray[np.int64], high: NDArray[np.int64], end: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Give every walk from an end of an edge a stream of its own."""
    return _derive(_derive(_derive(_mix(_word(seed) + _WALK), low), high), end)


def threshold(seed: int, num_nodes: int, count: int) -> int:
    """Give the number below which exactly `count` of the nodes have their `order_key`.

    It lies near `count / num_nodes` of all numbers, within a few standard deviations: one pass over the nodes counts
    the keys below, and holds those that are that near. A billion nodes take a quarter of a minute.

    Example:
        >>> import numpy as np
        >>> below = threshold(0, 1000, 250)
        >>> int((order_key(0, np.arange(1000)) < np.uint64(below)).sum())
        250
    """
    if count <= 0:
        return 0
    if count >= num_nodes:
        return 2**64
    guess, spread = 2**64 * count // num_nodes, 8 * 2**64 // math.isqrt(num_nodes)
    while True:
        first, last = max(0, guess - spread), min(2**64 - 1, guess + spread)
        below, near = 0, []
        for begin in range(0, num_nodes, _AT_ONCE):
            keys = order_key(seed, np.arange(begin, min(num_nodes, begin + _AT_ONCE), dtype=np.int64))
            below += int((keys < np.uint64(first)).sum())
            near.append(keys[(keys >= np.uint64(first)) & (keys <= np.uint64(last))])
        sorted_near = np.sort(np.concatenate(near))
        if below < count <= below + sorted_near.size:
            return int(sorted_near[count - below - 1]) + 1
        spread *= 8


def permute(seed: int, num_nodes: int, ids: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return the places of nodes in a random order of all nodes.

    The order is a bijection of [0, 2^b) for the smallest b that covers all nodes, made of additions, multiplications by
    odd numbers and shifts. It is applied again to whoever lands behind the last node, less than twice on average.

    Example:
        >>> import numpy as np
        >>> sorted(permute(0, 5, np.arange(5)).tolist())
        [0, 1, 2, 3, 4]
    """
    bits = max(1, (num_nodes - 1).bit_length())
    mask, shift = np.uint64(2**bits - 1), np.uint64(max(1, bits // 2))
    draws = _derive(_mix(_word(seed) + _CHOICE), np.arange(2 * _ROUNDS)).reshape(_ROUNDS, 2)
    place = ids.astype(np.uint64)
    outside = np.ones(ids.size, np.bool_)
    while outside.any():
        x = place[outside]
        for added, factor in draws:
            x = ((x + added) * (factor | np.uint64(1))) & mask
            x ^= x >> shift
        place[outside] = x
        outside = place >= np.uint64(num_nodes)
    return place


def _word(seed: int) -> NDArray[np.uint64]:
    return np.array([seed], dtype=np.uint64)  # as an array, where overflow is silent


def _derive(key: NDArray[np.uint64], index: NDArray[Any]) -> NDArray[np.uint64]:
    return _mix(key + _GOLDEN * (index.astype(np.uint64) + np.uint64(1)))


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))

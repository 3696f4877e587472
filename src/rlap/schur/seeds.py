"""Where the randomness comes from: one 64-bit seed a call."""

from __future__ import annotations

import operator
from typing import SupportsIndex, TypeAlias

import numpy as np

from rlap import _core

Seed: TypeAlias = "SupportsIndex | np.random.Generator | np.random.RandomState | None"

_SEEDS = 2**64


def check_seed(seed: Seed, name: str = "seed") -> int:
    """Turn whatever names a source of randomness into a seed of 64 bits.

    `None` draws from NumPy's global generator, so that `numpy.random.seed` makes a program repeatable; a generator is
    drawn from; an integer is taken as it is.
    """
    if seed is None:
        seed = np.random.mtrand._rand
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(_SEEDS, dtype=np.uint64))
    if isinstance(seed, np.random.RandomState):
        return int.from_bytes(seed.bytes(8), "little")
    try:
        value = operator.index(seed)
    except TypeError:
        kind = type(seed).__name__
        raise TypeError(f"{name} must be an integer, a random generator or None (got {kind})") from None
    if not 0 <= value < _SEEDS:
        raise ValueError(f"{name} must lie in [0, 2**64) (got {value})")
    return value


def derive_seed(seed: int, *, view: int = 0, graph: int = 0) -> int:
    """Give the seed with which one view of one graph can be made alone.

    Graph `g` of a batch, in view `v` of a call with `seed=s`, is the view that the graph has by itself with
    `seed=derive_seed(s, view=v, graph=g)`. View 0 of graph 0 has the seed of the call.

    >>> from rlap import derive_seed
    >>> derive_seed(7)
    7
    >>> derive_seed(7, view=1) == derive_seed(7, graph=1)
    False
    """
    return _core.derive_seed(check_seed(seed), view, graph)

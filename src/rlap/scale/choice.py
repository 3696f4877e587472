"""Which nodes go."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rlap.scale.keys import order_key, permute, threshold
from rlap.schur.selection import check_fraction

COUNTED = 1 << 32  # nodes; up to so many are gone through one by one, in a minute, and no more


@dataclass(frozen=True)
class Choice:
    """Tells of any node whether it goes: by its key, or because it is not in the sorted list of those that stay.

    With `permuted` nodes, more than can be counted, its place in a random order of them takes the place of its key.
    """

    seed: int
    below: int = 0
    kept: NDArray[np.int64] | None = None
    permuted: int | None = None

    def goes(self, ids: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Say which of the nodes go."""
        if self.kept is None:
            if self.below >= 2**64:
                return np.ones(ids.size, dtype=np.bool_)
            if self.permuted is not None:
                return permute(self.seed, self.permuted, ids) < np.uint64(self.below)
            return order_key(self.seed, ids) < np.uint64(self.below)
        if self.kept.size == 0:
            return np.ones(ids.size, dtype=np.bool_)
        at = np.minimum(np.searchsorted(self.kept, ids), self.kept.size - 1)
        return np.asarray(self.kept[at] != ids)


def choose(fraction: float | None, keep: ArrayLike | None, num_nodes: int, seed: int) -> Choice:
    """Choose `floor(fraction * num_nodes)` nodes at random, or all that are not in `keep`.

    Example:
        >>> import numpy as np
        >>> int(choose(0.3, None, 10, seed=0).goes(np.arange(10)).sum())
        3
        >>> choose(None, [1, 2], 4, seed=0).goes(np.arange(4)).tolist()
        [True, False, False, True]
    """
    if (fraction is None) == (keep is None):
        raise ValueError("give exactly one of fraction and keep")
    if fraction is not None:
        count = min(num_nodes, math.floor(check_fraction(fraction) * num_nodes))
        if num_nodes > COUNTED:
            return Choice(seed, count, permuted=num_nodes)
        return Choice(seed, threshold(seed, num_nodes, count))
    nodes = np.asarray(keep)
    if nodes.dtype == np.bool_:
        if nodes.shape != (num_nodes,):
            raise ValueError(f"keep as a mask must have one value for every node, {num_nodes} (got {nodes.shape})")
        nodes = np.flatnonzero(nodes)
    if nodes.ndim != 1:
        raise ValueError(f"keep must have one dimension (got {nodes.ndim})")
    if nodes.size and not np.issubdtype(nodes.dtype, np.integer):
        raise TypeError(f"keep must hold integers (got {nodes.dtype})")
    kept = np.unique(nodes.astype(np.int64))
    if kept.size and not (kept[0] >= 0 and kept[-1] < num_nodes):
        bad = kept[0] if kept[0] < 0 else kept[-1]
        raise ValueError(f"keep must lie in [0, num_nodes) = [0, {num_nodes}) (got {bad})")
    return Choice(seed, 0, kept)

"""`walk_schur`: the unbiased estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlap import _core
from rlap.schur.matrix import Sparse, read_adjacency
from rlap.schur.seeds import Seed, check_seed
from rlap.schur.threads import check_num_threads


def walk_schur(
    adjacency: Sparse,
    *,
    fraction: float | None = None,
    keep: ArrayLike | None = None,
    eliminate: ArrayLike | None = None,
    ground: ArrayLike | None = None,
    symmetrize: bool = False,
    rng: Seed = None,
    num_threads: int = 0,
) -> Any:
    """Estimate the Schur complement of a graph by terminal random walks (Durfee, Gao, Goranci and Peng 2019).

    For every edge (u, v), a walk from u and one from v run until they meet kept nodes a and b. If these differ, the
    edge (a, b) is added with the conductance of the whole path, 1 / sum(1 / w). The mean over the walks is the exact
    Schur complement, for any set of kept nodes. Walks get long when few nodes are kept; past ten thousand steps a walk
    on average the call ends with a RuntimeError. A connected graph may fall apart, unlike by elimination: every path is
    sampled on its own, and all around a node may end at it.

    With `fraction`, the nodes that go are those that `randomized_schur` eliminates in random order for the same seed.
    Threads share the walks and the writing of the result, which does not depend on their number; 0 means all.

    Example:
        >>> import numpy as np, scipy.sparse as sp, rlap
        >>> path = sp.csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=float))
        >>> walks = [rlap.walk_schur(path, keep=[0, 2], rng=seed)[0, 2] for seed in range(1000)]
        >>> bool(abs(np.mean(walks) - 0.5) < 0.05)
        True
    """
    threads = check_num_threads(num_threads)
    source = read_adjacency(adjacency, symmetrize, threads)
    key = check_seed(rng, "rng")
    selection = source.select(fraction=fraction, keep=keep, eliminate=eliminate, node_order="random")
    gone = source.gone(keep, eliminate)
    kept = _core.choose_kept(source.graph, selection.count[None], key) if gone is None else np.ascontiguousarray(~gone)
    leak = source.check_ground(ground)
    return source.wrap(_core.walk(source.graph, kept, key, leak, False, source.single, threads))

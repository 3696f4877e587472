"""`exact_schur`: the Schur complement itself, for comparison."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from rlap.schur.matrix import Sparse, read_adjacency

_DENSE = 200  # below, one dense solve is quicker than a sparse factorisation
_BLOCK = 256  # columns solved at once


def exact_schur(
    adjacency: Sparse,
    *,
    keep: ArrayLike | None = None,
    eliminate: ArrayLike | None = None,
    ground: ArrayLike | None = None,
    symmetrize: bool = False,
    max_bytes: int = 4 * 2**30,
) -> Any:
    """Compute the Schur complement of a graph onto the nodes kept, exactly (up to rounding).

    Every connected group of eliminated nodes turns into a clique over the kept nodes around it, so the result can be
    dense: a MemoryError says so before the work begins when it would need more than `max_bytes`. The arguments and
    the result are those of `randomized_schur`.

    Example:
        >>> import numpy as np, scipy.sparse as sp, rlap
        >>> star = sp.csr_array(np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]], dtype=float))
        >>> rlap.exact_schur(star, keep=[1, 2]).toarray().tolist()
        [[0.0, 0.0, 0.0], [0.0, 0.0, 0.5], [0.0, 0.5, 0.0]]
    """
    if keep is None and eliminate is None:
        raise ValueError("give exactly one of keep and eliminate")
    source = read_adjacency(adjacency, symmetrize)
    gone = source.gone(keep, eliminate)
    assert gone is not None
    given = source.check_ground(ground)
    leak = np.zeros(source.num_nodes) if given is None else given
    weights = source.weights()

    inside, outside = np.flatnonzero(gone), np.flatnonzero(~gone)
    group = _groups(weights, inside, leak)
    inside, group = inside[group >= 0], group[group >= 0]  # groups that touch nothing that is kept leave nothing
    across = sp.csr_array(weights[inside][:, outside])
    _check_memory(across, group, max_bytes)

    degree = np.asarray(weights.sum(axis=1)).ravel() + leak
    within = sp.csc_array(sp.diags_array(degree[inside]) - weights[inside][:, inside])
    added, leaked = _clique(within, across, leak[inside])
    total = sp.csr_array(weights[outside][:, outside] + added)
    total.sort_indices()
    row, col = sp.coo_array(total).coords
    real = (row != col) & (total.data != 0)
    new_ground = None
    if given is not None:
        new_ground = np.zeros(source.num_nodes)
        new_ground[outside] = leak[outside] + leaked
    weight = total.data[real].astype(np.float32 if source.single else np.float64)
    return source.wrap((outside[np.stack([row[real], col[real]])], weight, ~gone, new_ground))


def _groups(weights: sp.csr_array, inside: NDArray[np.intp], leak: NDArray[np.float64]) -> NDArray[np.int64]:
    """Number the connected groups of eliminated nodes; -1 for those that touch neither a kept node nor the ground."""
    from scipy.sparse.csgraph import connected_components  # slow to import, and rarely needed

    if inside.size == 0:
        return np.zeros(0, dtype=np.int64)
    rows = weights[inside]
    count, group = connected_components(rows[:, inside], directed=False)
    all_edges = np.diff(rows.indptr)
    inner_edges = np.diff(sp.csr_array(rows[:, inside]).indptr)
    touches = np.bincount(group, (all_edges > inner_edges) | (leak[inside] > 0), minlength=count) > 0
    return np.where(touches[group], group, -1).astype(np.int64)


def _check_memory(across: sp.csr_array, group: NDArray[np.int64], max_bytes: int) -> None:
    """Refuse a result whose cliques, counted before they are made, would not fit."""
    if group.size == 0:
        return
    row_group = np.repeat(group, np.diff(across.indptr))
    border = np.unique(np.stack([row_group, across.indices]), axis=1)[0]
    sizes = np.unique(border, return_counts=True)[1].astype(np.float64)
    needed = 12.0 * float((sizes**2).sum())
    if needed > max_bytes:
        raise MemoryError(
            f"the exact Schur complement would have up to {needed / 12:.3g} entries, {needed / 2**30:.1f} GiB "
            f"(max_bytes allows {max_bytes / 2**30:.1f} GiB); randomized_schur or walk_schur stays sparse"
        )


def _clique(
    within: sp.csc_array, across: sp.csr_array, leak: NDArray[np.float64]
) -> tuple[sp.csr_array, NDArray[np.float64]]:
    """Give B^T M^-1 B and B^T M^-1 leak, where M is `within` and B is `across`, in blocks of columns."""
    size, kept = across.shape
    if size == 0:
        return sp.csr_array((kept, kept)), np.zeros(kept)
    if size <= _DENSE:
        dense = within.toarray()

        def solve(right: NDArray[np.float64]) -> NDArray[np.float64]:
            return np.linalg.solve(dense, right)
    else:
        from scipy.sparse.linalg import splu

        solve = splu(within, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}).solve
    leaked = across.T @ solve(leak)
    columns = sp.csc_array(across)
    touched = np.flatnonzero(np.diff(columns.indptr))
    blocks, places = [], []
    for begin in range(0, touched.size, _BLOCK):
        chosen = touched[begin : begin + _BLOCK]
        block = across.T @ solve(columns[:, chosen].toarray())
        blocks.append(sp.coo_array(block))
        places.append(chosen)
    if not blocks:
        return sp.csr_array((kept, kept)), leaked
    row = np.concatenate([block.coords[0] for block in blocks])
    col = np.concatenate([chosen[block.coords[1]] for block, chosen in zip(blocks, places, strict=True)])
    value = np.concatenate([block.data for block in blocks])
    added = sp.csr_array((value, (row, col)), shape=(kept, kept))
    return sp.csr_array((added + added.T) * 0.5), leaked

"""`exact_schur`: the Schur complement itself, for comparison."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from rlap.schur.matrix import Sparse, read_adjacency

_DENSE = 600  # nodes, eliminated and around them, up to which dense elimination is quick
_BLOCK = 256  # columns solved at once
_TINY = np.finfo(np.float64).tiny
_SOUND = 1e-6  # how far a sum of probabilities may be from 1


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
    dense: a MemoryError says so before the work begins when it would need more than `max_bytes`. Small graphs are
    eliminated node by node without a subtraction, so every weight is right to almost all its digits; larger ones go
    through a sparse factorisation, whose result is checked. The arguments and the result are those of
    `randomized_schur`.

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
    with np.errstate(over="ignore"):
        everything = weights.data.sum() + leak.sum()
    if not np.isfinite(everything):
        raise ValueError(f"edge_weight and ground must have a finite sum (got {everything})")

    inside, outside = np.flatnonzero(gone), np.flatnonzero(~gone)
    group = _groups(weights, inside, leak)
    inside, group = inside[group >= 0], group[group >= 0]  # groups that touch nothing that is kept leave nothing
    across = sp.csr_array(weights[inside][:, outside])
    _check_memory(across, group, max_bytes)

    within = sp.csr_array(weights[inside][:, inside])
    touched = np.flatnonzero(np.diff(sp.csc_array(across).indptr))
    cliques = _eliminate_dense if inside.size + touched.size <= _DENSE else _solve_sparse
    clique, leaked = cliques(within, sp.csr_array(across[:, touched]), leak[inside])
    row, col = clique.coords
    added = sp.csr_array((clique.data, (touched[row], touched[col])), shape=(outside.size, outside.size))
    total = sp.csr_array(weights[outside][:, outside] + added)
    total.sort_indices()
    row, col = sp.coo_array(total).coords
    real = (row != col) & (total.data != 0)
    new_ground = None
    if given is not None:
        new_ground = np.zeros(source.num_nodes)
        new_ground[outside] = leak[outside]
        new_ground[outside[touched]] += leaked
    weight = total.data[real]
    if source.single:  # positive and finite when it is narrowed
        limits = np.finfo(np.float32)
        weight = np.clip(weight, limits.smallest_subnormal, limits.max).astype(np.float32)
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


def _eliminate_dense(
    within: sp.csr_array, across: sp.csr_array, leak: NDArray[np.float64]
) -> tuple[sp.coo_array, NDArray[np.float64]]:
    """Give the weights that eliminated nodes leave between the kept nodes around them, and to the ground."""
    size = within.shape[0]
    weights = np.zeros((size + across.shape[1] + 1, size + across.shape[1] + 1))
    weights[:size, :size] = within.toarray()
    weights[:size, size:-1] = across.toarray()
    weights[:size, -1] = leak
    for node in range(size):
        star = weights[node, node + 1 :]
        total = star.sum()
        if total == 0:  # all on the way out was too small for double precision
            continue
        share = star / total
        if share[star > 0].min() >= _TINY:
            clique = np.multiply.outer(star, share)
        else:  # of two weights the larger one has a share that double precision holds
            clique = np.minimum.outer(star, star) * np.maximum.outer(share, share)
        weights[node + 1 :, node + 1 :] += clique
    above = np.triu(weights[size:-1, size:-1], 1)  # all that the loop reads, and what is left of it
    return sp.coo_array(above + above.T), weights[size:-1, -1]


def _solve_sparse(
    within: sp.csr_array, across: sp.csr_array, leak: NDArray[np.float64]
) -> tuple[sp.coo_array, NDArray[np.float64]]:
    """Do the same by B^T M^-1 B and B^T M^-1 leak, where M is the Laplacian within and B is `across`."""
    from scipy.sparse.linalg import splu  # slow to import, and not always needed

    border = np.asarray(across.sum(axis=1)).ravel() + leak
    degree = np.asarray(within.sum(axis=1)).ravel() + border
    matrix = sp.csc_array(sp.diags_array(degree) - within)
    try:
        solve = splu(matrix, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}).solve
        ends = solve(border)  # the probabilities that a walk ends anywhere, which it does
    except RuntimeError:  # a pivot of zero
        ends = np.zeros(1)
    if not (np.abs(ends - 1) <= _SOUND).all():
        raise ValueError(
            "edge_weight within a group of eliminated nodes must not outweigh what leads out of it by more than double "
            f"precision can tell (got {degree.max():.3g} at a node against {border[border > 0].min():.3g} on the way "
            "out): eliminate fewer nodes, or use walk_schur"
        )
    row, col, value = [], [], []
    columns = sp.csc_array(across)
    for begin in range(0, across.shape[1], _BLOCK):
        ended = solve(columns[:, begin : begin + _BLOCK].toarray()) / ends[:, None]
        block = sp.coo_array(across.T @ ended)
        row.append(block.coords[0])
        col.append(block.coords[1] + begin)
        value.append(block.data)
    added = sp.csr_array(
        (np.concatenate(value), (np.concatenate(row), np.concatenate(col))), shape=(across.shape[1], across.shape[1])
    )
    return sp.coo_array((added + added.T) * 0.5), across.T @ (solve(leak) / ends)

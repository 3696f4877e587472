"""From the lines of a file, in whatever direction, to the undirected graph that they mean."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from rlap.adapters.files.edge_file import EdgeFile
from rlap.schur.memory import check_memory

Symmetrize: TypeAlias = Literal["mean", "sum"]

_EDGE, _NODE = 135, 50  # bytes, measured and rounded up

# Two directions that differ by less differ by rounding: the core's own rule.
_TOLERANCE = {np.dtype(np.float32): 1e-5, np.dtype(np.float64): 1e-9}


def to_undirected(raw: EdgeFile, symmetrize: Symmetrize | None = None) -> EdgeFile:
    """Give both directions of every edge, sorted, with duplicates summed and self-loops dropped.

    An edge that is listed in one direction gets the other. One that is listed in both is one edge, and its two weights
    must agree; otherwise `symmetrize` says what to take.
    """
    if symmetrize not in (None, "mean", "sum"):
        raise ValueError(f'symmetrize must be None, "mean" or "sum" (got {symmetrize!r})')
    _check_weights(raw)
    check_memory(_EDGE * raw.edge_index.shape[1] + _NODE * raw.num_nodes)  # a file can claim any number of nodes
    row, col = raw.edge_index
    weight = np.ones(row.size) if raw.edge_weight is None else raw.edge_weight
    upper = _merge(raw.num_nodes, row, col, weight, row < col)
    lower = _merge(raw.num_nodes, col, row, weight, row > col)
    loops = int(np.count_nonzero(row == col))
    half = _join(raw, upper, lower, symmetrize) if lower.nnz else upper
    both = sp.csr_array(half + half.T.tocsr())
    plain = raw.edge_weight is None and bool((both.data == 1).all())
    edge_index = np.stack([_rows(both), both.indices])
    return replace(raw, edge_index=edge_index, edge_weight=None if plain else both.data, self_loops=loops)


def _check_weights(raw: EdgeFile) -> None:
    if raw.edge_weight is None:
        return
    bad = ~((raw.edge_weight > 0) & np.isfinite(raw.edge_weight))
    if bad.any():
        at = int(bad.argmax())
        ends = " - ".join(raw.label(int(node)) for node in raw.edge_index[:, at])
        raise ValueError(f"edge weights must be positive and finite (got {raw.edge_weight[at]} for the edge {ends})")


def _merge(
    num_nodes: int,
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    weight: NDArray[np.floating],
    chosen: NDArray[np.bool_],
) -> sp.csr_array:
    """Sort the chosen edges into rows by their lower end, and sum the parallel ones."""
    if not chosen.all():
        low, high, weight = low[chosen], high[chosen], weight[chosen]
    return sp.csr_array(sp.coo_array((weight, (low, high)), shape=(num_nodes, num_nodes)))


def _join(raw: EdgeFile, upper: sp.csr_array, lower: sp.csr_array, symmetrize: Symmetrize | None) -> sp.csr_array:
    """Make one edge of the two directions."""
    total = sp.csr_array(upper + lower)
    if symmetrize == "sum":
        return total
    pairs, forth, back = (_rows(half) * raw.num_nodes + half.indices for half in (total, upper, lower))
    forth, back = np.searchsorted(pairs, forth), np.searchsorted(pairs, back)
    there = np.zeros((2, pairs.size), dtype=total.dtype)
    there[0, forth], there[1, back] = upper.data, lower.data
    in_both = (there > 0).all(axis=0)
    differ = in_both & (np.abs(there[0] - there[1]) > _TOLERANCE[total.dtype] * there.max(axis=0))
    if symmetrize is None and differ.any():
        at = int(differ.argmax())
        low, high = (raw.label(int(node)) for node in divmod(int(pairs[at]), raw.num_nodes))
        raise ValueError(
            f"an edge listed in both directions must have one weight (got {there[0, at]} for {low} -> {high} but "
            f'{there[1, at]} for its reverse; symmetrize "mean" or "sum" makes one of them)'
        )
    total.data[in_both] *= 0.5
    return total


def _rows(matrix: sp.csr_array) -> NDArray[np.int64]:
    return np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))

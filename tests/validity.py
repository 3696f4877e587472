"""What every view promises, whatever went in."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.oracles import laplacian


def assert_valid_view(view: Any, num_nodes: int, relabel: bool = False) -> None:
    """Both directions with the same bits, sorted by (row, col), no duplicates, no self-loops, positive weights."""
    edge_index, edge_weight = view
    kept = int(view.node_mask.sum())
    assert view.node_mask.shape == (num_nodes,)
    assert view.node_mask.dtype == np.bool_
    assert edge_index.shape == (2, edge_weight.size)
    assert edge_index.dtype == np.int64
    assert (np.isfinite(edge_weight) & (edge_weight > 0)).all()
    row, col = edge_index
    assert (row != col).all()
    if relabel:
        assert ((edge_index >= 0) & (edge_index < kept)).all()
    else:
        assert ((edge_index >= 0) & (edge_index < num_nodes)).all()
        assert view.node_mask[edge_index].all(), "an edge ends at an eliminated node"
    assert ((np.diff(row) > 0) | ((np.diff(row) == 0) & (np.diff(col) > 0))).all(), "not sorted, or duplicates"
    back = np.lexsort((row, col))
    np.testing.assert_array_equal(col[back], row)
    np.testing.assert_array_equal(row[back], col)
    np.testing.assert_array_equal(edge_weight[back], edge_weight)
    if view.ground is not None:
        assert view.ground.shape == (kept if relabel else num_nodes,)
        assert (np.isfinite(view.ground) & (view.ground >= 0)).all()
        if not relabel:
            assert not view.ground[~view.node_mask].any()


def assert_laplacian(view: Any, num_nodes: int) -> None:
    """Symmetric bit for bit; row sums of zero and no eigenvalue below it, up to rounding."""
    adjacency = np.zeros((num_nodes, num_nodes))
    adjacency[view.edge_index[0], view.edge_index[1]] = view.edge_weight
    matrix = laplacian(adjacency)
    np.testing.assert_array_equal(matrix, matrix.T)
    size = max(float(matrix.max(initial=0)), 1e-300)
    rounding = num_nodes * np.finfo(float).eps * size
    assert np.abs(matrix.sum(axis=1)).max(initial=0) <= rounding
    assert np.linalg.eigvalsh(matrix).min(initial=0) >= -10 * rounding

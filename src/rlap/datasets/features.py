"""Node features: dense, sparse, constant, or made from degrees."""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from rlap.adapters.pyg.rows import SPARSE_BELOW

Features = Literal["default", "constant", "normalized"]


def as_csr(matrix: Any) -> Tensor:
    """Turn a SciPy matrix into a torch.sparse_csr tensor of float32."""
    matrix = sp.csr_array(matrix)
    matrix.sort_indices()
    parts = (matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data.astype(np.float32))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
        return torch.sparse_csr_tensor(*map(torch.from_numpy, parts), size=matrix.shape, check_invariants=True)


def as_scipy(x: Tensor) -> Any:
    """Show a torch.sparse_csr tensor as a SciPy matrix that shares its memory."""
    parts = (x.values().numpy(), x.col_indices().numpy(), x.crow_indices().numpy())
    return sp.csr_array(parts, shape=tuple(x.shape))


def node_features(matrix: Any, sparse: bool) -> Tensor:
    """Give features as a dense tensor, or as torch.sparse_csr where that is asked for and few entries are not zero."""
    stored = matrix.nnz if sp.issparse(matrix) else np.count_nonzero(matrix)
    if sparse and stored < SPARSE_BELOW * matrix.shape[0] * matrix.shape[1]:
        return as_csr(matrix)
    if not sp.issparse(matrix):
        return torch.from_numpy(np.ascontiguousarray(matrix, dtype=np.float32))
    # Written in place: `toarray` of a wide matrix in another type, and then a cast, would need it twice.
    dense = np.zeros(matrix.shape, dtype=np.float32)
    sp.csr_array(matrix).astype(np.float32).toarray(out=dense)
    return torch.from_numpy(dense)


def degree_one_hot(degree: Tensor) -> Tensor:
    """Give every node one 1, in the column of its degree; as wide as the largest degree of the whole set asks."""
    width = int(degree.max()) + 1 if degree.numel() else 1
    return torch.nn.functional.one_hot(degree, width).to(torch.float32)


def constant(count: int) -> Tensor:
    """Give every node the same single feature."""
    return torch.ones(count, 1)


def row_normalized(x: Tensor) -> Tensor:
    """Divide the features of every node by their sum, if that is more than 1, as PyG's `NormalizeFeatures` does."""
    if x.layout == torch.strided:
        x = x - x.min()
        return x / x.sum(dim=1, keepdim=True).clamp(min=1)
    rows, columns, values = x.crow_indices(), x.col_indices(), x.values()
    row = torch.arange(len(x)).repeat_interleave(rows.diff())
    sums = torch.zeros(len(x)).index_add_(0, row, values).clamp(min=1)
    return torch.sparse_csr_tensor(rows, columns, values / sums[row], size=x.shape, check_invariants=False)

"""Node features: dense, sparse, constant, or made from degrees."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

SPARSE_BELOW = 0.05  # the density under which sparse products win clearly over dense ones


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

"""Sparse matrices in CSR form."""

from __future__ import annotations

import warnings

import torch
from torch import Tensor

with warnings.catch_warnings():
    # torch says once that this form is in beta, whoever comes first; the products that we need are tested.
    warnings.simplefilter("ignore", UserWarning)
    torch.zeros(1, 1).to_sparse_csr()


def csr_matrix(begin: Tensor, index: Tensor, values: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Make a matrix of parts that are known to be right, without looking at them again.

    Example:
        >>> import torch
        >>> from rlap.models.csr import csr_matrix
        >>> csr_matrix(torch.tensor([0, 1]), torch.tensor([1]), torch.tensor([5.0]), (1, 2)).to_dense().tolist()
        [[0.0, 5.0]]
    """
    return torch.sparse_csr_tensor(begin, index, values, size=shape, check_invariants=False)

"""Sparse matrices in CSR form, and their product with dense ones."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

with warnings.catch_warnings():
    # torch says once that this form is in beta, whoever comes first.
    warnings.simplefilter("ignore", UserWarning)
    torch.zeros(1, 1).to_sparse_csr()


class CSR(NamedTuple):
    """The parts of a matrix: where the entries of each row begin, their columns, their values."""

    begin: Tensor
    index: Tensor
    values: Tensor

    def __matmul__(self, dense: Tensor) -> Tensor:
        """Multiply with a dense matrix.

        A row of the product is a weighted bag of rows, and torch's embedding bags are some three times faster than its
        sparse products.

        >>> import torch
        >>> from rlap.models.csr import CSR
        >>> (CSR(torch.tensor([0, 1]), torch.tensor([1]), torch.tensor([5.0])) @ torch.eye(2)).tolist()
        [[0.0, 5.0]]
        """
        if not len(self.index):
            return dense.new_zeros(len(self.begin) - 1, dense.shape[1])
        return functional.embedding_bag(
            self.index, dense, self.begin, mode="sum", per_sample_weights=self.values, include_last_offset=True
        )


def csr_matrix(begin: Tensor, index: Tensor, values: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Make a sparse tensor of parts that are known to be right, without looking at them again.

    Example:
        >>> import torch
        >>> from rlap.models import csr_matrix
        >>> csr_matrix(torch.tensor([0, 1]), torch.tensor([1]), torch.tensor([5.0]), (1, 2)).to_dense().tolist()
        [[0.0, 5.0]]
    """
    return torch.sparse_csr_tensor(begin, index, values, size=shape, check_invariants=False)

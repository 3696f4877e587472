"""Rows of features that may be sparse."""

from __future__ import annotations

import torch
from torch import Tensor

SPARSE_BELOW = 0.05  # of entries: the sparse product is some ten times slower for each of them


def take_rows(matrix: Tensor, place: Tensor) -> Tensor:
    """Take rows out of a torch.sparse_csr matrix, which torch itself cannot do.

    Example:
        >>> import torch
        >>> from rlap.adapters.pyg.rows import take_rows
        >>> take_rows(torch.eye(3).to_sparse_csr(), torch.tensor([2, 0])).to_dense().tolist()
        [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    """
    begin, columns, values = matrix.crow_indices(), matrix.col_indices(), matrix.values()
    sizes = begin.diff()[place]
    rows = torch.cat([begin.new_zeros(1), sizes.cumsum(0)])
    entries = torch.arange(int(rows[-1]), device=begin.device)
    entries += (begin[:-1][place] - rows[:-1]).repeat_interleave(sizes)
    shape = (len(place), matrix.shape[1])
    return torch.sparse_csr_tensor(rows, columns[entries], values[entries], size=shape, check_invariants=False)

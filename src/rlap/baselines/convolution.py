"""The two graph convolutions of Kipf and Welling 2017, for supervision and for the autoencoder."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout

from rlap.models import Propagation, lift


class Convolutions(nn.Module):
    """P relu(P X W1 + b1) W2 + b2, P being the propagation, with dropout before both products.

    Features may be sparse (CSR): then their entries are dropped.

    Example:
        >>> from rlap.models import gcn_propagation
        >>> edge = gcn_propagation(torch.tensor([[0, 1], [1, 0]]), None, 2, torch.float32)
        >>> Convolutions(3, 8, 4)(torch.eye(3)[:2], edge).shape
        torch.Size([2, 4])
    """

    def __init__(self, in_features: int, hidden: int, out_features: int, drop: float = 0.0) -> None:
        super().__init__()
        self.first = nn.Parameter(nn.init.xavier_uniform_(torch.empty(in_features, hidden)))
        self.second = nn.Parameter(nn.init.xavier_uniform_(torch.empty(hidden, out_features)))
        self.first_bias = nn.Parameter(torch.zeros(hidden))
        self.second_bias = nn.Parameter(torch.zeros(out_features))
        self.drop = drop

    def forward(self, x: Tensor, propagation: Propagation) -> Tensor:
        """Give the outputs of all nodes."""
        hidden = lift(drop_entries(x, self.drop, self.training), self.first)
        hidden = torch.relu(propagation(hidden) + self.first_bias)
        return propagation(dropout(hidden, self.drop, self.training) @ self.second) + self.second_bias


def drop_entries(x: Tensor, share: float, training: bool) -> Tensor:
    """Drop entries of features, dense or CSR; zeros need no coin.

    Example:
        >>> drop_entries(torch.ones(2, 2).to_sparse_csr(), 0.5, training=False).values().tolist()
        [1.0, 1.0, 1.0, 1.0]
    """
    if x.layout == torch.strided:
        return dropout(x, share, training)
    if not training or not share:
        return x
    values = dropout(x.values(), share)
    return torch.sparse_csr_tensor(x.crow_indices(), x.col_indices(), values, x.shape, check_invariants=False)

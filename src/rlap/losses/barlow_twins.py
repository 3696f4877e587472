"""`BarlowTwins`: the coordinates of both views agree, each with its own and with no other."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from rlap.losses.tiles import check_pair


class BarlowTwins(nn.Module):
    """The objective of Zbontar et al. 2021: the matrix of cross-correlations of the coordinates is to be the identity.

    With c_ab the correlation of coordinate a in the first view with b in the second, over the rows, it is

        sum_a (1 - c_aa)^2 + lambda * sum_{a != b} c_ab^2.

    Memory grows with the width squared, never with the number of rows squared.

    Args:
        off_diagonal: lambda; None means 1 / width, as in Zhu et al. 2021, who compare the objectives on graphs.
        eps: added to the variances, for coordinates that are constant.

    Example:
        >>> import torch
        >>> from rlap.losses import BarlowTwins
        >>> view = torch.tensor([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
        >>> round(BarlowTwins(eps=0.0)(view, view).item(), 6)
        0.0
    """

    uses_negatives = False
    refuses: str | None = (
        "Barlow Twins correlates the coordinates of two matrices with matching rows; the graph's side has one row for "
        "all nodes of a graph, which is constant over them and has no correlations"
    )

    def __init__(self, off_diagonal: float | None = None, *, eps: float = 1e-5) -> None:
        super().__init__()
        if off_diagonal is not None and not off_diagonal >= 0:
            raise ValueError(f"off_diagonal must not be negative (got {off_diagonal})")
        self.off_diagonal = off_diagonal
        self.eps = eps

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        """Compare the coordinates of two views with matching rows."""
        check_pair(first, second)
        correlation = _standard(first, self.eps).t() @ _standard(second, self.eps) / len(first)
        own = correlation.diagonal()
        factor = 1 / first.shape[1] if self.off_diagonal is None else self.off_diagonal
        others = correlation.square().sum() - own.square().sum()
        return (1 - own).square().sum() + factor * others

    def extra_repr(self) -> str:
        """Show the arguments."""
        return f"off_diagonal={self.off_diagonal}, eps={self.eps}"


def _standard(view: Tensor, eps: float) -> Tensor:
    variance, mean = torch.var_mean(view, dim=0, correction=0)
    return (view - mean) / (variance + eps).sqrt()

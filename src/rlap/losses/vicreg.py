"""`VICReg`: views agree, and neither collapses nor repeats itself."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from rlap.losses.tiles import check_pair


class VICReg(nn.Module):
    """Variance, invariance and covariance: the objective of Bardes et al. 2021.

        invariance * mean (z - z')^2
        + variance * mean over coordinates of relu(1 - sqrt(var + eps)), the mean over both views
        + covariance * sum_{a != b} cov_ab^2 / width, the sum over both views

    with the weights 25, 25 and 1, and unbiased variances, as there.

    Args:
        invariance: weight of the first term.
        variance: weight of the second.
        covariance: weight of the third.
        eps: added to the variances.

    Raises:
        ValueError: when the views have different shapes, or fewer than two rows.

    Example:
        >>> import torch
        >>> from rlap.losses import VICReg
        >>> view = torch.tensor([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
        >>> VICReg()(view, view).item()
        0.0
    """

    uses_negatives = False
    refuses: str | None = (
        "VICReg wants every coordinate of both sides to vary over the rows; the graph's side has one row for all nodes "
        "of a graph, which does not vary over them"
    )

    def __init__(
        self, invariance: float = 25.0, variance: float = 25.0, covariance: float = 1.0, *, eps: float = 1e-4
    ) -> None:
        super().__init__()
        self.invariance = invariance
        self.variance = variance
        self.covariance = covariance
        self.eps = eps

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        """Compare two views with matching rows."""
        check_pair(first, second)
        if len(first) < 2:
            raise ValueError(f"there must be at least two rows, for a variance (got {len(first)})")
        spread = torch.zeros((), dtype=first.dtype, device=first.device)
        shared = torch.zeros((), dtype=first.dtype, device=first.device)
        for view in (first, second):
            centred = view - view.mean(0)
            covariance = centred.t() @ centred / (len(view) - 1)
            variance = covariance.diagonal()
            spread = spread + functional.relu(1 - (variance + self.eps).sqrt()).mean() / 2
            shared = shared + (covariance.square().sum() - variance.square().sum()) / view.shape[1]
        return self.invariance * functional.mse_loss(first, second) + self.variance * spread + self.covariance * shared

    def extra_repr(self) -> str:
        """Show the weights."""
        return f"invariance={self.invariance}, variance={self.variance}, covariance={self.covariance}, eps={self.eps}"

"""`BootstrapLatent`: predict what a slower copy of oneself sees in the other view."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional


class BootstrapLatent(nn.Module):
    """The objective of BYOL (Grill et al. 2020) and BGRL (Thakoor et al. 2021): 2 - 2 cos(prediction, target).

    There are no negative pairs. The mean of both directions is 2 - cos(p1, t2) - cos(p2, t1). No gradient goes into the
    target.

    Args:
        sign_slip: give the sum of the cosines of every target, averaged over the targets, with the wrong sign, as the
            library behind the paper's scripts does. What is minimised is then the agreement.

    Example:
        >>> import torch
        >>> from rlap.losses import BootstrapLatent
        >>> BootstrapLatent()(torch.eye(2), -torch.eye(2)).item()
        4.0
    """

    uses_negatives = False
    bootstraps = True
    refuses: str | None = None  # global-local contrast makes sense

    def __init__(self, *, sign_slip: bool = False) -> None:
        super().__init__()
        self.sign_slip = sign_slip

    def forward(self, prediction: Tensor, target: Tensor) -> Tensor:
        """Compare rows of predictions with the same rows of targets."""
        if prediction.shape != target.shape:
            shapes = f"{tuple(prediction.shape)} and {tuple(target.shape)}"
            raise ValueError(f"prediction and target must have one shape (got {shapes})")
        cosine = functional.cosine_similarity(prediction, target.detach())
        return cosine.mean() if self.sign_slip else 2 - 2 * cosine.mean()

    def grouped(self, anchors: Tensor, samples: Tensor, owner: Tensor, noise: object = None) -> Tensor:
        """Compare predictions with the targets that own them: nodes with their graph."""
        cosine = functional.cosine_similarity(samples, anchors.detach()[owner])
        return cosine.sum() / len(anchors) if self.sign_slip else 2 - 2 * cosine.mean()

    def extra_repr(self) -> str:
        """Show the arguments."""
        return f"sign_slip={self.sign_slip}"

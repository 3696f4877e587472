"""`JSD`: pairs that belong together are told from pairs that do not, by the sign of their product."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from rlap.losses.tiles import TILE, check_pair, products


class JSD(nn.Module):
    """The Jensen-Shannon estimator of mutual information of Nowozin et al. 2016, as Deep InfoMax uses it.

    With s the scalar product of two embeddings, it is

        mean over positive pairs of softplus(-s) + mean over negative pairs of softplus(s) - 2 log 2,

    which is zero when all products are. This is the form of MVGRL (Hassani and Khasahmadi 2020) and of the paper's
    scripts; the paper's formula has a sigmoid inside and another sign, and could not be minimised.

    The products of all pairs are visited tile by tile, and again for the gradient.

    Args:
        tile: rows and columns of products that are held at once.

    Raises:
        ValueError: when the views have different shapes, or there is no negative pair.

    Example:
        >>> import torch
        >>> from rlap.losses import JSD
        >>> JSD()(torch.zeros(3, 2), torch.zeros(3, 2)).item()
        0.0
    """

    uses_negatives = True
    refuses: str | None = None  # global-local contrast makes sense
    plain_products = True  # scores are scalar products, of rows as they are

    def __init__(self, *, tile: int = TILE) -> None:
        super().__init__()
        if tile < 1:
            raise ValueError(f"tile must be at least 1 (got {tile})")
        self.tile = tile

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        """Contrast rows with their counterparts and with all others. Both directions have the same pairs."""
        check_pair(first, second)
        if len(first) < 2:
            raise ValueError(f"there must be at least two rows, for a negative pair (got {len(first)})")
        own = (first * second).sum(1)
        every: Tensor = _Softplus.apply(first, second, self.tile)
        negative = (every - functional.softplus(own).sum()) / (len(first) * (len(first) - 1))
        return functional.softplus(-own).mean() + negative - 2 * math.log(2)

    def grouped(
        self, anchors: Tensor, samples: Tensor, owner: Tensor, noise: tuple[Tensor, Tensor] | None = None
    ) -> Tensor:
        """Contrast every anchor with its samples and those of the others, or with noise instead of the others."""
        own = _paired(anchors, samples, owner)
        if noise is not None:
            negative = functional.softplus(_paired(anchors, *noise)).mean()
        else:
            every = functional.softplus(anchors @ samples.t()).sum()
            count = (len(anchors) - 1) * len(samples)
            if not count:
                raise ValueError("there must be at least two graphs, or noise, for a negative pair (got one graph)")
            negative = (every - functional.softplus(own).sum()) / count
        return functional.softplus(-own).mean() + negative - 2 * math.log(2)


def _paired(anchors: Tensor, samples: Tensor, owner: Tensor) -> Tensor:
    """Give the product of every sample with its anchor."""
    if len(anchors) == 1:
        return samples @ anchors[0]
    return (anchors[owner] * samples).sum(1)


class _Softplus(torch.autograd.Function):
    """The sum of softplus over the products of all rows of two matrices."""

    @staticmethod
    def forward(ctx: Any, first: Tensor, second: Tensor, tile: int) -> Tensor:
        ctx.save_for_backward(first, second)
        ctx.tile = tile
        total = first.new_zeros((), dtype=torch.float64)
        for _, _, s in products(first, second, tile):
            total += functional.softplus(s).sum()
        return total.to(first.dtype)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        first, second = ctx.saved_tensors
        to_first, to_second = torch.zeros_like(first), torch.zeros_like(second)
        for row, column, s in products(first, second, ctx.tile):
            s.sigmoid_()
            to_first[row].addmm_(s, second[column])
            to_second[column].addmm_(s.t(), first[row])
        return to_first * gradients[0], to_second * gradients[0], None

"""Which pairs are positive and which negative, without a matrix of all pairs."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Rows:
    """Two matrices: a row and its counterpart are a positive pair, a row and any other row a negative one.

    Example:
        >>> import torch
        >>> from rlap.contrast import Rows
        >>> positive, negative = Rows(torch.randn(2, 3), torch.randn(2, 3)).masks()
        >>> positive.tolist(), negative.tolist()
        ([[True, False], [False, True]], [[False, True], [True, False]])
    """

    first: Tensor
    second: Tensor

    def masks(self) -> tuple[Tensor, Tensor]:
        """Spell out the pairs: for every row of the first and of the second, is it positive, is it negative?"""
        positive = torch.eye(len(self.first), dtype=torch.bool)
        return positive, ~positive


@dataclass(frozen=True)
class Groups:
    """Anchors and samples: an anchor and a sample of its own are a positive pair.

    An anchor and a sample of another are a negative one. With `noise`, the negative ones are an anchor and its noise.

    Example:
        >>> import torch
        >>> from rlap.contrast import Groups
        >>> groups = Groups(torch.randn(2, 3), torch.randn(3, 3), owner=torch.tensor([0, 0, 1]))
        >>> groups.masks()[0].tolist()
        [[True, True, False], [False, False, True]]
    """

    anchors: Tensor
    samples: Tensor
    owner: Tensor
    noise: tuple[Tensor, Tensor] | None = None

    def masks(self) -> tuple[Tensor, Tensor]:
        """Spell out the pairs: for every anchor and every sample, then every noise if there is any."""
        anchors = torch.arange(len(self.anchors))[:, None]
        own = anchors == self.owner.cpu()
        if self.noise is None:
            return own, ~own
        noise = anchors == self.noise[1].cpu()
        nothing = torch.zeros_like
        return torch.cat([own, nothing(noise)], dim=1), torch.cat([nothing(own), noise], dim=1)

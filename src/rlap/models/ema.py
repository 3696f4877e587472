"""`Target`: a slower copy of a network."""

from __future__ import annotations

import copy
import math
from typing import Any

import torch
from torch import nn


class Target(nn.Module):
    """A copy of a network that follows it as an exponential moving average, and is never trained itself.

    Step k of K moves it by 1 - m towards the network, m = 1 - (1 - momentum) (cos(pi k / K) + 1) / 2, as in BYOL (Grill
    et al. 2020) and BGRL: slower and slower, and not at all in the end.

    Args:
        online: the network to follow.
        momentum: m in the beginning, in [0, 1].
        cosine: follow that schedule. False keeps m, as the paper's scripts do.
        buffers: average what the network has measured too, such as the means and variances of batch norm. False leaves
            what the copy measures itself, as the paper's scripts do.

    Example:
        >>> import torch
        >>> from rlap.models import Target
        >>> online = torch.nn.Linear(1, 1)
        >>> target = Target(online, momentum=0.0, cosine=False)
        >>> _ = torch.nn.init.ones_(online.weight)
        >>> target.follow(online, step=1, steps=10)
        >>> target.network.weight.item()
        1.0
    """

    def __init__(self, online: nn.Module, momentum: float = 0.99, *, cosine: bool = True, buffers: bool = True) -> None:
        super().__init__()
        if not 0 <= momentum <= 1:
            raise ValueError(f"momentum must lie in [0, 1] (got {momentum})")
        self.network = copy.deepcopy(online).requires_grad_(False)
        self.momentum = momentum
        self.cosine = cosine
        self.buffers_too = buffers

    def forward(self, *inputs: Any) -> Any:
        """Apply the copy, without gradients."""
        with torch.no_grad():
            return self.network(*inputs)

    def momentum_at(self, step: int, steps: int) -> float:
        """Give m for a step, from 0 to `steps`."""
        if not self.cosine:
            return self.momentum
        done = min(max(step / max(steps, 1), 0.0), 1.0)
        return 1 - (1 - self.momentum) * (math.cos(math.pi * done) + 1) / 2

    def follow(self, online: nn.Module, step: int, steps: int) -> None:
        """Move towards the network."""
        with torch.no_grad():
            self._move(online, 1 - self.momentum_at(step, steps))

    def _move(self, online: nn.Module, part: float) -> None:
        for mine, theirs in zip(self.network.parameters(), online.parameters(), strict=True):
            mine.lerp_(theirs, part)
        if not self.buffers_too:
            return
        for mine, theirs in zip(self.network.buffers(), online.buffers(), strict=True):
            if mine.is_floating_point():
                mine.lerp_(theirs, part)
            else:
                mine.copy_(theirs)

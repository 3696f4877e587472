"""`Dropout`: torch's, drawn in the core."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from rlap import _core
from rlap.models.native import core_takes


class Dropout(nn.Dropout):
    """Drop every entry with probability p in training, and scale the others by 1 / (1 - p) (Srivastava et al. 2014).

    torch draws one number after the other, which took a quarter of a step of BGRL. Here a seed is drawn from torch's
    generator, and what it drops follows from the place of an entry. So no mask is stored for the gradient either.
    Where the core cannot help, on a GPU or in half precision, it is torch's own.

    Example:
        >>> import torch
        >>> from rlap.models import Dropout
        >>> sorted(set(Dropout(0.5)(torch.ones(100)).tolist()))
        [0.0, 2.0]
    """

    def forward(self, rows: Tensor) -> Tensor:
        """Drop entries."""
        return self.drop(rows, 0)

    def drop(self, rows: Tensor, begin: int) -> Tensor:
        """Drop entries of rows that come behind `begin` others, which draw from the same seed elsewhere."""
        certain = not self.training or self.p in (0.0, 1.0)
        if begin and not certain and not core_takes(rows):
            raise ValueError(f"rows behind others must be of float32 or float64 on the CPU (got {rows.dtype})")
        if certain or not core_takes(rows):
            return nn.functional.dropout(rows, self.p, self.training)
        seed = int(torch.randint(2**63 - 1, ()))
        width = rows.numel() // max(len(rows), 1)
        dropped: Tensor = _Drop.apply(rows, seed, begin * width, self.p)
        return dropped


class _Drop(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, rows: Tensor, seed: int, begin: int, p: float) -> Tensor:
        ctx.settings = seed, begin, p
        rows = rows.contiguous()
        out = torch.empty_like(rows)
        least = min(round(p * 2**32), 2**32 - 1)
        given, kept = (one.detach().view(-1).numpy() for one in (rows, out))
        _core.drop_entries(given, kept, seed, begin, least, 1 / (1 - p), torch.get_num_threads())
        return out

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None, None]:
        return _Drop.apply(gradients[0], *ctx.settings), None, None, None

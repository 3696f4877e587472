"""The rows of all processes, with gradients."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, distributed

from rlap.training.distributed.world import world


def row_counts(rows: int) -> list[int]:
    """Tell everybody how many rows everybody has."""
    counts = torch.zeros(world().size, dtype=torch.long)
    counts[world().rank] = rows
    distributed.all_reduce(counts)
    found: list[int] = counts.tolist()
    return found


def gather_rows(rows: Tensor) -> Tensor:
    """Put the rows of all processes below each other, in the order of the processes.

    Every process goes on to compute the same loss from all rows, so the gradient that it finds for its own rows is
    complete, and those that it finds for others' are theirs. Averaging the processes' gradients, as
    DistributedDataParallel does, divides by their number: it is put in here.
    """
    gathered: Tensor = _Gather.apply(rows, row_counts(len(rows)))
    return gathered


def add_up(value: Tensor) -> Tensor:
    """Add the values of all processes; the gradient is that of all that was made of the sum, anywhere."""
    total: Tensor = _AddUp.apply(value)
    return total


class _Gather(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, rows: Tensor, counts: list[int]) -> Tensor:
        here = world()
        padded = rows.new_zeros(max(counts), *rows.shape[1:])
        padded[: len(rows)] = rows
        parts = [torch.empty_like(padded) for _ in counts]
        distributed.all_gather(parts, padded)
        ctx.begin, ctx.rows, ctx.size = sum(counts[: here.rank]), len(rows), here.size
        return torch.cat([part[:count] for part, count in zip(parts, counts, strict=True)])

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        return gradients[0][ctx.begin : ctx.begin + ctx.rows] * ctx.size, None


class _AddUp(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, value: Tensor) -> Tensor:
        total = value.clone()
        distributed.all_reduce(total)
        return total

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        total = gradients[0].clone()
        distributed.all_reduce(total)
        return total

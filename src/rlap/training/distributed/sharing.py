"""The loss of a step whose graphs several processes share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, distributed, nn

from rlap.contrast import Side
from rlap.training.distributed.gather import gather_rows, row_counts
from rlap.training.distributed.layers import shared_layers
from rlap.training.distributed.world import World


@contextmanager
def sharing(method: Any, world: World) -> Iterator[Callable[[Any, Any], Tensor]]:
    """Give what computes the loss: the method, or where there are others, the method with their rows added.

    What comes out of two processes is what one gives for the whole batch, up to rounding: negatives are those of all,
    batch norm and dropout see all rows, and gradients are added.
    """
    if world.size == 1:
        yield method
        return
    if not (hasattr(method, "sides") and hasattr(method, "contrast")):
        raise ValueError(f"several processes need a method with `sides` and `contrast` (got {type(method).__name__})")
    with shared_layers(method):
        # A group of its own: gradients are sent while batch norm still waits for answers.
        yield nn.parallel.DistributedDataParallel(_Shared(method), process_group=distributed.new_group())


class _Shared(nn.Module):
    def __init__(self, method: Any) -> None:
        super().__init__()
        self.method = method

    def forward(self, view1: Any, view2: Any) -> Tensor:
        graphs = row_counts(_graphs(view1))
        one, other = self.method.sides(view1, view2, elsewhere=sum(graphs) - _graphs(view1))
        loss: Tensor = self.method.contrast(_everybodys(one, view1, graphs), _everybodys(other, view2, graphs))
        return loss


def _graphs(view: Any) -> int:
    ptr = view.get("ptr")
    return 1 if ptr is None else len(ptr) - 1


def _everybodys(side: Side, view: Any, graphs: list[int]) -> Side:
    """Put together what all processes have of one view; each has so many graphs of it."""
    assert side.noise is None  # there is more than one graph, as every process has one at least
    count = len(view.x)
    ids = torch.arange(count) if side.ids is None else side.ids
    owner = torch.zeros(len(ids), dtype=torch.long) if side.owner is None else side.owner
    rank = distributed.get_rank()
    rows = {
        name: gather_rows(value)
        for name in ("nodes", "graphs", "target_nodes", "target_graphs")
        if (value := getattr(side, name)) is not None
    }
    return replace(
        side,
        **rows,
        ids=gather_rows(ids + sum(row_counts(count)[:rank])),
        owner=gather_rows(owner + sum(graphs[:rank])),
    )

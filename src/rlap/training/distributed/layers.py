"""Layers that look at all rows of a batch, where every process has some of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import torch
from torch import Tensor, nn

from rlap.models import Dropout
from rlap.training.distributed.gather import add_up, row_counts
from rlap.training.distributed.world import world


@contextmanager
def shared_layers(module: nn.Module) -> Iterator[None]:
    """Let batch norm measure the rows of all processes, and dropout draw for all of them, until the block ends.

    torch's own SyncBatchNorm is for GPUs alone. Only `forward` of the layers there are is replaced: their weights, and
    how the module is shown and stored, stay what they are.
    """
    changed: list[nn.Module] = []
    for layer in module.modules():
        for kind, forward in ((nn.BatchNorm1d, _batch_norm), (Dropout, _dropout)):
            if isinstance(layer, kind):
                layer.forward = partial(forward, layer)  # type: ignore[method-assign]
                changed.append(layer)
    try:
        yield
    finally:
        for layer in changed:
            del layer.forward


def _batch_norm(layer: nn.BatchNorm1d, rows: Tensor) -> Tensor:
    if not layer.training:
        return nn.BatchNorm1d.forward(layer, rows)
    count = sum(row_counts(len(rows)))
    mean = add_up(rows.sum(0)) / count
    centred = rows - mean
    variance = add_up(centred.square().sum(0)) / count
    with torch.no_grad():
        layer.num_batches_tracked.add_(1)
        momentum = 1 / float(layer.num_batches_tracked) if layer.momentum is None else layer.momentum
        layer.running_mean.lerp_(mean, momentum)
        layer.running_var.lerp_(variance * (count / max(count - 1, 1)), momentum)
    return centred * (variance + layer.eps).rsqrt() * layer.weight + layer.bias


def _dropout(layer: Dropout, rows: Tensor) -> Tensor:
    # Everybody draws the same seed, as one process does that has all rows: generators stay in step, whoever has which.
    return layer.drop(rows, sum(row_counts(len(rows))[: world().rank]))

"""Supervised networks on many graphs: GIN and GCN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, dropout
from torch_geometric.data import Batch

from rlap.baselines.supervised import Fit, fit_splits
from rlap.baselines.task import Outcome, Task
from rlap.models import GCN, GIN, Encoder, pool

_AT_ONCE = 1024  # graphs, when nothing is learned


def graph_gin(
    task: Task,
    *,
    hidden: int = 32,
    layers: int = 5,
    dropout: float = 0.5,
    lr: float = 0.01,
    weight_decay: float = 0.0,
    epochs: int = 100,
    patience: int = 30,
    batch_size: int = 32,
) -> Outcome:
    """Train the network of Xu et al. 2019 on the labels: the sums of nodes in all layers, and a linear layer."""
    width, classes = task.dataset.num_features, task.dataset.num_classes

    def build() -> nn.Module:
        return Classifier(GIN(width, hidden, layers, jump=True), classes, dropout, "add")

    return fit_splits(task, Graphs(task, build, batch_size), Fit(lr, weight_decay, epochs, patience))


def graph_gcn(
    task: Task,
    *,
    hidden: int = 64,
    layers: int = 3,
    dropout: float = 0.5,
    lr: float = 0.01,
    weight_decay: float = 0.0,
    epochs: int = 100,
    patience: int = 30,
    batch_size: int = 32,
) -> Outcome:
    """Train graph convolutions with batch norm on the labels: the mean of nodes, and a linear layer."""
    width, classes = task.dataset.num_features, task.dataset.num_classes

    def build() -> nn.Module:
        return Classifier(GCN(width, hidden, layers, norm=True), classes, dropout, "mean")

    return fit_splits(task, Graphs(task, build, batch_size), Fit(lr, weight_decay, epochs, patience))


class Classifier(nn.Module):
    """An encoder of nodes, pooling, dropout and a linear layer."""

    def __init__(self, encoder: Encoder, classes: int, drop: float, how: Literal["add", "mean"]) -> None:
        super().__init__()
        self.encoder, self.drop, self.how = encoder, drop, how
        self.last = nn.Linear(encoder.out_features, classes)

    def forward(self, batch: Any) -> Tensor:
        """Give the outputs of a batch of graphs."""
        nodes = self.encoder.embed(batch.x, batch.edge_index)
        pooled = pool(nodes, batch.batch, batch.num_graphs, how=self.how)
        found: Tensor = self.last(dropout(pooled, self.drop, self.training))
        return found


class Graphs:
    """Graphs in batches, in an order that is drawn for every epoch."""

    def __init__(self, task: Task, build: Callable[[], nn.Module], batch_size: int) -> None:
        if batch_size < 1:
            raise ValueError(f"batch_size must be at least 1 (got {batch_size})")
        self._graphs = task.dataset.graphs  # type: ignore[union-attr]
        self._target = torch.from_numpy(task.classes())
        self._make, self._size = build, batch_size

    def build(self) -> nn.Module:
        """Make a network."""
        return self._make()

    def learn(self, model: Any, optimizer: Any, rows: Tensor) -> None:
        """Take a step for every batch."""
        for chosen in rows[torch.randperm(len(rows))].split(self._size):
            optimizer.zero_grad(set_to_none=True)
            cross_entropy(model(self._batch(chosen)), self._target[chosen]).backward()
            optimizer.step()

    def outputs(self, model: Any, rows: Tensor) -> Tensor:
        """Give the outputs for some graphs."""
        return torch.cat([model(self._batch(chosen)) for chosen in rows.split(_AT_ONCE)])

    def _batch(self, rows: Tensor) -> Any:
        return Batch.from_data_list([self._graphs[row] for row in rows.tolist()])

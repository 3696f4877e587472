"""Supervised networks on the nodes of one graph: GCN and GAT."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from rlap.baselines.attention import Attentions
from rlap.baselines.convolution import Convolutions
from rlap.baselines.supervised import Fit, fit_splits
from rlap.baselines.task import Outcome, Task
from rlap.models import gcn_propagation, sparse_features


def node_gcn(
    task: Task,
    *,
    hidden: int = 64,
    dropout: float = 0.5,
    lr: float = 0.01,
    weight_decay: float = 5e-4,
    epochs: int = 300,
    patience: int = 50,
) -> Outcome:
    """Train the two graph convolutions of Kipf and Welling 2017 on the labels."""
    data = task.dataset.data  # type: ignore[union-attr]
    propagation = gcn_propagation(data.edge_index, None, data.num_nodes, torch.float32)
    width, classes = task.dataset.num_features, task.dataset.num_classes
    problem = Nodes(task, lambda: Convolutions(width, hidden, classes, dropout), propagation)
    return fit_splits(task, problem, Fit(lr, weight_decay, epochs, patience))


def node_gat(
    task: Task,
    *,
    hidden: int = 8,
    heads: int = 8,
    dropout: float = 0.6,
    lr: float = 0.005,
    weight_decay: float = 5e-4,
    epochs: int = 300,
    patience: int = 50,
) -> Outcome:
    """Train the two attention layers of Velickovic et al. 2018 on the labels."""
    edge_index = task.dataset.data.edge_index  # type: ignore[union-attr]
    width, classes = task.dataset.num_features, task.dataset.num_classes
    problem = Nodes(task, lambda: Attentions(width, hidden, classes, heads, dropout), edge_index)
    return fit_splits(task, problem, Fit(lr, weight_decay, epochs, patience))


class Nodes:
    """All nodes in one step; a network is called with the features and the edges in its own form."""

    def __init__(self, task: Task, build: Callable[[], nn.Module], edges: Any) -> None:
        self._x = sparse_features(task.dataset.data.x)  # type: ignore[union-attr]
        self._target = torch.from_numpy(task.classes())
        self._make, self._edges = build, edges

    def build(self) -> nn.Module:
        """Make a network."""
        return self._make()

    def learn(self, model: Any, optimizer: Any, rows: Tensor) -> None:
        """Take one step."""
        optimizer.zero_grad(set_to_none=True)
        cross_entropy(model(self._x, self._edges)[rows], self._target[rows]).backward()
        optimizer.step()

    def outputs(self, model: Any, rows: Tensor) -> Tensor:
        """Give the outputs for some nodes."""
        found: Tensor = model(self._x, self._edges)[rows]
        return found

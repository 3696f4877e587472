"""A small method with everything that training must keep: dropout, batch norm, a moving target, noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch_geometric.data import Batch, Data

import rlap.transforms as T


class Standin(nn.Module):
    """Embeds a node by the mean of its neighbours' features; pulls two views together and noise apart."""

    def __init__(self, features: int, hidden: int = 6, views: Any = None, level: str = "node") -> None:
        super().__init__()
        self.views = views or T.TwoViews(T.Compose([T.RLap(0.3), T.FeatureMasking(0.2)]))
        self.layers = nn.Sequential(nn.Linear(features, hidden), nn.BatchNorm1d(hidden), nn.PReLU(), nn.Dropout(0.2))
        self.register_buffer("target", torch.zeros(hidden))
        self.level = level
        self.steps: list[tuple[int, int]] = []
        self.batches: list[list[int]] = []

    def embed(self, data: Any) -> Tensor:
        row, col = data.edge_index
        mixed = data.x.index_add(0, row, data.x[col])
        hidden = self.layers(mixed)
        if self.level == "node":
            return hidden
        return hidden.new_zeros(data.num_graphs, hidden.shape[1]).index_add(0, data.batch, hidden)

    def forward(self, one: Any, other: Any) -> Tensor:
        if "name" in one:
            self.batches.append(one.name.tolist())
        first, second = self.embed(one), self.embed(other)
        noise = torch.randn_like(first)
        pull = 1 - F.cosine_similarity(first, second).mean() + 0.1 * F.cosine_similarity(first, noise).mean()
        self.mean = second.detach().mean(0)
        return pull + 0.01 * (first.mean(0) - self.target).pow(2).sum()

    def after_step(self, step: int, steps: int) -> None:
        self.steps.append((step, steps))
        self.target.lerp_(self.mean, 0.1)


@dataclass(frozen=True)
class Nodes:
    """A node set."""

    data: Data
    level: str = "node"
    checksum: str = "nodes"


@dataclass(frozen=True)
class Graphs:
    """A graph set."""

    graphs: list[Data]
    level: str = "graph"
    checksum: str = "graphs"


def ring(nodes: int, seed: int = 0, name: int = 0) -> Data:
    """A ring with random features, which knows its name."""
    at = torch.arange(nodes)
    edge_index = torch.cat([torch.stack([at, at.roll(1)]), torch.stack([at.roll(1), at])], dim=1)
    x = torch.randn(nodes, 5, generator=torch.Generator().manual_seed(seed))
    return Data(x=x, edge_index=edge_index, name=torch.tensor([name]))


def nodes() -> Nodes:
    return Nodes(ring(40))


def graphs(count: int = 11) -> Graphs:
    return Graphs([ring(5 + number % 4, seed=number, name=number) for number in range(count)])


def make(dataset: Nodes | Graphs, seed: int = 0, **options: Any) -> Standin:
    """Build with fixed weights."""
    torch.manual_seed(seed)
    return Standin(5, level=dataset.level, **options)


def as_batch(dataset: Graphs) -> Batch:
    return Batch.from_data_list(dataset.graphs)

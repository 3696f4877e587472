"""What `load` gives: one graph with labelled nodes, or many labelled graphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import torch
from torch import Tensor
from torch_geometric.data import Data

from rlap.datasets.content import digest


@dataclass(frozen=True, eq=False)
class NodeSet:
    """One graph whose nodes have labels.

    Attributes:
        name: the name in the registry.
        data: `x`, `edge_index` (undirected, sorted, without self-loops) and `y`.
        num_classes: how many labels there are.
    """

    level: ClassVar[Literal["node"]] = "node"
    name: str
    data: Any
    num_classes: int

    @property
    def labels(self) -> Tensor:
        """The label of every node."""
        labels: Tensor = self.data.y
        return labels

    @property
    def num_features(self) -> int:
        """The width of the features."""
        return int(self.data.x.shape[1])

    @cached_property
    def checksum(self) -> str:
        """A SHA-256 of features, edges and labels; the same for dense and sparse features."""
        return digest([self.data])


@dataclass(frozen=True, eq=False)
class GraphSet:
    """Many graphs, each with a label.

    Attributes:
        name: the name in the registry.
        graphs: each has `x`, `edge_index` and `y` of one entry. They are in the order of the files, which for most
            sets is the order of their labels: shuffle them for training.
        num_classes: how many labels there are.
    """

    level: ClassVar[Literal["graph"]] = "graph"
    name: str
    graphs: list[Any]
    num_classes: int

    @cached_property
    def labels(self) -> Tensor:
        """The label of every graph."""
        return torch.cat([graph.y for graph in self.graphs])

    @property
    def num_features(self) -> int:
        """The width of the features."""
        return int(self.graphs[0].x.shape[1])

    @cached_property
    def checksum(self) -> str:
        """A SHA-256 of features, edges and labels of all graphs."""
        return digest(self.graphs)


def cut(x: Tensor, edge_index: Tensor, labels: Tensor, nodes: Sequence[int], edges: Sequence[int]) -> list[Any]:
    """Make the graphs of a set that share long tensors; `nodes` and `edges` say how many each has."""
    parts = zip(x.split(list(nodes)), edge_index.split(list(edges), dim=1), labels.split(1), strict=True)
    return [Data(x=features, edge_index=ends, y=label) for features, ends, label in parts]

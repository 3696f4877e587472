"""The edges that join nodes of one type: what a view can be made of."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch_geometric.data import Data, HeteroData


@dataclass(frozen=True)
class Relation:
    """Edges, and the nodes that they join. For `Data` both are the same store."""

    edges: Any
    nodes: Any
    num_nodes: int

    def graphs(self) -> dict[str, Any]:
        """Say, in the arguments of `schur_view`, which nodes belong to which graph of a batch."""
        for key in ("ptr", "batch"):
            if key in self.nodes:
                return {key: self.nodes[key]}
        return {}


def find_relations(data: Any) -> list[Relation]:
    """Find the edges of a `Data`, or all edge types of a `HeteroData` that join nodes of one type."""
    if isinstance(data, HeteroData):
        types = [edge_type for edge_type in data.edge_types if edge_type[0] == edge_type[-1]]
        if not types:
            raise ValueError(f"the data must have an edge type that joins nodes of one type (got {data.edge_types})")
        return [_relation(data[edge_type], data[edge_type[0]], f" of {edge_type}") for edge_type in types]
    if isinstance(data, Data):
        return [_relation(data.edge_stores[0], data.node_stores[0], "")]
    raise TypeError(f"the data must be a Data, a HeteroData or a Batch of them (got {type(data).__name__})")


def _relation(edges: Any, nodes: Any, whose: str) -> Relation:
    if "edge_index" not in edges:
        raise ValueError(f"the data must have an edge_index{whose} (got {sorted(edges.keys())})")
    index = edges.edge_index
    if not isinstance(index, Tensor) or index.dim() != 2 or index.shape[0] != 2:
        raise ValueError(
            f"edge_index{whose} must be a tensor of the shape (2, E) (got {getattr(index, 'shape', index)})"
        )
    if index.is_floating_point() or index.is_complex() or index.dtype == torch.bool:
        raise TypeError(f"edge_index{whose} must hold integers (got {index.dtype})")
    _check_devices(edges, nodes, whose)
    return Relation(edges, nodes, _count_nodes(nodes, whose))


def _count_nodes(nodes: Any, whose: str) -> int:
    if "num_nodes" in nodes:
        return int(nodes.num_nodes)
    x = nodes.get("x")
    if isinstance(x, Tensor) and x.dim() > 0:
        return len(x)
    with warnings.catch_warnings():
        # PyG warns before it guesses the number of nodes from the edges, and then the last nodes may be missing.
        warnings.filterwarnings("error", message="Unable to accurately infer 'num_nodes'")
        try:
            return int(nodes.num_nodes)
        except UserWarning:
            found = sorted(nodes.keys())
            raise ValueError(f"the data must have num_nodes or node features{whose} (got only {found})") from None


def _check_devices(edges: Any, nodes: Any, whose: str) -> None:
    device = edges.edge_index.device
    for key, value in [*nodes.items(), *(() if edges is nodes else edges.items())]:
        if isinstance(value, Tensor) and value.device != device:
            raise ValueError(
                f"all of the data{whose} must lie where edge_index does, {device} (got {key} on {value.device})"
            )

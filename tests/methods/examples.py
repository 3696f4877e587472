"""Small graphs with features, and views of them that are written by hand."""

from __future__ import annotations

import torch
from torch_geometric.data import Batch, Data

from tests.graphs import random_graph


def graph(size, seed, width=4, dtype=torch.float64):
    made = random_graph(size, min(2 * size, size * (size - 1) // 2), seed=seed)
    random = torch.Generator().manual_seed(seed)
    return Data(
        x=torch.randn(size, width, generator=random, dtype=dtype),
        edge_index=torch.from_numpy(made.edge_index),
        edge_weight=torch.from_numpy(made.edge_weight).to(dtype),
    )


def batch(sizes=(7, 9, 8, 6), dtype=torch.float64):
    return Batch.from_data_list([graph(size, seed, dtype=dtype) for seed, size in enumerate(sizes)])


def without(data, dropped):
    """Drop nodes by hand: their edges go, and the mask is false."""
    view = data.clone()
    view.node_mask = torch.ones(data.num_nodes, dtype=torch.bool)
    view.node_mask[list(dropped)] = False
    inside = view.node_mask[data.edge_index].all(0)
    view.edge_index, view.edge_weight = data.edge_index[:, inside], data.edge_weight[inside]
    return view

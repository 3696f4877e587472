"""Data that the tests of all transforms share."""

from __future__ import annotations

import torch
from torch_geometric.data import Batch, Data, HeteroData

from tests.graphs import random_graph

GRAPHS = [random_graph(size, min(2 * size, size * (size - 1) // 2), seed=size) for size in (9, 2, 16, 5, 23)]
SIZES = [graph.num_nodes for graph in GRAPHS]
TAGS = 1000.0  # the tag of the edge (u, v) is TAGS * u + v, in the numbers of its own graph


def data_of(graph, label=0):
    index = torch.from_numpy(graph.edge_index)
    nodes = graph.num_nodes
    return Data(
        x=torch.randn(nodes, 3, generator=torch.Generator().manual_seed(nodes)),
        edge_index=index,
        edge_weight=torch.from_numpy(graph.edge_weight).float(),
        edge_attr=(TAGS * index[0] + index[1])[:, None],
        y=torch.tensor([label]),
        pos=torch.arange(2.0 * nodes).view(nodes, 2),
        train_mask=torch.arange(nodes) % 3 == 0,
        names=[f"{label}:{node}" for node in range(nodes)],
    )


def single():
    return data_of(GRAPHS[2], label=7)


def batch(**options):
    return Batch.from_data_list([data_of(graph, label) for label, graph in enumerate(GRAPHS)], **options)


def hetero():
    data = HeteroData()
    for name, graph in (("cites", GRAPHS[0]), ("shares", random_graph(9, 14, seed=3))):
        index = torch.from_numpy(graph.edge_index)
        data["paper", name, "paper"].edge_index = index
        data["paper", name, "paper"].edge_attr = TAGS * index[0] + index[1]
    data["paper", "shares", "paper"].edge_weight = (torch.rand(index.shape[1] // 2) + 0.5).repeat(2)
    data["paper"].x = torch.randn(9, 2)
    data["paper"].y = torch.arange(9)
    data["author"].x = torch.randn(4, 2)
    data["author", "writes", "paper"].edge_index = torch.stack([torch.arange(9) % 4, torch.arange(9)])
    data["author", "writes", "paper"].edge_attr = torch.arange(9)
    return data


def edge_set(index):
    return list(map(tuple, index.t().tolist()))

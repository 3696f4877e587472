"""`VertexCoarsening` and `WalkSchur` give what the functions of these names give."""

from __future__ import annotations

import torch

import rlap
from rlap.transforms import VertexCoarsening, WalkSchur
from tests.graphs import random_graph


def dense(data):
    matrix = torch.zeros(data.num_nodes, data.num_nodes, dtype=torch.float64)
    matrix[data.edge_index[0], data.edge_index[1]] = data.edge_weight.double()
    return matrix.numpy()


def data_of(graph):
    from torch_geometric.data import Data

    weight = torch.from_numpy(graph.edge_weight)
    return Data(edge_index=torch.from_numpy(graph.edge_index), edge_weight=weight, num_nodes=graph.num_nodes)


def test_vertex_coarsening():
    graph = random_graph(30, 70, seed=1)
    for seed in range(3):
        expected = rlap.vertex_coarsening(graph.sparse, fraction=0.5, rng=seed)
        assert (dense(VertexCoarsening(0.5, seed=seed)(data_of(graph))) == expected.toarray()).all()


def test_walk_schur():
    graph = random_graph(30, 70, seed=1)
    for seed in range(3):
        result = WalkSchur(0.5, seed=seed)(data_of(graph))
        expected = rlap.walk_schur(graph.sparse, keep=result.node_mask.numpy(), rng=seed)
        assert (dense(result) == expected.toarray()).all()

"""The subgraph is induced by what walks visit, with the probabilities of the chain."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch_geometric.data import Data
from torch_geometric.utils import subgraph

from rlap.transforms import RandomWalkSubgraph
from tests.graphs import SMALL, random_graph
from tests.significance import assert_counts
from tests.transforms.examples import SIZES, batch, data_of, single

TRIALS = 3000


def visit_probabilities(weights, length, restart):
    """The chance that a walk from a uniform start visits each node: one minus that of the chain without that node."""
    nodes = len(weights)
    degree = weights.sum(axis=1)
    step = np.where(degree[:, None] > 0, weights / np.where(degree > 0, degree, 1)[:, None], np.eye(nodes))
    result = np.zeros(nodes)
    for start in range(nodes):
        chain = (1 - restart) * step
        chain[:, start] += restart
        for target in range(nodes):
            avoid = chain.copy()
            avoid[:, target] = 0
            stay = np.eye(nodes)[start] * (start != target)
            result[target] += 1 - (stay @ np.linalg.matrix_power(avoid, length)).sum()
    return result / nodes


@pytest.mark.parametrize("restart", [0.0, 0.3])
@pytest.mark.parametrize("graph", [one for one in SMALL if one.name in ("weighted", "star", "isolated")], ids=str)
def test_nodes_are_visited_as_often_as_the_chain_says(graph, restart):
    weight = None if graph.edge_weight is None else torch.from_numpy(graph.edge_weight)
    data = Data(edge_index=torch.from_numpy(graph.edge_index), edge_weight=weight, num_nodes=graph.num_nodes)
    times = np.zeros(graph.num_nodes, dtype=np.int64)
    for seed in range(TRIALS):
        times += RandomWalkSubgraph(num_seeds=1, walk_length=3, restart=restart, seed=seed)(data).node_mask.numpy()
    assert_counts(times, visit_probabilities(graph.dense, 3, restart), TRIALS)


def test_it_is_the_induced_subgraph():
    data = single()
    result = RandomWalkSubgraph(0.2, walk_length=3, seed=1)(data)
    assert 3 < int(result.node_mask.sum()) < 16
    index, weight = subgraph(result.node_mask, data.edge_index, data.edge_weight, num_nodes=16)
    assert torch.equal(result.edge_index, index)
    assert torch.equal(result.edge_weight, weight)


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({"fraction": 0.5}, lambda nodes: max(1, nodes // 2)),
        ({"fraction": 0.0}, lambda nodes: 1),
        ({"num_seeds": 7}, lambda nodes: min(7, nodes)),
    ],
)
def test_starts_are_different_nodes_of_every_graph(options, count):
    """Walks without steps visit where they start."""
    graphs = RandomWalkSubgraph(**options, walk_length=0, seed=1)(batch()).to_data_list()
    assert [int(graph.node_mask.sum()) for graph in graphs] == [count(nodes) for nodes in SIZES]


def test_the_order_and_direction_of_the_edges_and_loops_do_not_matter():
    """The same walks on both directions, sorted; on one direction, shuffled; and with loops."""
    data = single()
    up = data.edge_index[:, data.edge_index[0] < data.edge_index[1]]
    up = up[:, torch.randperm(up.shape[1], generator=torch.Generator().manual_seed(0))]
    loops = torch.cat([torch.arange(16).repeat(2, 1), up], dim=1)
    for seed in range(20):
        transform = RandomWalkSubgraph(num_seeds=1, walk_length=4, seed=seed)
        masks = [transform(Data(edge_index=index, num_nodes=16)).node_mask for index in (data.edge_index, up, loops)]
        assert 1 <= int(masks[0].sum()) <= 5
        assert torch.equal(masks[0], masks[1])
        assert torch.equal(masks[0], masks[2])


def test_a_walk_that_always_returns_stays():
    data = single()
    kept = [RandomWalkSubgraph(num_seeds=1, restart=1.0, seed=seed)(data).node_mask for seed in range(20)]
    assert [int(mask.sum()) for mask in kept] == [1] * 20


def test_threads_do_not_matter():
    data = data_of(random_graph(3000, 9000, seed=1))
    one, *others = (RandomWalkSubgraph(0.9, seed=3, num_threads=threads)(data).node_mask for threads in (1, 2, 7, 0))
    for other in others:
        assert torch.equal(one, other)


def test_bad_arguments_are_refused():
    for bad in ({}, {"fraction": 0.5, "num_seeds": 3}):
        with pytest.raises(ValueError, match="exactly one of fraction and num_seeds"):
            RandomWalkSubgraph(**bad)
    with pytest.raises(ValueError, match=r"num_seeds must be at least 1 \(got 0\)"):
        RandomWalkSubgraph(num_seeds=0)
    with pytest.raises(ValueError, match=r"walk_length must lie in \[0, 2\*\*31\) \(got -1\)"):
        RandomWalkSubgraph(0.5, walk_length=-1)
    with pytest.raises(ValueError, match=r"restart must lie in \[0, 1\] \(got 2.0\)"):
        RandomWalkSubgraph(0.5, restart=2)

"""Edges go as often as they should, in pairs, independently."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch_geometric.data import Data

from rlap.transforms import EdgeDropping, NodeDropping
from tests.graphs import KARATE
from tests.significance import assert_counts

TRIALS = 2000
ROW, COL = KARATE.edge_index


def karate():
    index = torch.from_numpy(KARATE.edge_index)
    return Data(edge_index=index, edge_id=torch.arange(index.shape[1]), num_nodes=34)


def kept_edges(transform):
    """One row for every view, one column for every edge."""
    kept = np.zeros((TRIALS, len(ROW)), dtype=bool)
    for trial in range(TRIALS):
        kept[trial, transform(trial)(karate()).edge_id.numpy()] = True
    return kept


@pytest.mark.parametrize("directed", [False, True])
def test_frequencies_of_edges_and_of_pairs_of_edges(directed):
    p = 0.3
    kept = kept_edges(lambda seed: EdgeDropping(p, directed=directed, seed=seed))
    half = len(ROW) // 2  # the second half are the reverse edges
    if directed:
        both = (kept[:, :half] & kept[:, half:]).sum(axis=0)
        assert_counts(both, np.full(half, (1 - p) ** 2), TRIALS)
    else:
        assert np.array_equal(kept[:, :half], kept[:, half:])
    assert_counts(kept.sum(axis=0), np.full(len(ROW), 1 - p), TRIALS)
    # Independent: any two edges stay together with the product of the probabilities.
    one = kept[:, :half].astype(np.int64)
    together = (one.T @ one)[np.triu_indices(half, 1)]
    assert_counts(together, np.full(together.size, (1 - p) ** 2), TRIALS)


def test_repeated_edges_loops_and_one_way_edges():
    index = torch.tensor([[0, 0, 1, 2, 2], [1, 1, 0, 2, 0]])
    for seed in range(50):
        kept = EdgeDropping(0.5, seed=seed)(
            Data(edge_index=index, edge_id=torch.arange(5), num_nodes=3)
        ).edge_id.tolist()
        assert len({0, 1, 2} & set(kept)) in (0, 3)


def test_order_of_the_edges_does_not_matter():
    shuffled = karate().edge_index[:, torch.randperm(len(ROW), generator=torch.Generator().manual_seed(0))]
    one = EdgeDropping(0.5, seed=3)(karate()).edge_index
    other = EdgeDropping(0.5, seed=3)(Data(edge_index=shuffled, num_nodes=34)).edge_index
    assert set(map(tuple, one.t().tolist())) == set(map(tuple, other.t().tolist()))


def test_one_seed_does_not_couple_edges_and_nodes():
    """Were the number of node i that of the edge (0, i), these edges would go exactly with their nodes."""
    star = Data(edge_index=torch.stack([torch.zeros(4000, dtype=torch.long), torch.arange(1, 4001)]), num_nodes=4001)
    edges = EdgeDropping(0.5, seed=1)(star).edge_index[1].numpy()
    nodes = NodeDropping(0.5, seed=1)(star).node_mask.numpy()
    assert_counts(np.array([nodes[edges].sum()]), np.array([0.5]), len(edges))


def test_neighbouring_seeds_are_independent():
    path = Data(
        edge_index=torch.stack([torch.arange(4000), torch.arange(1, 4001)]), edge_id=torch.arange(4000), num_nodes=4001
    )
    first, second = (set(EdgeDropping(0.5, seed=seed)(path).edge_id.tolist()) for seed in (0, 1))
    assert_counts(np.array([len(first & second)]), np.array([0.25]), 4000)

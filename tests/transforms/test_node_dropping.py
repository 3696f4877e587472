"""Nodes go as often as they should, and the rest is the induced subgraph."""

from __future__ import annotations

import numpy as np
import torch
from torch_geometric.data import Data
from torch_geometric.utils import subgraph

from rlap.transforms import Compose, NodeDropping
from tests.graphs import KARATE
from tests.significance import assert_counts
from tests.transforms.examples import hetero, single

TRIALS = 2000


def test_frequencies_of_nodes_and_of_pairs():
    data = Data(edge_index=torch.from_numpy(KARATE.edge_index), num_nodes=34)
    kept = np.stack([NodeDropping(0.3, seed=seed)(data).node_mask.numpy() for seed in range(TRIALS)]).astype(np.int64)
    assert_counts(kept.sum(axis=0), np.full(34, 0.7), TRIALS)
    together = (kept.T @ kept)[np.triu_indices(34, 1)]
    assert_counts(together, np.full(together.size, 0.49), TRIALS)


def test_the_rest_is_the_induced_subgraph():
    data = single()
    result = NodeDropping(0.4, seed=2)(data)
    index, weight = subgraph(result.node_mask, data.edge_index, data.edge_weight, num_nodes=16)
    assert torch.equal(result.edge_index, index)
    assert torch.equal(result.edge_weight, weight)


def test_hetero_data_is_the_induced_subgraph():
    data = hetero()
    result = NodeDropping(0.4, relabel=True, seed=2)(data)
    kept = NodeDropping(0.4, seed=2)(data)["paper"].node_mask
    expected = data.subgraph({"paper": kept})
    for kind in expected.edge_types:
        assert torch.equal(result[kind].edge_index, expected[kind].edge_index)
        assert torch.equal(result[kind].edge_attr, expected[kind].edge_attr)
    assert torch.equal(result["paper"].x, expected["paper"].x)


def test_what_one_has_dropped_stays_dropped():
    data = single()
    first, both = NodeDropping(0.4, seed=2)(data), Compose([NodeDropping(0.4, seed=2), NodeDropping(0.4, seed=3)])(data)
    assert torch.equal(both.node_mask, first.node_mask & NodeDropping(0.4, seed=3)(data).node_mask)

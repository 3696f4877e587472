"""New edges are as many as they should be, new, inside of their graph, and any pair is as likely as any other."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data
from torch_geometric.utils import coalesce

from rlap.transforms import EdgeAddition
from tests.significance import assert_counts
from tests.transforms.examples import GRAPHS, batch, edge_set, single

TRIALS = 3000


def test_every_missing_pair_is_equally_likely():
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (2, 5)]
    index = torch.tensor(edges + [(v, u) for u, v in edges]).t()
    missing = [(u, v) for v in range(7) for u in range(v) if (u, v) not in edges]
    times = dict.fromkeys(missing, 0)
    for seed in range(TRIALS):
        result = EdgeAddition(0.5, seed=seed)(Data(edge_index=index, num_nodes=7)).edge_index
        assert torch.equal(result[:, :12], index)
        added = {tuple(sorted(pair)) for pair in edge_set(result[:, 12:])}
        assert len(added) == 3
        for pair in added:
            times[pair] += 1
    assert_counts(np.array(list(times.values())), np.full(len(missing), 3 / len(missing)), TRIALS)


@pytest.mark.parametrize("p", [0.0, 0.1, 0.5, 1.0])
def test_counts_in_a_batch_and_no_repetition(p):
    result = EdgeAddition(p, seed=2)(batch())
    for graph, source in zip(result.to_data_list(), GRAPHS, strict=True):
        old, nodes = len(source.edges), source.num_nodes
        assert graph.num_edges == 2 * (old + min(int(p * old), nodes * (nodes - 1) // 2 - old))
        assert coalesce(graph.edge_index).shape == graph.edge_index.shape
        assert not graph.has_self_loops()


def test_new_edges_weigh_one_and_have_no_attributes():
    data = single()
    result = EdgeAddition(0.5, seed=2)(data)
    assert torch.equal(result.edge_weight[: data.num_edges], data.edge_weight)
    assert result.edge_weight[data.num_edges :].unique().tolist() == [1.0]
    assert result.edge_attr[data.num_edges :].unique().tolist() == [0.0]


def test_a_complete_graph_has_nothing_to_add_and_large_numbers_are_exact():
    full = torch.tensor([(u, v) for u in range(5) for v in range(5) if u != v]).t()
    assert EdgeAddition(1.0)(Data(edge_index=full, num_nodes=5)).num_edges == 20
    nodes = 2_000_000  # pairs have numbers up to 2e12, where the root must not be rounded to a wrong node
    chain = torch.stack([torch.arange(10_000), torch.arange(10_000) + nodes - 10_001])
    added = EdgeAddition(1.0, seed=0)(Data(edge_index=chain, num_nodes=nodes)).edge_index[:, 10_000:]
    assert added.shape[1] == 20_000
    assert 0 <= int(added.min()) < int(added.max()) < nodes
    assert (added[0, :10_000] < added[1, :10_000]).all()
    assert coalesce(added).shape == added.shape


def test_directed_is_what_the_scripts_do():
    source = batch()
    result = EdgeAddition(0.5, directed=True, seed=1)(source)
    new = result.edge_index[:, source.num_edges :]
    assert new.shape[1] == source.num_edges // 2
    assert (source.batch[new[0]] != source.batch[new[1]]).any()
    with pytest.raises(RuntimeError, match="Cannot reconstruct"):
        result.to_data_list()
    assert len(source.to_data_list()) == len(GRAPHS)


def test_attributes_that_cannot_be_filled_are_refused():
    data = Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=3)
    data.edge_names = ["a", "b"]
    with pytest.raises(TypeError, match=r"attributes that are no tensors \(got 'edge_names'\)"):
        EdgeAddition(1.0)(data)
    assert (
        EdgeAddition(0.5)(Batch.from_data_list([Data(edge_index=torch.tensor([[0], [0]]), num_nodes=1)])).num_edges == 1
    )

"""Probabilities follow the paper's equation, with the centralities of NetworkX, which are computed once a graph."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
import torch
from torch_geometric.data import Batch, Data

import rlap.transforms as T
from rlap.centrality import centrality_of_edges
from rlap.transforms import adaptive_edge_dropping
from rlap.transforms.coins import Coins
from rlap.transforms.content_cache import known
from tests.graphs import KARATE, random_graph
from tests.significance import assert_counts

TRIALS = 2000
NAMES = {"EdgeDroppingDegree": "degree", "EdgeDroppingEVC": "eigenvector", "EdgeDroppingPR": "pagerank"}


def networkx_of(graph):
    made = nx.Graph()
    made.add_nodes_from(range(graph.num_nodes))
    made.add_weighted_edges_from(graph.edges)
    return made


def equation(graph, name, p, threshold, sink_only):
    """The paper's equation, entry by entry, on NetworkX' centralities."""
    made = networkx_of(graph)
    score = {
        "degree": lambda: dict(made.degree()),
        "eigenvector": lambda: nx.eigenvector_centrality_numpy(made, weight="weight"),
        "pagerank": lambda: nx.pagerank(made, weight="weight", tol=1e-14, max_iter=10_000),
    }[name]()
    ends = zip(*graph.edge_index.tolist(), strict=True)
    logs = np.log([score[v] if sink_only else (score[u] + score[v]) / 2 for u, v in ends])
    return np.minimum((logs.max() - logs) / (logs.max() - logs.mean()) * p, threshold)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sink_only", [False, True])
def test_frequencies_follow_the_equation(name, sink_only):
    graph = random_graph(34, 78, seed=2)
    index = torch.from_numpy(graph.edge_index)
    data = Data(edge_index=index, edge_weight=torch.from_numpy(graph.edge_weight), num_nodes=34)
    data.edge_id = torch.arange(156)
    expected = equation(graph, NAMES[name], 0.4, 0.6, sink_only)
    assert (expected == 0.6).any()  # the cut is put to the test
    kept = np.zeros((TRIALS, 156), dtype=bool)
    for trial in range(TRIALS):
        kept[trial, T.get(name, 0.4, 0.6, sink_only=sink_only, seed=trial)(data).edge_id.numpy()] = True
    assert_counts((~kept).sum(axis=0), expected, TRIALS)
    assert np.array_equal(kept[:, :78], kept[:, 78:]) != sink_only


@pytest.mark.parametrize("name", NAMES)
def test_edges_that_are_all_alike_go_with_the_probability_p(name):
    cycle = np.arange(60)
    index = np.concatenate([[cycle, (cycle + 1) % 60], [(cycle + 1) % 60, cycle]], axis=1)
    data = Data(edge_index=torch.from_numpy(index), num_nodes=63)  # with lone nodes
    kept = sum(T.get(name, 0.3, seed=seed)(data).num_edges // 2 for seed in range(200))
    assert_counts(np.array([kept]), np.array([0.7]), 200 * 60)
    kept = sum(T.get(name, 0.9, seed=seed)(data).num_edges // 2 for seed in range(200))
    assert_counts(np.array([kept]), np.array([0.3]), 200 * 60)


@pytest.mark.parametrize("name", NAMES)
def test_an_edge_of_one_direction_counts_like_one_of_both(name):
    """Dropping half of the directions of a graph, and loops in it, leave the probabilities of the other half."""
    graph = random_graph(34, 78, seed=2)
    index = torch.from_numpy(graph.edge_index)
    both = Data(edge_index=index, edge_weight=torch.from_numpy(graph.edge_weight), num_nodes=34)
    loops = torch.arange(34).repeat(2, 1)
    some = Data(
        edge_index=torch.cat([index[:, :78], loops], dim=1),
        edge_weight=torch.cat([both.edge_weight[:78], torch.full((34,), 7.0)]),
        num_nodes=34,
    )
    transform = T.get(name, 0.1, threshold=1.0)  # small, so that nothing is cut
    whole, part = (transform._leasts(data, Coins(np.array([0, 34]), 0)) * 10 / 2.0**53 for data in (both, some))
    # The maximum and the mean run over the edges that are there, so only the order and the ratios of gaps remain.
    chosen = part[:78]
    slope = np.polyfit(whole[:78], chosen, 1)
    np.testing.assert_allclose(np.polyval(slope, whole[:78]), chosen, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_parts_without_centrality_are_finite(name):
    """The eigenvector is zero outside of its component, and a logarithm must not make that infinite."""
    block = sp.block_diag([KARATE.sparse, np.array([[0.0, 1.0], [1.0, 0.0]])], format="coo")
    data = Data(edge_index=torch.from_numpy(np.stack([block.row, block.col]).astype(np.int64)), num_nodes=37)
    kept = [T.get(name, 0.3, seed=seed)(data).num_edges for seed in range(100)]
    assert 0 < min(kept) < max(kept) <= 158


def test_centralities_are_computed_once_for_the_same_content(monkeypatch):
    calls = []

    def counted(*args, **options):
        calls.append(args)
        return centrality_of_edges(*args, **options)

    monkeypatch.setattr(adaptive_edge_dropping, "centrality_of_edges", counted)
    for cache in ("_RATIOS", "_LEASTS"):
        monkeypatch.setattr(adaptive_edge_dropping, cache, adaptive_edge_dropping.ContentCache())
    graph = random_graph(50, 120, seed=8)
    index = torch.from_numpy(graph.edge_index.copy())
    for _ in range(3):
        T.EdgeDroppingPR(0.3)(Data(edge_index=index.clone(), num_nodes=50))
    assert len(calls) == 1
    T.EdgeDroppingPR(0.3)(Data(edge_index=index, num_nodes=51))
    T.EdgeDroppingEVC(0.3)(Data(edge_index=index, num_nodes=50))
    T.EdgeDroppingPR(0.3)(Data(edge_index=index, edge_weight=torch.ones(240), num_nodes=50))
    assert len(calls) == 4
    T.EdgeDroppingPR(0.4, threshold=0.5)(Data(edge_index=index, num_nodes=50))
    assert len(calls) == 4
    T.EdgeDroppingEVC(0.3)(Data(edge_index=index, num_nodes=51))  # the same tensor, and another graph
    assert len(calls) == 5
    index[1, 101] = (index[1, 101] + 1) % 50  # in place
    changed = Data(edge_index=index, num_nodes=50)
    T.EdgeDroppingPR(0.3)(changed)
    assert len(calls) == 6
    T.EdgeDroppingPR(0.3)(Batch.from_data_list([changed] * 3))
    assert len(calls) == 6
    others = [Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=size) for size in (2, 3)]
    batch = Batch.from_data_list([others[0], changed, others[1]])
    T.EdgeDroppingPR(0.3)(batch)
    T.EdgeDroppingPR(0.3)(batch)
    assert len(calls) == 7  # both unknown ones at once
    assert calls[-1][0].tolist() == [[0, 1, 2, 3], [1, 0, 3, 2]]


def test_a_tensor_is_known_until_it_changes():
    tensor = torch.arange(2000).view(2, 1000)
    array = tensor.numpy()
    made = []

    def ask():
        return known(tensor, array, lambda: made.append(0) or len(made))

    assert [ask(), ask()] == [1, 1]
    tensor[1, 1] += 1
    assert [ask(), ask()] == [2, 2]
    array[0] += 1  # torch does not count this, but it is everywhere
    assert [ask(), ask()] == [3, 3]


def test_tensors_whose_changes_torch_does_not_count():
    with torch.inference_mode():
        data = Data(edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3)
        assert T.EdgeDroppingEVC(0.0)(data).num_edges == 4


def test_the_cache_forgets_the_least_recently_used():
    cache = adaptive_edge_dropping.ContentCache(size=3 * (8000 + 1024))
    made = []

    def ask(number):
        def make():
            made.append(number)
            return (np.zeros(1000),)

        cache.get(number, make)

    for number in (0, 1, 2, 0, 3, 0, 1):
        ask(number)
    assert made == [0, 1, 2, 3, 1]


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match=r"threshold must lie in \[0, 1\] \(got 1.2\)"):
        T.EdgeDroppingPR(0.3, threshold=1.2)
    data = Data(edge_index=torch.tensor([[0, 1], [1, 0]]), edge_weight=torch.tensor([1.0, -2.0]), num_nodes=2)
    for name in NAMES:
        with pytest.raises(ValueError, match=r"edge_weight must be positive and finite \(got -2.0 at edge 1\)"):
            T.get(name, 0.3)(data)

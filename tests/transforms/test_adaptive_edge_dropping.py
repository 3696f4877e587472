"""Probabilities follow the paper's equation, and centralities are those of NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
import torch
from torch_geometric.data import Batch, Data

import rlap.transforms as T
from rlap.transforms import adaptive_edge_dropping
from rlap.transforms.centrality_cache import centrality
from tests.graphs import KARATE, SMALL, random_graph
from tests.significance import assert_counts

TRIALS = 2000
NAMES = {"EdgeDroppingDegree": "degree", "EdgeDroppingEVC": "eigenvector", "EdgeDroppingPR": "pagerank"}
WEIGHTED = random_graph(200, 600, seed=5)


def networkx_of(graph):
    made = nx.Graph()
    made.add_nodes_from(range(graph.num_nodes))
    made.add_weighted_edges_from(graph.edges)
    return made


def connected(graph):
    return nx.is_connected(networkx_of(graph))


@pytest.mark.parametrize("graph", [KARATE, WEIGHTED, *(one for one in SMALL if connected(one))], ids=str)
def test_eigenvector_is_that_of_networkx_and_of_a_dense_computation(graph):
    made = centrality("eigenvector", graph.edge_index, graph.edge_weight, graph.num_nodes)
    expected = np.array(list(nx.eigenvector_centrality_numpy(networkx_of(graph), weight="weight").values()))
    assert np.abs(made - np.abs(expected)).max() < 1e-6
    dense = np.linalg.eigh(graph.dense)[1][:, -1]
    assert np.abs(made - np.abs(dense)).max() < 1e-8
    assert (made > 0).all()


@pytest.mark.parametrize("graph", [KARATE, WEIGHTED, *SMALL], ids=str)
def test_pagerank_is_that_of_networkx(graph):
    made = centrality("pagerank", graph.edge_index, graph.edge_weight, graph.num_nodes)
    expected = nx.pagerank(networkx_of(graph), alpha=0.85, weight="weight", tol=1e-14, max_iter=10_000)
    assert np.abs(made - np.array(list(expected.values()))).max() < 1e-8


def test_degree_counts_edges():
    made = centrality("degree", WEIGHTED.edge_index, WEIGHTED.edge_weight, 200)
    assert made.tolist() == [degree for _, degree in networkx_of(WEIGHTED).degree()]


def test_eigenvector_of_several_components():
    """Of two triangles, a path and a lone node, the triangles lead, with equal right; the rest is zero."""
    pairs = [(0, 1), (1, 2), (0, 2), (4, 5), (5, 6), (4, 6), (7, 8)]
    index = np.array(pairs + [(v, u) for u, v in pairs]).T
    expected = np.array([1, 1, 1, 0, 1, 1, 1, 0, 0]) / np.sqrt(6)
    assert np.allclose(centrality("eigenvector", index, None, 9), expected, rtol=0, atol=1e-12)
    heavier = np.where((index >= 4).all(axis=0) & (index <= 6).all(axis=0), 1.01, 1.0)
    expected = np.array([0, 0, 0, 0, 1, 1, 1, 0, 0]) / np.sqrt(3)
    assert np.allclose(centrality("eigenvector", index, heavier, 9), expected, rtol=0, atol=1e-12)
    nothing = centrality("eigenvector", np.zeros((2, 0), dtype=np.int64), None, 4)
    assert np.allclose(nothing, 0.5, rtol=0, atol=1e-15)


def test_eigenvector_does_not_look_at_small_components_only():
    """Many lone edges beside a large sparse part, as in real graphs."""
    block = sp.block_diag([WEIGHTED.sparse] + [np.array([[0.0, 1.0], [1.0, 0.0]])] * 300, format="coo")
    made = centrality("eigenvector", np.stack([block.row, block.col]).astype(np.int64), block.data, block.shape[0])
    dense = np.linalg.eigh(WEIGHTED.dense)[1][:, -1]
    assert np.abs(made[:200] - np.abs(dense)).max() < 1e-8
    assert not made[200:].any()


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
def test_parts_without_centrality_are_finite(name):
    """The eigenvector is zero outside of its component, and a logarithm must not make that infinite."""
    block = sp.block_diag([KARATE.sparse, np.array([[0.0, 1.0], [1.0, 0.0]])], format="coo")
    data = Data(edge_index=torch.from_numpy(np.stack([block.row, block.col]).astype(np.int64)), num_nodes=37)
    kept = [T.get(name, 0.3, seed=seed)(data).num_edges for seed in range(100)]
    assert 0 < min(kept) < max(kept) <= 158


def test_centralities_are_computed_once_for_the_same_content(monkeypatch):
    calls = []

    def counted(*args):
        calls.append(args)
        return centrality(*args)

    monkeypatch.setattr(adaptive_edge_dropping, "centrality", counted)
    monkeypatch.setattr(adaptive_edge_dropping, "_RATIOS", adaptive_edge_dropping.ContentCache())
    graph = random_graph(50, 120, seed=8)
    index = torch.from_numpy(graph.edge_index.copy())
    for _ in range(3):
        T.EdgeDroppingPR(0.3)(Data(edge_index=index.clone(), num_nodes=50))
    assert len(calls) == 1
    T.EdgeDroppingPR(0.3)(Data(edge_index=index, num_nodes=51))
    T.EdgeDroppingEVC(0.3)(Data(edge_index=index, num_nodes=50))
    T.EdgeDroppingPR(0.3)(Data(edge_index=index, edge_weight=torch.ones(240), num_nodes=50))
    assert len(calls) == 4
    index[1, 101] = (index[1, 101] + 1) % 50  # in place, and not among the entries by which results are found
    T.EdgeDroppingPR(0.3)(Data(edge_index=index, num_nodes=50))
    assert len(calls) == 5
    T.EdgeDroppingPR(0.3)(Batch.from_data_list([Data(edge_index=index, num_nodes=50)] * 3))
    assert len(calls) == 5


def test_the_cache_forgets_the_least_recently_used():
    cache = adaptive_edge_dropping.ContentCache(size=3 * (8000 + 8000 + 1024))
    made = []

    def ask(number):
        def make():
            made.append(number)
            return (np.zeros(1000),)

        cache.get("word", (np.full(1000, number),), make)

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

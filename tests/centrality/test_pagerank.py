"""PageRank and degree against NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from rlap.centrality import centrality_of_edges, degree, pagerank
from tests.graphs import KARATE, SMALL, random_graph

GRAPHS = [*SMALL, KARATE, random_graph(300, 500, 4)]


def theirs(weights, alpha):
    # NetworkX stops when all changes sum to less than N tol; the errors sum to alpha / (1 - alpha) of it at most.
    found = nx.pagerank(nx.from_numpy_array(weights), alpha=alpha, tol=1e-14, max_iter=100_000)
    return np.array(list(found.values()))


@pytest.mark.parametrize("alpha", [0.3, 0.85, 0.99])
@pytest.mark.parametrize("example", GRAPHS, ids=str)
def test_networkx(example, alpha):
    """Among them are weights over twelve orders, several components and isolated nodes."""
    np.testing.assert_allclose(pagerank(example.sparse, alpha), theirs(example.dense, alpha), atol=1e-8)


def test_many_isolated_nodes():
    weights = np.zeros((50, 50))
    weights[:5, :5] = 1 - np.eye(5)
    ours = pagerank(sp.csr_array(weights))
    np.testing.assert_allclose(ours, theirs(weights, 0.85), atol=1e-8)
    assert ours.sum() == pytest.approx(1, abs=1e-9)
    np.testing.assert_allclose(pagerank(sp.csr_array((3, 3))), 1 / 3)
    np.testing.assert_allclose(pagerank(KARATE.sparse, 0), 1 / 34)
    assert pagerank(sp.csr_array((0, 0))).shape == (0,)


def test_batches():
    ptr = np.concatenate([[0], np.cumsum([graph.num_nodes for graph in GRAPHS])])
    index = np.concatenate([graph.edge_index + at for graph, at in zip(GRAPHS, ptr[:-1], strict=True)], axis=1)
    weight = np.concatenate(
        [np.ones(g.edge_index.shape[1]) if g.edge_weight is None else g.edge_weight for g in GRAPHS]
    )
    together = centrality_of_edges(index, weight, num_nodes=ptr[-1], ptr=ptr, kind="pagerank")
    sums = centrality_of_edges(index, weight, num_nodes=ptr[-1], ptr=ptr, kind="degree")
    for g, graph in enumerate(GRAPHS):
        own = slice(ptr[g], ptr[g + 1])
        np.testing.assert_allclose(together[own], theirs(graph.dense, 0.85), atol=1e-8)
        np.testing.assert_allclose(sums[own], graph.dense.sum(axis=0), rtol=1e-12)


def test_degree_takes_what_networkx_calls_so():
    graph = nx.from_numpy_array(KARATE.dense)
    assert degree(graph).tolist() == [value for _, value in graph.degree()]
    weighted = nx.from_numpy_array(SMALL[0].dense)
    np.testing.assert_allclose(degree(weighted), [value for _, value in weighted.degree(weight="weight")])


def test_refusals():
    with pytest.raises(ValueError, match=r"alpha must lie in \[0, 1\) \(got 1\)"):
        pagerank(KARATE.sparse, 1)
    with pytest.raises(ValueError, match=r"tol must be positive \(got 0\)"):
        pagerank(KARATE.sparse, tol=0)
    with pytest.raises(
        ValueError, match=r'kind must be one of "degree", "eigenvector", "pagerank" \(got \'closeness\'\)'
    ):
        centrality_of_edges(KARATE.edge_index, num_nodes=34, kind="closeness")

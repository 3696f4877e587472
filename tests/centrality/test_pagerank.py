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
        assert np.array_equal(together[own], pagerank(graph.sparse))
        assert np.array_equal(sums[own], degree(graph.sparse))
        np.testing.assert_allclose(sums[own], graph.dense.sum(axis=0), rtol=1e-12)


def test_closed_form_to_rounding():
    """A smaller tol than rounding allows ends, too; dense elimination is good to about 1e-16 / (1 - alpha)."""
    for example in (KARATE, random_graph(300, 500, 4)):
        step = example.dense / np.maximum(example.dense.sum(axis=0), 1e-300)
        nodes, isolated = len(step), (example.dense.sum(axis=0) == 0).sum()
        for alpha in (1e-300, 0.85, 0.9999):
            jumps = np.full(nodes, (1 - alpha) / (nodes - alpha * isolated))
            exact = np.linalg.solve(np.eye(nodes) - alpha * step, jumps)
            np.testing.assert_allclose(pagerank(example.sparse, alpha, tol=1e-300), exact, atol=1e-15 / (1 - alpha))


@pytest.mark.parametrize("unit", [1e-300, 1e-9, 1e9, 1e300])
def test_the_unit_of_weights_does_not_matter(unit):
    example = random_graph(300, 500, 4)
    np.testing.assert_allclose(pagerank(unit * example.sparse), pagerank(example.sparse), rtol=0, atol=1e-12)


def test_self_loops_are_dropped():
    loops = KARATE.sparse + sp.diags_array(np.arange(34.0))
    assert np.array_equal(pagerank(loops), pagerank(KARATE.sparse))
    assert np.array_equal(degree(loops), degree(KARATE.sparse))


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

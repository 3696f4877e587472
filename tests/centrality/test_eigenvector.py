"""Eigenvector centrality against NetworkX, dense eigenvectors and closed forms."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh

from rlap.centrality import centrality_of_edges, eigenvector
from tests.diffusion.dense import cora
from tests.graphs import KARATE, SMALL, random_graph

NEAR = 1e-10  # residuals are below 1e-12 and the gaps between eigenvalues here above 1e-2, relative to the largest


def dense_leading(weights):
    """The projection of ones onto the eigenspace of the largest eigenvalue."""
    values, vectors = np.linalg.eigh(weights)
    leading = vectors[:, values >= values[-1] - 1e-9 * max(values[-1], 1)]
    projected = leading @ leading.sum(axis=0)
    return projected / np.linalg.norm(projected)


@pytest.mark.parametrize("example", [*SMALL, KARATE, random_graph(300, 900, 1)], ids=str)
def test_dense(example):
    """Connected or not, with ties or without."""
    np.testing.assert_allclose(eigenvector(example.sparse), dense_leading(example.dense), atol=NEAR)


@pytest.mark.parametrize("example", [KARATE, random_graph(300, 900, 1), random_graph(60, 100, 2)], ids=str)
def test_networkx(example):
    graph = nx.from_numpy_array(example.dense)
    theirs = nx.eigenvector_centrality_numpy(graph, weight="weight")
    np.testing.assert_allclose(eigenvector(graph), list(theirs.values()), atol=1e-6)


def test_networkx_on_ties():
    """Two equal components and smaller ones: power iteration from equal values is the definition."""
    parts = [nx.cycle_graph(5), nx.complete_graph(3), nx.path_graph(4), nx.empty_graph(2)]
    graph = nx.disjoint_union_all(parts)
    theirs = nx.eigenvector_centrality(graph, max_iter=10_000, tol=1e-13)
    np.testing.assert_allclose(eigenvector(graph), list(theirs.values()), atol=1e-6)
    assert eigenvector(graph)[8:].max() == 0


def test_the_leading_component_takes_all():
    weights = sp.block_diag([KARATE.sparse, 3 * SMALL[0].sparse, sp.csr_array((1, 1))], format="csr")
    whole = eigenvector(weights)
    largest = [np.linalg.eigvalsh(part)[-1] for part in (KARATE.dense, 3 * SMALL[0].dense)]
    assert largest[1] > largest[0]
    assert not whole[:34].any()
    np.testing.assert_allclose(whole[34:40], eigenvector(SMALL[0].sparse), atol=NEAR)


def test_many_small_components():
    """Lone edges beside a large sparse part, as in real graphs."""
    large = random_graph(200, 600, seed=5)
    pair = np.array([[0.0, 1.0], [1.0, 0.0]])
    whole = eigenvector(sp.block_diag([pair] * 150 + [large.sparse] + [pair] * 150, format="csr"))
    np.testing.assert_allclose(whole[300:500], dense_leading(large.dense), atol=NEAR)
    assert not whole[:300].any()
    assert not whole[500:].any()


def test_closed_forms():
    n = 400
    path = sp.diags_array([np.ones(n - 1), np.ones(n - 1)], offsets=[1, -1]).tocsr()
    wave = np.sin(np.pi * np.arange(1, n + 1) / (n + 1))
    # Neighbouring eigenvalues differ by 2e-4, so that residuals of 1e-13 leave 1e-9.
    np.testing.assert_allclose(eigenvector(path), wave / np.linalg.norm(wave), atol=1e-8)
    hub, leaves = np.zeros(n, dtype=np.int64), np.arange(1, n + 1)
    star = sp.csr_array((np.ones(2 * n), (np.r_[hub, leaves], np.r_[leaves, hub])))
    np.testing.assert_allclose(eigenvector(star), np.r_[1, np.full(n, 1 / np.sqrt(n))] / np.sqrt(2), atol=NEAR)
    cycle = path + sp.csr_array(([1.0, 1.0], ([0, n - 1], [n - 1, 0])), shape=(n, n))
    np.testing.assert_allclose(eigenvector(cycle), 1 / np.sqrt(n), atol=NEAR)


def test_a_basis_too_large_to_keep():
    """A weighted path of 30,000 nodes: the basis is made twice. The residual and the sign tell the eigenvector."""
    n = 30_000
    weight = np.random.default_rng(0).uniform(1, 2, size=n - 1)
    path = sp.diags_array([weight, weight], offsets=[1, -1]).tocsr()
    found = eigenvector(path)
    value = found @ (path @ found)
    assert np.linalg.norm(path @ found - value * found) <= 1e-11 * value
    assert (found >= 0).all()
    # No positive vector but the leading one has a constant ratio.
    ratio = (path @ found)[found > 1e-3] / found[found > 1e-3]
    np.testing.assert_allclose(ratio, value, rtol=1e-8)


@pytest.mark.parametrize("unit", [1e-200, 1e-9, 1e9, 1e200])
def test_the_unit_of_weights_does_not_matter(unit):
    example = random_graph(300, 900, 1)
    np.testing.assert_allclose(eigenvector(unit * example.sparse), eigenvector(example.sparse), atol=NEAR)


def test_no_edges_and_no_nodes():
    np.testing.assert_allclose(eigenvector(sp.csr_array((4, 4))), 0.5)
    assert eigenvector(sp.csr_array((0, 0))).shape == (0,)


def test_batches():
    graphs = [KARATE, *SMALL, KARATE]
    ptr = np.concatenate([[0], np.cumsum([graph.num_nodes for graph in graphs])])
    index = np.concatenate([graph.edge_index + at for graph, at in zip(graphs, ptr[:-1], strict=True)], axis=1)
    weight = np.concatenate(
        [np.ones(g.edge_index.shape[1]) if g.edge_weight is None else g.edge_weight for g in graphs]
    )
    together = centrality_of_edges(index, weight, num_nodes=ptr[-1], ptr=ptr, kind="eigenvector")
    for g, graph in enumerate(graphs):
        assert np.array_equal(together[ptr[g] : ptr[g + 1]], eigenvector(graph.sparse))


def test_cora():
    adjacency = cora()
    whole = eigenvector(adjacency)
    values, vectors = eigsh(adjacency, k=2, which="LA", v0=np.ones(adjacency.shape[0]))
    assert values[1] - values[0] > 1
    np.testing.assert_allclose(whole, np.abs(vectors[:, 1]), atol=NEAR)

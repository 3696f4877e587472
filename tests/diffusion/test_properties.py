"""What holds without an oracle: sums, symmetry, batches, threads, and kinds of input."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from rlap.diffusion import PPR, Heat, Markov, diffuse, diffuse_edges, heat, markov, ppr
from rlap.schur.edges import read_edges
from tests.diffusion.dense import random_graph
from tests.graphs import KARATE, SMALL
from tests.sampling import Batch

ALL = [PPR(0.15), Heat(2.0), Markov(0.3, 5)]


def same(one, other):
    return (
        np.array_equal(one.indptr, other.indptr)
        and np.array_equal(one.indices, other.indices)
        and np.array_equal(one.data, other.data)
    )


@pytest.mark.parametrize("series", ALL, ids=repr)
def test_columns_are_distributions(series):
    """Without isolated nodes the columns of the random walk's S sum to 1, and all entries here are above eps."""
    graph = read_edges(KARATE.edge_index, None, KARATE.num_nodes)
    result = diffuse(graph, series, eps=1e-9, tol=1e-11)
    assert result.nnz == KARATE.num_nodes**2
    np.testing.assert_allclose(result.sum(axis=0), 1, atol=34 * 1e-11)


@pytest.mark.parametrize("series", ALL, ids=repr)
@pytest.mark.parametrize("tol", [1e-5, 1e-9])
def test_symmetric_to_the_last_bit(series, tol):
    matrix = sp.csr_array(random_graph())
    graph = read_edges(np.stack(matrix.nonzero()), matrix.data, matrix.shape[0])
    result = diffuse(graph, series, tol=tol, transition="symmetric")
    turned = sp.csr_array(result.T)
    turned.sort_indices()
    assert same(result, turned)


@pytest.mark.parametrize("transition", ["random-walk", "symmetric"])
@pytest.mark.parametrize("series", ALL, ids=repr)
def test_threads_do_not_matter(series, transition):
    matrix = sp.csr_array(random_graph())
    graph = read_edges(np.stack(matrix.nonzero()), matrix.data, matrix.shape[0])
    one = diffuse(graph, series, transition=transition, num_threads=1)
    for threads in (2, 5, 64):
        assert same(one, diffuse(graph, series, transition=transition, num_threads=threads))


@pytest.mark.parametrize("series", ALL, ids=repr)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_graph_in_a_batch_is_as_alone(series, weighted):
    graphs = [*SMALL, KARATE, SMALL[0]]
    ptr = np.concatenate([[0], np.cumsum([graph.num_nodes for graph in graphs])])
    index = np.concatenate([graph.edge_index + begin for graph, begin in zip(graphs, ptr[:-1], strict=True)], axis=1)
    ones = [np.ones(graph.edge_index.shape[1]) for graph in graphs]
    weights = [one if graph.edge_weight is None else graph.edge_weight for graph, one in zip(graphs, ones, strict=True)]
    weight = np.concatenate(weights) if weighted else None
    found, value = diffuse_edges(index, weight, num_nodes=ptr[-1], ptr=ptr, series=series)
    owner = np.searchsorted(ptr, found, side="right") - 1
    assert (owner[0] == owner[1]).all(), "an entry crosses graphs"
    for g, graph in enumerate(graphs):
        alone, own = diffuse_edges(
            graph.edge_index, weights[g] if weighted else None, num_nodes=graph.num_nodes, series=series
        )
        of_graph = owner[0] == g
        assert np.array_equal(found[:, of_graph] - ptr[g], alone)
        assert np.array_equal(value[of_graph], own)


def test_batch_and_ptr_say_the_same():
    batch = Batch(SMALL[0], 7)
    by_ptr = diffuse_edges(batch.edge_index, batch.edge_weight, num_nodes=42, ptr=batch.ptr, series=PPR())
    numbers = np.repeat(np.arange(7), 6)
    by_batch = diffuse_edges(batch.edge_index, batch.edge_weight, num_nodes=42, batch=numbers, series=PPR())
    assert all(np.array_equal(one, other) for one, other in zip(by_ptr, by_batch, strict=True))


def test_weights_count_by_their_ratios_alone():
    """T does not change when all weights are multiplied by a power of two; neither may a single bit of S."""
    matrix = sp.csr_array(random_graph())
    for transition in ("random-walk", "symmetric"):
        one, other = (ppr(matrix * factor, transition=transition) for factor in (1.0, 2.0**20))
        assert same(one, other)


@pytest.mark.parametrize("transition", ["random-walk", "symmetric"])
def test_isolated_nodes_keep_what_the_series_leaves_them(transition):
    nothing = sp.csr_array((3, 3))
    left = {0.3: ppr(nothing, 0.3, transition=transition), np.exp(-2): heat(nothing, 2.0, transition=transition)}
    for value, result in left.items():
        np.testing.assert_allclose(result.toarray(), value * np.eye(3), rtol=1e-6)
    np.testing.assert_allclose(markov(nothing, 0.3, 4, transition=transition).toarray(), 0.3 * np.eye(3), rtol=1e-6)
    looped = ppr(nothing, 0.3, self_loops=True, tol=1e-9, transition=transition)
    np.testing.assert_allclose(looped.toarray(), np.eye(3), atol=1e-9)


@pytest.mark.parametrize("series", ALL, ids=repr)
def test_no_nodes_at_all(series):
    graph = read_edges(np.zeros((2, 0), dtype=np.int64), None, 0)
    result = diffuse(graph, series)
    assert result.shape == (0, 0)
    assert result.nnz == 0


def test_what_goes_in_comes_out():
    graph = nx.Graph()
    graph.add_weighted_edges_from([("b", "a", 2.0), ("a", "c", 1.0)])
    named = ppr(graph)
    order = nx.to_scipy_sparse_array(graph)
    assert same(named, ppr(order))
    old = ppr(sp.csr_matrix(order))
    assert isinstance(old, sp.csr_matrix)
    assert not isinstance(named, sp.csr_matrix)
    assert same(ppr(sp.coo_array(order)), named)


def test_directed_input_is_refused_or_mended():
    directed = sp.csr_array(np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
    with pytest.raises(ValueError, match="symmetrize=True"):
        ppr(directed)
    both = sp.csr_array(np.array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
    assert same(ppr(directed, symmetrize=True), ppr(both))


def test_self_loops_of_the_input_are_dropped():
    plain = random_graph()
    looped = plain + np.diag(np.arange(len(plain), dtype=float))
    assert same(ppr(sp.csr_array(plain)), ppr(sp.csr_array(looped)))


def test_a_long_path_is_local_work():
    """On 300,000 nodes a pass over all rows for every block would take hours."""
    nodes = 300_000
    ends = np.arange(nodes - 1)
    once = np.stack([ends, ends + 1])
    graph = read_edges(np.concatenate([once, once[::-1]], axis=1), None, nodes)
    result = diffuse(graph, PPR(0.2), eps=1e-3)
    inside = result[[nodes // 2]].toarray().ravel()[nodes // 2 - 3 : nodes // 2 + 4]
    # On the infinite path S_ij = sqrt(a / (2 - a)) q^|i - j| with a = alpha and q = (1 - sqrt(a (2 - a))) / (1 - a).
    q = (1 - np.sqrt(0.2 * 1.8)) / 0.8
    np.testing.assert_allclose(inside, np.sqrt(0.2 / 1.8) * q ** np.abs(np.arange(-3, 4)), atol=1e-4)

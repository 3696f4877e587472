"""The drop-in must have the authors' shape, and give what `schur_view` gives."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import rlap
from rlap.ops import approximate_cholesky
from tests.graphs import KARATE, random_graph

GRAPH = random_graph(30, 90, seed=4)
INDEX, WEIGHT = torch.from_numpy(GRAPH.edge_index), torch.from_numpy(GRAPH.edge_weight)


@pytest.mark.parametrize("o_v", ["random", "degree", "coarsen"])
@pytest.mark.parametrize("o_n", ["asc", "desc", "random"])
def test_rows_are_the_edges_of_the_view(o_v, o_n):
    edges = approximate_cholesky(INDEX, WEIGHT, 30, 12, o_v, o_n, seed=3)
    if o_v == "coarsen":
        expected = rlap.vertex_coarsening(GRAPH.sparse, fraction=12.5 / 30, rng=3)
    else:
        expected = rlap.randomized_schur(GRAPH.sparse, fraction=12.5 / 30, node_order=o_v, neighbor_order=o_n, rng=3)
    assert edges.dtype == torch.float64
    assert edges.shape == (expected.nnz, 3)
    coo = expected.tocoo()
    np.testing.assert_array_equal(edges.numpy(), np.stack([coo.row, coo.col, coo.data], axis=1))


def test_the_authors_way_of_calling():
    torch.manual_seed(0)
    edges = approximate_cholesky(INDEX, WEIGHT[None].float(), 30, 15, "degree", "asc")
    edge_index, edge_weight = edges[:, :2].long().T, edges[:, 2]
    assert edge_index.shape == (2, edge_weight.numel())
    assert edge_index.unique().numel() <= 15
    assert (edge_weight > 0).all()


@pytest.mark.parametrize("o_v", ["random", "degree", "coarsen"])
def test_calls_differ_and_repeat_with_torchs_seed(o_v):
    torch.manual_seed(1)
    first, second = (approximate_cholesky(INDEX, WEIGHT, 30, 15, o_v, "asc") for _ in range(2))
    torch.manual_seed(1)
    again = approximate_cholesky(INDEX, WEIGHT, 30, 15, o_v, "asc")
    assert torch.equal(first, again)
    assert first.shape != second.shape or not torch.equal(first, second)


def test_shapes_of_the_weights():
    index = torch.from_numpy(KARATE.edge_index)
    ones = torch.ones(index.shape[1])
    results = [approximate_cholesky(index, weight, 34, 10, seed=1) for weight in (None, ones, ones[None])]
    assert torch.equal(results[0], results[1])
    assert torch.equal(results[0], results[2])
    with pytest.raises(ValueError, match="edge_weight must have one value for every edge"):
        approximate_cholesky(index, ones[:-1], 34, 10)


@pytest.mark.parametrize("nodes", [1, 7, 29, 49, 98, 1000])
def test_exactly_as_many_nodes_go_as_asked_for(nodes):
    """A cycle keeps an edge at every node that is left, as long as two are; k / n * n is below k for some k."""
    ring = torch.arange(nodes)
    index = torch.stack([torch.cat([ring, (ring + 1) % nodes]), torch.cat([(ring + 1) % nodes, ring])])
    for removed in range(0, nodes + 1, max(1, nodes // 60)):
        left = approximate_cholesky(index, None, nodes, removed, seed=0)[:, 0].unique().numel()
        assert left == (nodes - removed if nodes - removed >= 2 else 0)


def test_the_empty_graph():
    assert approximate_cholesky(torch.zeros(2, 0, dtype=torch.long), None, 0, 0).shape == (0, 3)


def test_bad_arguments():
    with pytest.raises(ValueError, match=r'o_v must be one of "random", "degree", "coarsen" \(got \'amd\'\)'):
        approximate_cholesky(INDEX, None, 30, 3, "amd", "asc")
    with pytest.raises(ValueError, match=r'o_n must be one of "asc", "desc", "random" \(got \'up\'\)'):
        approximate_cholesky(INDEX, None, 30, 3, "coarsen", "up")
    for removed in (-1, 31):
        with pytest.raises(ValueError, match=rf"num_remove must lie in .* = \[0, 30\] \(got {removed}\)"):
            approximate_cholesky(INDEX, None, 30, removed)
    with pytest.raises(TypeError):
        approximate_cholesky(INDEX, None, 30, 0.5)
    with pytest.raises(ValueError, match="both directions"):
        approximate_cholesky(INDEX[:, :90], None, 30, 3)

"""The drop-in must have the authors' shape, and give what `schur_view` gives."""

from __future__ import annotations

import subprocess
import sys

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


def call_in_every_way(index, weight, nodes, removed, o_v, o_n):
    """The conventions of all releases of the authors' package: edge_index and edge_weights, or both in edge_info."""
    info = torch.cat([index.to(weight.dtype), weight[None]]).t()
    options = {"num_nodes": nodes, "num_remove": removed, "o_v": o_v, "o_n": o_n}
    call = rlap.ops.approximate_cholesky
    return [
        call(edge_index=index, edge_weights=weight[None], **options),  # their tests
        call(edge_index=index, edge_weights=weight, **options),
        call(index, weight[None], nodes, removed, o_v, o_n),
        call(index, weight, nodes, removed, o_n=o_n, o_v=o_v),
        call(edge_info=info, **options),  # their README and their augmentor for PyGCL
        call(edge_info=info.contiguous(), **options),
        call(info, nodes, removed, o_v, o_n),
        call(info, nodes, removed, o_v=o_v, o_n=o_n),
        call(info, **options),
    ]


@pytest.mark.parametrize("o_v", ["random", "degree", "coarsen"])
@pytest.mark.parametrize("o_n", ["asc", "desc", "random"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_all_calling_conventions_of_the_published_package(o_v, o_n, dtype, monkeypatch):
    monkeypatch.setattr("rlap.adapters.torch.draw_seed", lambda seed: 5)  # theirs have no seed
    first, *others = call_in_every_way(INDEX, WEIGHT.to(dtype), 30, 12, o_v, o_n)
    assert first.dtype == torch.float64
    assert first[:, :2].unique().numel() == 18
    for other in others:
        assert torch.equal(first, other)
    expected = approximate_cholesky(INDEX, WEIGHT.to(dtype), 30, 12, o_v, o_n, seed=5)
    assert torch.equal(first, expected)


def test_what_their_scripts_make_of_the_result():
    """Whatever the weights are, None among them, which means ones."""
    ones = torch.ones((1, INDEX.shape[1]))
    for edges in (
        rlap.ops.approximate_cholesky(
            edge_index=INDEX, edge_weights=None, num_nodes=30, num_remove=15, o_v="random", o_n="asc"
        ),
        rlap.ops.approximate_cholesky(torch.concat((INDEX, ones), dim=0).t(), 30, 15, "random", "asc"),
    ):
        edge_index = torch.Tensor(edges[:, :2]).long().t().to(INDEX.device)
        edge_weights = torch.Tensor(edges[:, -1]).t().to(INDEX.device)
        assert edge_index.shape == (2, edge_weights.numel())
        dense = torch.zeros(30, 30, dtype=torch.float64).index_put((edge_index[0], edge_index[1]), edge_weights)
        assert torch.equal(dense, dense.t())
    a = torch.randn(100, 100).double()
    assert torch.equal(rlap.ops.identity(a=a), a)
    assert torch.equal(rlap.ops.identity(a), a)


def test_two_edges_in_either_form():
    """The shape (2, 3) is three edges in whole numbers and two edges otherwise."""
    three = torch.tensor([[0, 1, 1], [1, 0, 1]])
    assert rlap.ops.approximate_cholesky(three, None, 2, 0).tolist() == [[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]]
    two = torch.tensor([[0, 1, 2.5], [1, 0, 2.5]])
    assert rlap.ops.approximate_cholesky(two, num_nodes=2, num_remove=0).tolist() == [[0.0, 1.0, 2.5], [1.0, 0.0, 2.5]]


def test_ops_come_with_the_package_and_torch_with_them():
    script = (
        "import sys, rlap\nassert 'torch' not in sys.modules\nassert 'ops' in dir(rlap)\n"
        "assert callable(rlap.ops.approximate_cholesky) and callable(rlap.ops.identity)\nassert 'torch' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_broken_edge_info():
    info = torch.cat([INDEX.double(), WEIGHT.double()[None]]).t()
    for broken, error, words in (
        ({"edge_info": info, "edge_index": INDEX}, TypeError, "give either edge_index or edge_info"),
        ({}, TypeError, "give either edge_index or edge_info"),
        ({"edge_info": info, "edge_weights": WEIGHT}, TypeError, "edge_info holds the weights"),
        ({"edge_info": info[:, :2]}, ValueError, r"edge_info must have the shape \(E, 3\) \(got \(180, 2\)\)"),
        ({"edge_info": info + 0.5}, ValueError, "edge_info must hold whole numbers"),
    ):
        with pytest.raises(error, match=words):
            approximate_cholesky(num_nodes=30, num_remove=3, **broken)


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

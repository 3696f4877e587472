"""A prepared graph gives what its edges give, bit for bit, from every kind of input."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
import torch
from torch_geometric.data import Batch, Data

import rlap
from rlap import _core
from rlap.centrality import centrality_of_edges
from rlap.diffusion import PPR, diffuse_edges
from rlap.transforms import RLap
from rlap.walks import random_walks, visited_nodes

VARIANTS = [
    {"fraction": 0.5},
    {"fraction": 0.4, "node_order": "degree", "neighbor_order": "desc"},
    {"fraction": 0.5, "method": "walks"},
    {"fraction": 0.3, "method": "coarsening", "relabel": True},
    {"fraction": [0.1, 0.6], "num_views": 2, "dtype": "float32"},
    {"keep": [0, 3, 5, 8], "node_order": list(range(59, -1, -1))},
]


def edges(weighted, seed=0, nodes=60):
    rng = np.random.default_rng(seed)
    matrix = sp.random_array((nodes, nodes), density=0.1, rng=rng, data_sampler=lambda size: rng.uniform(0.5, 2, size))
    matrix = sp.coo_array(matrix + matrix.T)
    off = matrix.coords[0] != matrix.coords[1]
    index = np.stack([axis[off] for axis in matrix.coords]).astype(np.int64)
    return index, matrix.data[off] if weighted else None


def same(one, other):
    for a, b in zip(
        one if isinstance(one, list) else [one], other if isinstance(other, list) else [other], strict=True
    ):
        for x, y in ((a.edge_index, b.edge_index), (a.edge_weight, b.edge_weight), (a.node_mask, b.node_mask)):
            assert type(x) is type(y)
            assert x.dtype == y.dtype
            assert np.asarray(x).tobytes() == np.asarray(y).tobytes()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("variant", range(len(VARIANTS)))
@pytest.mark.parametrize("shuffled", [False, True])
def test_views_are_those_of_the_edges(weighted, variant, shuffled):
    index, weight = edges(weighted)
    if shuffled:
        order = np.random.default_rng(1).permutation(index.shape[1])
        index, weight = index[:, order], weight if weight is None else weight[order]
    prepared = rlap.prepare(index, weight, num_nodes=60)
    expected = rlap.schur_view(index, weight, num_nodes=60, seed=3, **VARIANTS[variant])
    same(rlap.schur_view(prepared, seed=3, **VARIANTS[variant]), expected)
    same(rlap.schur_view(pickle.loads(pickle.dumps(prepared)), seed=3, **VARIANTS[variant]), expected)
    assert rlap.prepare(prepared) is prepared


def test_batches_and_other_functions():
    one, _ = edges(False, 0)
    two, _ = edges(False, 1)
    index = np.concatenate([one, two + 60], axis=1)
    options = {"num_nodes": 120, "ptr": [0, 60, 120]}
    prepared = rlap.prepare(index, **options)
    same(rlap.schur_view(prepared, fraction=0.5, seed=1), rlap.schur_view(index, fraction=0.5, seed=1, **options))
    for function, extra in [
        (diffuse_edges, {"series": PPR(0.2)}),
        (centrality_of_edges, {"kind": "pagerank"}),
        (random_walks, {"start": [0, 70], "length": 5, "seed": 2}),
        (visited_nodes, {"start": [0, 70], "length": 5, "seed": 2}),
    ]:
        got, expected = function(prepared, **extra), function(index, **options, **extra)
        for x, y in zip(got, expected, strict=True):
            assert np.array_equal(x, y)
    with pytest.raises(ValueError, match="batch of 2"):
        rlap.randomized_schur(prepared, fraction=0.5)


def test_matrices_and_networkx():
    index, weight = edges(True)
    matrix = sp.csr_array((weight, index), shape=(60, 60))
    for function in (rlap.randomized_schur, rlap.walk_schur, rlap.vertex_coarsening):
        got, expected = (function(source, fraction=0.5, rng=4) for source in (rlap.prepare(matrix), matrix))
        assert (got != expected).nnz == 0
    assert (rlap.exact_schur(rlap.prepare(matrix), keep=[1, 2, 3]) != rlap.exact_schur(matrix, keep=[1, 2, 3])).nnz == 0
    club = nx.relabel_nodes(nx.karate_club_graph(), {u: f"n{u}" for u in range(34)})
    prepared = pickle.loads(pickle.dumps(rlap.prepare(club)))
    got, expected = (rlap.randomized_schur(source, keep=["n0", "n5", "n9"], rng=1) for source in (prepared, club))
    assert nx.utils.graphs_equal(got, expected)


@pytest.mark.parametrize("dtype", [None, torch.float32, torch.float64])
def test_tensors_come_back_as_tensors(dtype):
    index, weight = edges(True)
    index = torch.from_numpy(index)
    weight = None if dtype is None else torch.from_numpy(weight).to(dtype)
    expected = rlap.schur_view(index, weight, num_nodes=60, fraction=0.5, seed=0)
    prepared = rlap.prepare(index, weight, num_nodes=60)
    same(rlap.schur_view(prepared, fraction=0.5, seed=0), expected)
    data = Data(edge_index=index, num_nodes=60, **({} if weight is None else {"edge_weight": weight}))
    same(rlap.schur_view(pickle.loads(pickle.dumps(rlap.prepare(data))), fraction=0.5, seed=0), expected)
    batch = Batch.from_data_list([data, data])
    assert list(rlap.prepare(batch).ptr) == [0, 60, 120]


def test_later_changes_of_the_arrays_do_not_matter():
    index, weight = edges(True)
    prepared = rlap.prepare(index, weight, num_nodes=60)
    expected = rlap.schur_view(index.copy(), weight.copy(), num_nodes=60, fraction=0.5, seed=0)
    index[:], weight[:] = 0, -1
    same(rlap.schur_view(prepared, fraction=0.5, seed=0), expected)
    with pytest.raises(AttributeError):
        prepared.ptr = None
    for array in (prepared.ptr, *prepared.graph.rows()):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_threads_share_it():
    index, weight = edges(True)
    prepared = rlap.prepare(index, weight, num_nodes=60)
    expected = [rlap.schur_view(index, weight, num_nodes=60, fraction=0.5, seed=seed) for seed in range(8)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda seed: rlap.schur_view(prepared, fraction=0.5, seed=seed), range(8)))
    for one, other in zip(found, expected, strict=True):
        same(one, other)


def test_what_the_graph_knows_is_not_given_again():
    index, weight = edges(True)
    prepared = rlap.prepare(index, weight, num_nodes=60)
    with pytest.raises(ValueError, match="edge_weight goes with an edge_index"):
        rlap.schur_view(prepared, weight, fraction=0.5)
    with pytest.raises(ValueError, match="num_nodes is known"):
        rlap.schur_view(prepared, num_nodes=61, fraction=0.5)
    with pytest.raises(ValueError, match="ptr goes with"):
        rlap.prepare(prepared, ptr=[0, 60])
    with pytest.raises(TypeError, match="num_nodes must be an integer"):
        rlap.prepare(index)
    with pytest.raises(ValueError, match="both directions"):
        rlap.prepare(np.array([[0], [1]]), num_nodes=2)
    with pytest.raises(ValueError, match="beside it"):
        rlap.prepare(Data(edge_index=torch.from_numpy(index), num_nodes=60), num_nodes=60)


def test_a_transform_reads_a_graph_once_and_sees_every_change(monkeypatch):
    reads = []
    graph = _core.Graph
    monkeypatch.setattr(_core, "Graph", lambda *arguments: reads.append(1) or graph(*arguments))
    index = torch.from_numpy(edges(False, seed=11)[0])
    data = Data(edge_index=index, num_nodes=60)
    first = [RLap(0.5, seed=seed)(data).edge_index for seed in range(4)]
    assert len(reads) == 1
    assert not torch.equal(first[0], first[1])
    index.numpy()[:] = index.numpy()[::-1].copy()  # behind the back of torch
    changed = RLap(0.5, seed=0)(data).edge_index
    assert len(reads) == 2
    assert torch.equal(changed, first[0])  # the reversed list is the same symmetric graph

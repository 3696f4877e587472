"""Loaders against `schur_view` with the same seed, dense Schur complements, and PyG's own sub-graphs."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data, HeteroData
from torch_geometric.utils import subgraph

import rlap
import rlap.transforms as T
from rlap import loader as L
from rlap.loader.plans import chosen_nodes
from tests.oracles import dense_schur
from tests.significance import assert_means

LOADERS = L.names()


def blocks(nodes: int = 60, seed: int = 0) -> Data:
    """Three dense blocks with a few edges between them, with weights and all kinds of attributes."""
    random = np.random.default_rng(seed)
    block = np.arange(nodes) % 3
    weights = np.triu(random.random((nodes, nodes)) < np.where(block[:, None] == block, 0.4, 0.02), 1)
    weights = weights * random.uniform(0.5, 2, (nodes, nodes))
    weights[np.arange(nodes - 1), np.arange(1, nodes)] = 0.3  # in one piece
    weights = weights + weights.T
    row, col = np.nonzero(weights)
    return Data(
        x=torch.from_numpy(random.random((nodes, 4))).float(),
        y=torch.from_numpy(block),
        train_mask=torch.from_numpy(random.random(nodes) < 0.5),
        edge_index=torch.from_numpy(np.stack([row, col])),
        edge_weight=torch.from_numpy(weights[row, col]),
        edge_attr=torch.ones(len(row), 2),
        title="blocks",
    )


def adjacency(batch: Data) -> np.ndarray:
    dense = np.zeros((batch.num_nodes, batch.num_nodes))
    dense[tuple(batch.edge_index.numpy())] = batch.edge_weight.numpy()
    return dense


def same(one: Data, other: Data) -> bool:
    tensors = [key for key in one.keys() if isinstance(one[key], torch.Tensor)]  # noqa: SIM118
    assert sorted(one.keys()) == sorted(other.keys())
    return all(one[key].shape == other[key].shape and bool((one[key] == other[key]).all()) for key in tensors)


@pytest.mark.parametrize("options", [{}, {"node_order": "degree", "neighbor_order": "desc"}, {"method": "walks"}])
def test_a_batch_is_the_view_with_its_seed(options):
    data = blocks()
    loader = L.SchurLoader(data, 25, seed=3, **options)
    for epoch in range(2):
        for number, batch in enumerate(loader):
            seed = loader.batch_seed(epoch, number)
            more = {"num_nodes": 60, "keep": batch.n_id, "seed": seed, **options}
            view = rlap.schur_view(data.edge_index, data.edge_weight, relabel=True, **more)
            assert torch.equal(batch.edge_index, view.edge_index)
            assert torch.equal(batch.edge_weight, view.edge_weight)
            for key in ("x", "y", "train_mask"):
                assert torch.equal(batch[key], data[key][batch.n_id])
            assert (batch.num_nodes, batch.title) == (len(batch.n_id), "blocks")
            assert "edge_attr" not in batch
            batch.validate()
            assert same(batch, loader.batch(epoch, number))
    assert data.num_edges == len(data.edge_attr)
    assert data.num_nodes == 60


def test_the_mean_of_walks_is_the_exact_schur_complement():
    data = blocks(14)
    dense = np.zeros((14, 14))
    dense[tuple(data.edge_index.numpy())] = data.edge_weight.numpy()
    nodes = [1, 2, 4, 9, 12]
    exact = dense_schur(dense, [node for node in range(14) if node not in nodes])[np.ix_(nodes, nodes)]
    loader = L.SchurLoader(data, 5, input_nodes=nodes, shuffle=False, method="walks", seed=0)
    samples = np.stack([adjacency(loader.batch(epoch, 0)) for epoch in range(500)])
    # No path conducts more than the strongest edge.
    assert_means(samples, exact, reach=np.full_like(exact, dense.max()))
    assert (samples.std(axis=0) / np.sqrt(500) <= 0.1 * exact).all()  # so the bound says something


@pytest.mark.parametrize("name", LOADERS)
def test_every_node_once_an_epoch_and_epochs_repeat(name):
    data = blocks()
    loaders = {seed: L.get(name, data, 16, seed=seed) for seed in (0, 1)}
    again = L.get(name, data, 16, seed=0)
    epochs = [list(loaders[0]) for _ in range(3)]
    for epoch in epochs:
        assert len(epoch) == len(loaders[0])
        assert sorted(torch.cat([batch.n_id for batch in epoch]).tolist()) == list(range(60))
    again.set_epoch(2)
    assert all(same(one, other) for one, other in zip(again, epochs[2], strict=True))
    first = [batch.n_id.tolist() for batch in epochs[0]]
    assert first != [batch.n_id.tolist() for batch in epochs[1]]
    assert first != [batch.n_id.tolist() for batch in loaders[1]]


@pytest.mark.parametrize("name", LOADERS)
def test_workers_change_nothing(name):
    data, mask = blocks(), T.FeatureMasking(0.5)
    plain = L.get(name, data, 16, seed=5, transform=mask)
    state = torch.get_rng_state()
    busy = L.get(name, data, 16, seed=5, transform=mask, num_workers=2)
    for _ in range(2):
        assert all(same(one, other) for one, other in zip(plain, busy, strict=True))
    assert torch.equal(torch.get_rng_state(), state)


@pytest.mark.parametrize("name", ["induced", "cluster"])
def test_induced_edges_are_pygs(name):
    data = blocks()
    for batch in L.get(name, data, 16, seed=0):
        index, weight = subgraph(batch.n_id, data.edge_index, data.edge_weight, relabel_nodes=True, num_nodes=60)
        assert torch.equal(batch.edge_index, index)
        assert torch.equal(batch.edge_weight, weight)
        assert len(batch.edge_attr) == batch.num_edges


def test_parts_cut_few_edges():
    """METIS finds the three blocks; random nodes leave a third of their edges."""
    data = blocks(90)
    inside = {name: sum(b.num_edges for b in L.get(name, data, 30, seed=0)) for name in ("cluster", "induced")}
    whole = [sorted(b.y.unique().tolist()) for b in L.ClusterLoader(data, 30, parts_per_batch=1, seed=0)]
    assert inside["induced"] < 0.5 * data.num_edges
    assert sorted(whole) == [[0], [1], [2]]
    pairs = L.ClusterLoader(data, 60, parts_per_batch=4, seed=0)
    assert len(pairs) == 2  # six parts of fifteen nodes: four, and the two that are left


def test_which_nodes():
    data = blocks()
    mask = L.SchurLoader(data, 8, input_nodes=data.train_mask, seed=0)
    assert sorted(torch.cat([b.n_id for b in mask]).tolist()) == data.train_mask.nonzero()[:, 0].tolist()
    in_order = L.SchurLoader(data, 25, input_nodes=range(50, 0, -1), shuffle=False, seed=0)
    assert [b.n_id.tolist() for b in in_order] == [list(range(26, 51)), list(range(1, 26))]
    assert [b.num_nodes for b in L.SchurLoader(data, 25, drop_last=True)] == [25, 25]
    assert [b.num_nodes for b in L.SchurLoader(data, 25)] == [25, 25, 10]
    assert [b.num_nodes for b in L.SchurLoader(data, 59)] == [60]  # nobody is left alone
    plain = next(iter(L.SchurLoader(data, 25, weighted=False, seed=0)))
    assert "edge_weight" not in plain


def test_sparse_features_are_cut_too():
    data = blocks()
    sparse = data.clone()
    sparse.x = data.x.to_sparse_csr()
    pairs = zip(L.SchurLoader(data, 25, seed=0), L.SchurLoader(sparse, 25, seed=0, num_workers=1), strict=True)
    for dense, batch in pairs:
        assert batch.x.layout == torch.sparse_csr
        assert torch.equal(batch.x.to_dense(), dense.x)


REFUSED = {
    "batch_size": ({"batch_size": 0}, r"batch_size must be at least 1 \(got 0\)"),
    "node_order": ({"node_order": "up"}, r"node_order must be .* \(got 'up'\)"),
    "method": ({"method": "guess"}, r"method must be .* \(got 'guess'\)"),
    "twice": ({"input_nodes": [1, 1]}, r"each node once \(got 2, of which 1 differ\)"),
    "far": ({"input_nodes": [1, 60]}, r"in \[0, 60\) \(got 60\)"),
    "mask": ({"input_nodes": torch.ones(3, dtype=torch.bool)}, r"one value for each of 60 nodes"),
    "none": ({"input_nodes": []}, r"there must be a node to load"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name):
    options, words = REFUSED[name]
    with pytest.raises(ValueError, match=words):
        L.SchurLoader(blocks(), **{"batch_size": 8, **options})


def test_what_is_no_graph_is_refused():
    for wrong in (HeteroData(), Batch.from_data_list([blocks()]), [blocks()]):
        with pytest.raises(TypeError, match="one graph as a Data"):
            L.SchurLoader(wrong, 8)
    with pytest.raises(ValueError, match=r"loader must be one of .* \(got 'random'\)"):
        L.get("random", blocks(), 8)
    assert chosen_nodes(None, 3).tolist() == [0, 1, 2]

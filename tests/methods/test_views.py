"""The view makers: what each protocol does to a graph, to a batch and to features."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data

import rlap.transforms as T
from rlap.adapters.torch import seeds_from
from rlap.methods import MethodConfig, build, level
from rlap.methods.inputs import read_view
from rlap.methods.masking import FeatureMask
from rlap.methods.subgraph import SubgraphViews
from rlap.methods.views import two_views
from rlap.methods.whole_batch import WholeBatch
from tests.methods.examples import batch, graph
from tests.significance import assert_means

AUGMENTORS = [name for name in T.names() if name not in ("HeatDiffusion", "PPRSubgraph")]


@pytest.mark.parametrize("protocol", ["clean", "paper"])
@pytest.mark.parametrize("augmentor", AUGMENTORS)
def test_every_augmentor_trains(augmentor, protocol):
    for name in ("mvgrl", "bgrl"):
        torch.manual_seed(0)
        config = MethodConfig(name, augmentor, gamma1=0.2, gamma2=0.3, hidden=4, protocol=protocol)
        method = build(config, 4).double()
        data = graph(12, seed=1) if level(name) == "node" else batch()
        loss = method(*method.views(data))
        loss.backward()
        assert torch.isfinite(loss)
        assert len(method.embed(data)) == (12 if level(name) == "node" else 4)


def test_views_share_neither_graph_nor_mask():
    data = graph(20, seed=0)
    one, other = two_views(MethodConfig(gamma1=0.5, gamma2=0.5), "node")(data)
    assert not torch.equal(one.node_mask, other.node_mask)
    assert not torch.equal(one.x == 0, other.x == 0)
    assert "node_mask" not in data


@pytest.mark.parametrize("augmentor", ["PPRDiffusion", "MarkovDiffusion", "rLapPPR"])
def test_diffusions_are_contrasted_with_the_graph_itself(augmentor):
    data = graph(10, seed=0)
    one, other = two_views(MethodConfig(augmentor=augmentor), "node")(data)
    assert torch.equal(one.edge_index, data.edge_index)
    assert not torch.equal(other.edge_index, data.edge_index)


def test_options_reach_the_augmentor():
    config = MethodConfig(augmentor="HeatDiffusion", options={"t": 3.0})
    assert two_views(config, "node").t2.transforms[0].t == 3.0
    config = MethodConfig(augmentor="PPRDiffusion", options={"alpha": 0.5}, protocol="paper")
    made = two_views(config, "node").t2.transforms[0].transform
    assert (made.alpha, made.transition, made.self_loops) == (0.5, "symmetric", True)


def test_weights_of_rlap_go_to_the_encoder_in_clean_alone():
    data = graph(20, seed=0)
    for protocol, weighted, expected in (("clean", None, True), ("paper", None, False), ("paper", True, True)):
        view = two_views(MethodConfig(protocol=protocol, weighted=weighted), "node")(data)[0]
        assert ("edge_weight" in view) == expected
    for name, protocol, weighted, expected in (
        ("grace", "clean", None, True),
        ("grace", "clean", False, False),
        ("grace", "paper", None, True),
        ("graphcl", "clean", None, True),
        ("graphcl", "paper", None, False),
        ("graphcl", "paper", True, True),
    ):
        method = build(MethodConfig(name, protocol=protocol, weighted=weighted, hidden=4), 4)
        assert method.weighted == expected


def test_the_scripts_take_a_batch_for_one_graph():
    data = Batch.from_data_list([graph(3, seed=s) for s in range(10)])
    clean = two_views(MethodConfig("graphcl", gamma1=0.3), "graph")(data)[0]
    assert clean.node_mask.all()  # floor(0.3 * 3) = 0 in every graph
    whole = two_views(MethodConfig("graphcl", gamma1=0.3, protocol="paper"), "graph")(data)[0]
    assert int((~whole.node_mask).sum()) == 9
    assert torch.equal(whole.batch, data.batch)
    assert torch.equal(whole.ptr, data.ptr)
    single = graph(6, seed=0)
    assert torch.equal(WholeBatch(T.Identity())(single).edge_index, single.edge_index)


def test_masks_of_the_scripts_are_columns_of_the_batch():
    data = batch()
    zero = two_views(MethodConfig("graphcl", protocol="paper", feature_masking=0.5), "graph")(data)[0].x == 0
    assert torch.equal(zero.all(0), zero.any(0))
    zero = two_views(MethodConfig("graphcl", feature_masking=0.5), "graph")(data)[0].x == 0
    assert not torch.equal(zero.all(0), zero.any(0))


def test_added_edges_are_merged_as_in_the_scripts():
    data = Data(x=torch.randn(4, 2), edge_index=T.EdgeAddition(1.0)(graph(4, seed=0)).edge_index)
    index = two_views(MethodConfig(augmentor="EdgeAddition", gamma1=1.0, protocol="paper"), "node")(data)[0].edge_index
    assert index.unique(dim=1).shape == index.shape


@pytest.mark.parametrize("per", ["entry", "column"])
def test_sparse_features_are_masked_and_stay_sparse(per):
    x = torch.eye(400)[:, :300]
    kept = []
    for seed in range(40):
        with seeds_from(seed):
            masked = FeatureMask(0.3, per)(Data(x=x)).x
        assert masked.layout == torch.sparse_csr
        full = masked.to_dense()
        assert bool(((full == x) | (full == 0)).all())
        kept.append(full.sum(dtype=torch.float64).item() / 300)
    # 300 entries in 300 columns: a mean of independent coins with the probability 0.7, either way
    assert_means(np.array(kept), np.array(0.7), variance=np.array(0.21 / 300), reach=np.array(0.7))
    assert (x.diagonal() == 1).all()


def test_masked_columns_are_whole():
    x = torch.zeros(400, 300)
    x[:, :10] = 1.0
    with seeds_from(0):
        masked = FeatureMask(0.5, "column")(Data(x=x)).x.to_dense()
    sums = masked.sum(0)[:10]
    assert bool(((sums == 0) | (sums == 400)).all())
    assert 0 < int((sums == 0).sum()) < 10


def test_masks_come_from_the_seed():
    data = Data(x=torch.eye(300))
    results = []
    for seed in (1, 1, 2):
        with seeds_from(seed):
            results.append(FeatureMask(0.5)(data).x.to_dense())
    assert torch.equal(results[0], results[1])
    assert not torch.equal(results[0], results[2])
    with pytest.raises(ValueError, match="must have features x as a tensor"):
        FeatureMask(0.5)(Data(edge_index=torch.empty(2, 0, dtype=torch.long), num_nodes=2))


def test_both_views_keep_the_same_nodes_of_a_subgraph():
    data = graph(30, seed=0)
    one, other = SubgraphViews(T.Identity(), T.EdgeDropping(0.1), size=12, seed=1)(data)
    left = set(one.edge_index.flatten().tolist())
    assert set(other.edge_index.flatten().tolist()) <= left
    assert 0 < len(left) <= 12
    assert one.num_nodes == 30
    assert len(one.edge_weight) == one.num_edges
    whole, _ = SubgraphViews(T.Identity(), T.Identity(), size=30)(data)
    assert torch.equal(whole.edge_index, data.edge_index)
    config = MethodConfig("mvgrl", "PPRDiffusion", protocol="paper")
    assert isinstance(two_views(config, "node"), SubgraphViews)
    assert not isinstance(two_views(MethodConfig("mvgrl", "PPRDiffusion"), "node"), SubgraphViews)


def test_views_are_read_as_encoders_need_them():
    data = batch()
    view = T.RLap(0.3, seed=0)(data)
    read = read_view(view, leaves_out=True, weighted=True)
    kept = view.node_mask.nonzero()[:, 0]
    assert torch.equal(read.nodes, kept)
    assert torch.equal(kept[read.edge_index], view.edge_index)
    assert torch.equal(read.edge_weight, view.edge_weight)
    assert torch.equal(read.owner, data.batch[kept])
    assert (read.num_graphs, read.num_nodes) == (4, len(kept))
    read = read_view(view, leaves_out=False, weighted=False)
    assert read.nodes is None
    assert read.edge_weight is None
    assert read.num_nodes == data.num_nodes
    # An edge to a node that is left out goes, whoever made the view.
    stray = Data(x=torch.eye(3), edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]))
    stray.node_mask = torch.tensor([True, True, False])
    assert read_view(stray, leaves_out=True, weighted=True).edge_index.tolist() == [[0, 1], [1, 0]]
    stray.batch = torch.tensor([0, 0, 1])
    assert read_view(stray, leaves_out=True, weighted=True).num_graphs == 2


def test_the_scripts_subgraph_has_the_size_that_is_asked_for():
    usual = MethodConfig("mvgrl", augmentor="PPRDiffusion", protocol="paper")
    assert two_views(usual, "node").size == 8192
    assert two_views(replace(usual, subgraph=2048), "node").size == 2048
    with pytest.raises(ValueError, match=r"subgraph must be at least 1 \(got 0\)"):
        MethodConfig(subgraph=0)

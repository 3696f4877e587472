"""The blueprint beyond the shipped designs: other modes with other objectives, and sparse features."""

from __future__ import annotations

import pytest
import torch
from torch_geometric.data import Data

from rlap.contrast import mode
from rlap.losses import JSD, BarlowTwins, BootstrapLatent, InfoNCE, VICReg
from rlap.methods import Blueprint, MethodConfig, build
from rlap.models import GCN, projector
from rlap.transforms import EdgeDropping, TwoViews
from tests.methods.examples import batch, graph

OBJECTIVES = [InfoNCE(), JSD(), BootstrapLatent(), BarlowTwins(), VICReg()]


def blueprint(name, objective):
    predictor = projector(6, "prelu") if isinstance(objective, BootstrapLatent) else None
    views = TwoViews(EdgeDropping(0.2), EdgeDropping(0.4))
    level = "node" if name == "l-l" else "graph"
    return Blueprint(views, (GCN(4, 6),), mode(name), objective, level=level, predictor=predictor).double()


@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("name", ["l-l", "g-l", "g-g"])
@pytest.mark.parametrize("data", [graph(10, seed=0), batch()], ids=["graph", "batch"])
def test_any_mode_with_any_objective_that_makes_sense(name, objective, data):
    torch.manual_seed(0)
    single = not hasattr(data, "ptr")
    if name == "g-l" and objective.refuses:
        with pytest.raises(ValueError, match="g-l makes no sense with this objective"):
            blueprint(name, objective)
        return
    method = blueprint(name, objective)
    pair = method.views(data)
    if name == "g-g" and single and not isinstance(objective, BootstrapLatent):
        with pytest.raises(ValueError, match="at least two graphs"):
            method(*pair)
        return
    method(*pair).backward()
    assert all(torch.isfinite(part.grad).all() for part in method.encoders.parameters())
    assert any(part.grad.abs().sum() > 0 for part in method.encoders.parameters())


def test_a_predictor_belongs_to_the_bootstrap():
    views, encoders = TwoViews(EdgeDropping(0.2)), (GCN(4, 6),)
    for objective, predictor in ((InfoNCE(), projector(6)), (BootstrapLatent(), None)):
        with pytest.raises(ValueError, match="a predictor belongs to an objective that bootstraps"):
            Blueprint(views, encoders, mode("l-l"), objective, level="node", predictor=predictor)


@pytest.mark.parametrize("data", [graph(10, seed=0), batch()], ids=["graph", "batch"])
def test_a_last_layer_that_moves_to_the_graphs_changes_nothing(data):
    """Loss and all gradients, with noise for negatives and with the nodes of other graphs."""
    torch.manual_seed(0)
    views = TwoViews(EdgeDropping(0.2), EdgeDropping(0.4))
    heads = {"node_projector": projector(6, "prelu"), "graph_projector": projector(6, "prelu")}
    method = Blueprint(views, (GCN(4, 6), GCN(4, 6)), mode("g-l"), JSD(), level="graph", **heads).double()
    assert method.folds
    pair, found = method.views(data), []
    for folds in (True, False):
        method.folds = folds
        torch.manual_seed(1)
        loss = method(*pair)
        found.append((loss.detach(), *torch.autograd.grad(loss, list(method.parameters()))))
    for folded, plain in zip(*found, strict=True):
        torch.testing.assert_close(folded, plain, rtol=1e-10, atol=1e-13)


def test_a_layer_moves_only_where_products_are_plain():
    views, encoders = TwoViews(EdgeDropping(0.2)), (GCN(4, 6),)
    for name, objective, head in (("g-l", InfoNCE(), projector(6)), ("l-l", JSD(), projector(6)), ("g-l", JSD(), None)):
        assert not Blueprint(views, encoders, mode(name), objective, level="node", node_projector=head).folds


@pytest.mark.parametrize("name", ["grace", "mvgrl", "bgrl-l2l"])
@pytest.mark.parametrize("protocol", ["clean", "paper"])
def test_sparse_features_give_what_dense_ones_give(name, protocol):
    x = torch.zeros(30, 20, dtype=torch.float64)
    x[torch.arange(30), torch.arange(30) % 20] = torch.rand(30, dtype=torch.float64) + 0.5
    whole = graph(30, seed=2)
    config = MethodConfig(name, hidden=8, protocol=protocol, feature_masking=0.0, gamma1=0.3, gamma2=0.2)
    results = []
    for features in (x, x.to_sparse_csr()):
        data = Data(x=features, edge_index=whole.edge_index, edge_weight=whole.edge_weight)
        torch.manual_seed(4)
        method = build(config, 20).double()
        loss = method(*method.views(data))
        loss.backward()
        gradients = [part.grad for part in method.parameters() if part.requires_grad]
        results.append((loss.detach(), method.embed(data), gradients))
    torch.testing.assert_close(results[1][0], results[0][0])
    torch.testing.assert_close(results[1][1], results[0][1])
    for one, other in zip(results[1][2], results[0][2], strict=True):
        torch.testing.assert_close(one, other)

"""GCN and GIN against PyG's, and against dense matrices."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.autograd import gradcheck
from torch_geometric.nn import GCNConv, GINConv

from rlap.models import GCN, GIN, Propagation, gcn_propagation, gin_propagation
from tests.graphs import random_graph

NODES = 15  # the last three have no edges


def graph(kind):
    made = random_graph(12, 30, seed=1)
    index, weight = torch.from_numpy(made.edge_index), torch.from_numpy(made.edge_weight)
    if kind == "plain":
        return index, None
    if kind == "weighted":
        return index, weight
    if kind == "directed":  # and in no order
        kept = torch.randperm(index.shape[1], generator=torch.Generator().manual_seed(0))[:40]
        return index[:, kept], weight[kept]
    if kind == "loops":
        loops = torch.tensor([[0, 3], [0, 3]])
        return torch.cat([index, loops], 1), torch.cat([weight, torch.tensor([0.7, 2.5], dtype=torch.float64)])
    return index[:, :0], None


KINDS = ["plain", "weighted", "directed", "loops", "empty"]


def features(width, seed=0):
    return torch.randn(NODES, width, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@pytest.mark.parametrize("kind", KINDS)
def test_gcn_is_pygs(kind):
    index, weight = graph(kind)
    torch.manual_seed(0)
    ours = GCN(4, 6, 3, slopes=True).double()
    theirs = [GCNConv(width, 6).double() for width in (4, 6, 6)]
    for number, conv in enumerate(theirs):
        with torch.no_grad():
            ours.biases[number].normal_()
            conv.lin.weight.copy_(ours.weights[number].t())
            conv.bias.copy_(ours.biases[number])
    hidden = features(4)
    for conv in theirs:
        hidden = ours.activation(conv(hidden, index, weight))
    embedded = ours.embed(features(4), index, weight)
    torch.testing.assert_close(embedded, hidden, rtol=1e-6, atol=1e-9)
    above = features(6, seed=1)
    expected = torch.autograd.grad((hidden * above).sum(), [part for c in theirs for part in (c.lin.weight, c.bias)])
    (embedded * above).sum().backward()
    for number in range(3):
        torch.testing.assert_close(ours.weights[number].grad, expected[2 * number].t(), rtol=1e-6, atol=1e-9)
        torch.testing.assert_close(ours.biases[number].grad, expected[2 * number + 1], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("kind", ["plain", "directed", "empty"])
def test_gin_is_pygs(kind):
    index = graph(kind)[0]
    torch.manual_seed(0)
    ours = GIN(4, 6, 2).double()
    hidden = features(4)
    for inner, outer, norm in zip(ours.inner, ours.outer, ours.norms, strict=True):
        conv = GINConv(nn.Sequential(inner, nn.ReLU(), outer)).double()
        hidden = norm(torch.relu(conv(hidden, index)))
    torch.testing.assert_close(ours.embed(features(4), index), hidden, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_gin_weighs_its_neighbours(kind):
    index, weight = graph(kind)
    matrix = torch.eye(NODES, dtype=torch.float64)
    for edge in range(index.shape[1]):
        matrix[index[1, edge], index[0, edge]] += 1.0 if weight is None else weight[edge]
    send = gin_propagation(index, weight, NODES, torch.float64)
    torch.testing.assert_close(send(features(3)), matrix @ features(3))


def test_gin_of_bgrl_normalises_once_and_drops_in_training():
    torch.manual_seed(0)
    model = GIN(4, 6, 2, activation="prelu", norm="last", dropout=0.5).double()
    assert [type(norm) for norm in model.norms] == [nn.Identity, nn.BatchNorm1d]
    index = graph("plain")[0]
    assert not torch.equal(model.embed(features(4), index), model.embed(features(4), index))
    model.eval()
    hidden = features(4)
    matrix = gin_propagation(index, None, NODES, torch.float64)(torch.eye(NODES, dtype=torch.float64))
    for inner, outer in zip(model.inner, model.outer, strict=True):
        hidden = model.activation(outer(torch.relu(inner(matrix @ hidden))))
    torch.testing.assert_close(model.embed(features(4), index), model.norms[1](hidden))


def test_gin_of_graphcl_gives_all_layers():
    torch.manual_seed(0)
    jumping = GIN(4, 6, 3, jump=True).double()
    torch.manual_seed(0)
    short = GIN(4, 6, 3).double()
    embedded = jumping.embed(features(4), graph("plain")[0])
    assert embedded.shape == (NODES, 18)
    torch.testing.assert_close(embedded[:, 12:], short.embed(features(4), graph("plain")[0]))


def test_gcn_with_norm():
    torch.manual_seed(0)
    model = GCN(4, 6, 1, norm=True).double()
    index = graph("plain")[0]
    plain = gcn_propagation(index, None, NODES, torch.float64)(features(4) @ model.weights[0])
    expected = model.activation((plain - plain.mean(0)) / (plain.var(0, correction=0) + 1e-5).sqrt())
    torch.testing.assert_close(model.embed(features(4), index), expected)


@pytest.mark.parametrize("kind", KINDS)
def test_propagation_has_the_right_gradient(kind):
    index, weight = graph(kind)
    send = Propagation(index, torch.ones(index.shape[1], dtype=torch.float64) if weight is None else weight, NODES)
    assert gradcheck(send, features(2).requires_grad_())


@pytest.mark.parametrize("make", [GCN, GIN])
def test_shuffling_what_was_lifted_is_shuffling_features(make):
    torch.manual_seed(0)
    model = make(4, 6).double().eval()
    index, weight = graph("weighted")
    order = torch.randperm(NODES)
    send = model.propagation(index, weight, NODES)
    torch.testing.assert_close(
        model(model.lift(features(4))[order], send), model.embed(features(4)[order], index, weight)
    )


def test_refusals():
    for make in (GCN, GIN):
        with pytest.raises(ValueError, match=r"layers must be at least 1 \(got 0\)"):
            make(3, 4, 0)
    with pytest.raises(ValueError, match=r'"relu" or "prelu" \(got \'elu\'\)'):
        GIN(3, 4, activation="elu")
    with pytest.raises(ValueError, match=r'"each" or "last" \(got \'none\'\)'):
        GIN(3, 4, norm="none")
    with pytest.raises(ValueError, match=r"one value for every edge, 2 \(got 3\)"):
        gcn_propagation(torch.tensor([[0, 1], [1, 0]]), torch.ones(3), 2, torch.float32)

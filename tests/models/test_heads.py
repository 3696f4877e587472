"""Pooling, the target network and the heads."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn
from torch_geometric.nn import global_add_pool, global_mean_pool

from rlap.models import Target, normed_head, pool, projector, summary_head

OWNER = torch.tensor([0, 0, 1, 1, 1, 3])


@pytest.mark.parametrize(("how", "theirs"), [("add", global_add_pool), ("mean", global_mean_pool)])
def test_pooling_is_pygs(how, theirs):
    nodes = torch.randn(6, 3)
    torch.testing.assert_close(pool(nodes, OWNER, 4, how=how), theirs(nodes, OWNER, 4))
    torch.testing.assert_close(pool(nodes, how=how), theirs(nodes, None))


@pytest.mark.parametrize("how", ["add", "mean"])
def test_dropped_nodes_do_not_enter(how):
    nodes, mask = torch.randn(6, 3), torch.tensor([True, False, True, True, False, True])
    pooled = pool(nodes, OWNER, 4, how=how, node_mask=mask)
    torch.testing.assert_close(pooled, pool(nodes[mask], OWNER[mask], 4, how=how))
    nodes[~mask] = math.nan
    torch.testing.assert_close(pool(nodes, OWNER, 4, how=how, node_mask=mask), pooled)
    with pytest.raises(ValueError, match=r'"add" or "mean" \(got \'max\'\)'):
        pool(nodes, how="max")


def network():
    return nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))


@pytest.mark.parametrize("buffers", [True, False])
def test_the_target_is_an_average_of_the_past(buffers):
    online = network()
    target = Target(online, momentum=0.9, cosine=False, buffers=buffers)
    weight, mean = online[0].weight.detach().clone(), online[1].running_mean.clone()
    for step in range(5):
        with torch.no_grad():
            online[0].weight.normal_()
        online(torch.randn(8, 2))
        target.follow(online, step, 5)
        weight = 0.9 * weight + 0.1 * online[0].weight.detach()
        mean = 0.9 * mean + 0.1 * online[1].running_mean if buffers else mean
    torch.testing.assert_close(target.network[0].weight, weight)
    torch.testing.assert_close(target.network[1].running_mean, mean)
    assert int(target.network[1].num_batches_tracked) == (5 if buffers else 0)
    assert not any(part.requires_grad for part in target.parameters())
    assert not target(torch.randn(8, 2)).requires_grad


def test_the_momentum_rises_along_a_cosine():
    target = Target(network(), momentum=0.99)
    rising = [target.momentum_at(step, 100) for step in range(101)]
    assert rising[0] == pytest.approx(0.99)
    assert rising[50] == pytest.approx(0.995)
    assert rising[-1] == pytest.approx(1.0)
    assert rising == sorted(rising)
    with pytest.raises(ValueError, match=r"momentum must lie in \[0, 1\] \(got 1.5\)"):
        Target(network(), 1.5)


def test_heads():
    z = torch.randn(5, 4)
    head = projector(4, "elu", hidden=7)
    torch.testing.assert_close(head(z), head[2](nn.functional.elu(head[0](z))))
    graph = summary_head(4, bias=False)
    torch.testing.assert_close(graph(z), torch.sigmoid(z) @ graph[1].weight.t())
    head = normed_head(4).eval()
    torch.testing.assert_close(head(z), head[2](head[1](head[0](z))))
    with pytest.raises(ValueError, match="activation must be one of"):
        projector(4, "tanh")

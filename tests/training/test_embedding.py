"""Embedding in batches that are cut from another order."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch
from torch_geometric.data import Data

from rlap.methods import MethodConfig, build
from rlap.training import TrainConfig, embed

GRAPHS = 11


def graph(number):
    edges = torch.tensor([[0, 1], [1, 0]])
    return Data(x=torch.full((2, 3), float(number)), edge_index=edges, y=torch.zeros(1, dtype=torch.long))


DATASET = SimpleNamespace(level="graph", graphs=[graph(number) for number in range(GRAPHS)])
ORDER = torch.randperm(GRAPHS, generator=torch.Generator().manual_seed(0))


class Names(torch.nn.Module):
    """Embeds a graph as its own number and that of the first graph of its batch."""

    def embed(self, batch):
        own = batch.x[batch.ptr[:-1], 0]
        return torch.stack([own, own[:1].expand(len(own))], dim=1)


def test_batches_follow_the_order_and_the_result_does_not():
    config = TrainConfig(batch_size=4)
    for order in (None, ORDER):
        found = embed(Names(), DATASET, config, order)
        assert found[:, 0].tolist() == list(range(GRAPHS))
        walked = list(range(GRAPHS)) if order is None else order.tolist()
        firsts = {graph: walked[place // 4 * 4] for place, graph in enumerate(walked)}
        assert found[:, 1].tolist() == [firsts[graph] for graph in range(GRAPHS)]


def test_clean_embeddings_do_not_depend_on_the_order():
    method = build(MethodConfig("bgrl", hidden=4), 3)
    some, other = (embed(method, DATASET, TrainConfig(batch_size=4), order) for order in (None, ORDER))
    torch.testing.assert_close(some, other)
    assert len(some.unique(dim=0)) == GRAPHS


@pytest.mark.parametrize("order", [torch.arange(3), torch.zeros(GRAPHS, dtype=torch.long)])
def test_an_order_must_be_a_permutation(order):
    with pytest.raises(ValueError, match=r"order must be a permutation of 11 graphs"):
        embed(Names(), DATASET, TrainConfig(), order)


def test_a_single_graph_has_no_order():
    with pytest.raises(ValueError, match="order must be None"):
        embed(Names(), SimpleNamespace(level="node", data=graph(0)), TrainConfig(), ORDER)

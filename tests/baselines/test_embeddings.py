"""DeepWalk against counts, attention against PyG's layer, InfoGraph against its definition; GAE on many words."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import torch
from torch.nn.functional import softplus
from torch_geometric.data import Batch, Data
from torch_geometric.nn import GATConv, GCNConv

from rlap.baselines.attention import Attentions
from rlap.baselines.convolution import Convolutions, drop_entries
from rlap.baselines.deepwalk import _mutual_information, _pairs, embed_walks
from rlap.baselines.gae import gae
from rlap.baselines.infograph import build
from rlap.baselines.task import Task
from rlap.datasets import NodeSet
from rlap.models import gcn_propagation


def cliques(size):
    edges = [(at + one, at + two) for at in (0, size) for one, two in combinations(range(size), 2)]
    edges.append((size - 1, size))
    both = np.array([*edges, *[(two, one) for one, two in edges]]).T
    return np.ascontiguousarray(both)


def test_deepwalk_separates_two_cliques_joined_by_one_edge():
    size = 10
    found = embed_walks(cliques(size), 2 * size, walks=20, length=20, window=3, width=4, seed=1)
    unit = found / np.linalg.norm(found, axis=1, keepdims=True)
    cosine = unit @ unit.T
    inside = [cosine[one, two] for at in (0, size) for one, two in combinations(range(at, at + size), 2)]
    across = cosine[:size, size:].ravel()
    assert min(inside) > max(across)
    again = embed_walks(cliques(size), 2 * size, walks=20, length=20, window=3, width=4, seed=1)
    np.testing.assert_array_equal(found, again)


def test_pairs_and_their_information_by_hand():
    walks = np.array([[0, 1, 2, 1], [3, 3, 0, 1]])
    window, wanted = 2, np.zeros((4, 4))
    for walk in walks:
        for at, one in enumerate(walk):
            for other in walk[at + 1 : at + 1 + window]:
                wanted[one, other] += 1
                wanted[other, one] += 1
    counts = _pairs(walks, window, 4)
    np.testing.assert_array_equal(counts.toarray(), wanted)
    total, share = wanted.sum(), wanted.sum(axis=1)
    with np.errstate(divide="ignore"):
        information = np.maximum(np.log(wanted * total / np.outer(share, share)), 0)
    np.testing.assert_allclose(_mutual_information(counts).toarray(), information, rtol=1e-12)


@pytest.fixture
def graph():
    generator = torch.Generator().manual_seed(0)
    one, two = torch.randint(12, (2, 30), generator=generator)
    edges = torch.unique(torch.stack([torch.cat([one, two]), torch.cat([two, one])]), dim=1)
    return torch.rand(12, 5, generator=generator), edges[:, edges[0] != edges[1]]


def test_attention_is_pygs(graph):
    x, edges = graph
    torch.manual_seed(1)
    ours = Attentions(5, 4, 3, heads=2).eval()
    first, second = GATConv(5, 4, heads=2), GATConv(8, 3, heads=1)
    for layer, weight, scores, bias in (
        (first, ours.first, ours.first_scores, ours.first_bias),
        (second, ours.second, ours.second_scores, ours.second_bias),
    ):
        layer.lin.weight.data = weight.data.t()
        layer.att_src.data, layer.att_dst.data = scores.data[:1], scores.data[1:]
        layer.bias.data = bias.data.normal_()
    wanted = second(torch.nn.functional.elu(first(x, edges)), edges)
    torch.testing.assert_close(ours(x, edges), wanted)
    torch.testing.assert_close(ours(x.to_sparse_csr(), edges), wanted)


def test_convolutions_are_pygs(graph):
    x, edges = graph
    torch.manual_seed(1)
    ours = Convolutions(5, 4, 3, drop=0.5).eval()
    first, second = GCNConv(5, 4), GCNConv(4, 3)
    for layer, weight, bias in (
        (first, ours.first, ours.first_bias),
        (second, ours.second, ours.second_bias),
    ):
        layer.lin.weight.data, layer.bias.data = weight.data.t(), bias.data.normal_()
    wanted = second(torch.relu(first(x, edges)), edges)
    propagation = gcn_propagation(edges, None, 12, torch.float32)
    torch.testing.assert_close(ours(x, propagation), wanted)
    torch.testing.assert_close(ours(x.to_sparse_csr(), propagation), wanted)


def test_dropped_entries_are_zero_and_the_others_doubled():
    torch.manual_seed(0)
    x = torch.ones(40, 50)
    for features in (x, x.to_sparse_csr()):
        dropped = drop_entries(features, 0.5, training=True).to_dense()
        assert set(dropped.unique().tolist()) == {0.0, 2.0}
        # Five deviations of 2000 coins.
        assert abs(float((dropped == 0).float().mean()) - 0.5) < 5 * 0.5 / 2000**0.5


def test_infographs_loss_is_the_jensen_shannon_bound(graph):
    x, edges = graph
    batch = Batch.from_data_list([Data(x=x, edge_index=edges), Data(x=x[:6].flip(0), edge_index=edges[:, :0])])
    torch.manual_seed(2)
    method = build(5, hidden=4, layers=2).eval()
    hidden = method.encoders[0].embed(batch.x, batch.edge_index)
    nodes = method.node_projector(hidden)
    pooled = torch.stack([hidden[batch.batch == number].sum(dim=0) for number in range(2)])
    scores = nodes @ method.graph_projector(pooled).t()
    own = torch.nn.functional.one_hot(batch.batch, 2).bool()
    # The bound is log 2 - softplus(-s) for positive pairs, and softplus(s) - log 2 for negative ones.
    ln2 = np.log(2)
    positive = (ln2 - softplus(-scores[own])).mean()
    negative = (softplus(scores[~own]) - ln2).mean()
    found = method(*method.views(batch))
    torch.testing.assert_close(found, (negative - positive).to(found.dtype), rtol=1e-5, atol=1e-5)


def test_the_autoencoder_learns_where_nodes_have_many_words():
    generator = torch.Generator().manual_seed(0)
    label = torch.arange(400) % 4
    likely = torch.where(label[:, None] == label, 0.08, 0.01)
    pairs = torch.triu(torch.rand(400, 400, generator=generator) < likely, 1)
    edges = (pairs | pairs.T).nonzero().T.contiguous()
    words = (torch.rand(400, 700, generator=generator) < 0.35).float()  # a third of all, as on Photo, about no label
    found = gae(Task(NodeSet("blocks", Data(words, edges, y=label), 4), splits=2))
    assert found.notes["last_loss"] < 2 * np.log(2)  # what all products zero would have

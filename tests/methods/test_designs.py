"""Every design against itself by hand, and what all designs must do."""

from __future__ import annotations

import math

import pytest
import torch
from torch.nn.functional import prelu
from torch_geometric.data import Batch

from rlap.adapters.torch import seeds_from
from rlap.methods import MethodConfig, build, level, names
from tests.methods import by_hand
from tests.methods.examples import batch, graph, without

PROTOCOLS = ["clean", "paper"]


def make(name, protocol="clean", seed=0, **options):
    torch.manual_seed(seed)
    options = {"hidden": 6, "dropout": 0.0, "gamma1": 0.3, "gamma2": 0.2, **options}
    return build(MethodConfig(name, protocol=protocol, **options), in_features=4).double()


def data_for(name):
    return graph(12, seed=1) if level(name) == "node" else batch()


def hand_views(name):
    data = data_for(name)
    return without(data, [0, 5]), without(data, [3, 8, 9])


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", names())
def test_losses_are_those_written_by_hand(name, protocol):
    method, pair = make(name, protocol), hand_views(name)
    clean = protocol == "clean"
    with torch.no_grad():
        for part in method.parameters():
            part.add_(0.1 * torch.randn_like(part))  # no bias is zero, no target is its network
    weighted = clean or level(name) == "node"  # GIN sees no weights in the scripts
    one, other = (by_hand.View(view, leaves_out=clean, weighted=weighted) for view in pair)
    torch.manual_seed(3)
    orders = [torch.randperm(len(view.ids)) for view in (one, other)]
    torch.manual_seed(3)
    loss = method(*pair)
    if name == "grace":
        expected = by_hand.grace(method, one, other, t=0.4, scaled=clean)
    elif name == "graphcl":
        expected = by_hand.graphcl(method, one, other, t=0.5 if clean else 0.2)
    elif name == "bgrl":
        expected = by_hand.bgrl(method, one, other, slip=not clean)
    elif name == "bgrl-l2l":
        expected = by_hand.bgrl_local(method, one, other)
    else:
        project, summarize = projections(method, name, clean)
        expected = by_hand.jsd_of_summaries(method, one, other, orders, project, summarize)
    torch.testing.assert_close(loss, expected, rtol=1e-9, atol=1e-10)
    parts = [part for part in method.parameters() if part.requires_grad]
    mine = torch.autograd.grad(loss, parts, allow_unused=True)
    theirs = torch.autograd.grad(expected, parts, allow_unused=True)
    for a, b in zip(mine, theirs, strict=True):
        zeros = torch.zeros(())
        torch.testing.assert_close(zeros if a is None else a.sum(), zeros if b is None else b.sum(), check_dtype=False)


def projections(method, name, clean):
    if name == "mvgrl" and clean:
        return [
            lambda z, head=head: by_hand.mlp(head, z, lambda y: prelu(y, head[1].weight))
            for head in (method.node_projector, method.graph_projector)
        ]
    return (lambda z: z), (lambda z: method.graph_projector[1](torch.sigmoid(z)))


@pytest.mark.parametrize("name", names())
def test_features_of_dropped_nodes_change_nothing(name):
    method = make(name)
    losses, embeddings, seen = [], [], []
    for fill in (None, 7.0, -100.0):
        torch.manual_seed(1)
        pair = hand_views(name)
        for view in pair:
            if fill is not None:
                view.x = torch.where(view.node_mask[:, None], view.x, torch.full_like(view.x, fill))
        losses.append(method(*pair))
        seen.append(pair[0])
    if level(name) == "graph":
        embeddings = [method.embed(view) for view in seen]
    assert torch.equal(losses[0], losses[1])
    assert torch.equal(losses[0], losses[2])
    assert all(torch.equal(embeddings[0], other) for other in embeddings[1:])


@pytest.mark.parametrize("name", names())
def test_the_scripts_keep_dropped_nodes(name):
    method = make(name, "paper")
    pair = hand_views(name)
    torch.manual_seed(1)
    before = method(*pair)
    pair[0].x = torch.where(pair[0].node_mask[:, None], pair[0].x, torch.full_like(pair[0].x, 7.0))
    torch.manual_seed(1)
    assert not torch.equal(method(*pair), before)


def steps(name, protocol, count, lr=0.01, **options):
    method = make(name, protocol, hidden=16, **options)
    data = data_for(name)
    optimizer = torch.optim.Adam(method.parameters(), lr=lr)
    losses = []
    for step in range(count):
        with seeds_from(step % 4):
            pair = method.views(data)
        optimizer.zero_grad()
        torch.manual_seed(step % 4)
        loss = method(*pair)
        loss.backward()
        optimizer.step()
        method.after_step(step + 1, count)
        losses.append(loss.item())
    return losses


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", names())
def test_losses_fall(name, protocol):
    losses = steps(name, protocol, 40)
    assert all(map(math.isfinite, losses))
    assert sum(losses[-8:]) < sum(losses[:8])


@pytest.mark.parametrize("name", names())
def test_same_seed_same_losses(name):
    assert steps(name, "clean", 5) == steps(name, "clean", 5)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", names())
def test_embeddings(name, protocol):
    method, data = make(name, protocol), data_for(name)
    method.train()
    with seeds_from(5):
        embedded = method.embed(data)
    assert method.training
    assert not embedded.requires_grad
    clean = protocol == "clean"
    encode = [method.encoders[0], method.encoders[-1]]
    method.eval()
    if name in ("grace", "dgi", "bgrl-l2l"):
        expected = encode[0].embed(data.x, data.edge_index, data.edge_weight)
    elif name == "graphcl" or (name == "bgrl" and clean):
        nodes = encode[0].embed(data.x, data.edge_index, data.edge_weight if clean else None)
        expected = torch.stack([nodes[data.batch == one].sum(0) for one in range(4)])
    elif name == "mvgrl" and clean:
        expected = sum(encoder.embed(data.x, data.edge_index, data.edge_weight) for encoder in encode)
    else:
        with seeds_from(5):
            pair = method.views(data)
        parts = [
            encoder.embed(view.x, view.edge_index, view.get("edge_weight") if name == "mvgrl" else None)
            for encoder, view in zip(encode, pair, strict=True)
        ]
        if name == "bgrl":
            parts = [torch.stack([part[data.batch == one].sum(0) for one in range(4)]) for part in parts]
        expected = sum(parts) if name == "mvgrl" else torch.cat(parts, 1)
    torch.testing.assert_close(embedded, expected.detach())


def test_a_graph_has_the_same_embedding_alone_and_in_a_batch():
    for name in ("graphcl", "bgrl"):
        method, whole = make(name), batch()
        alone = [method.embed(Batch.from_data_list([one])) for one in whole.to_data_list()]
        torch.testing.assert_close(method.embed(whole), torch.cat(alone))


def test_the_target_follows_after_every_step():
    method = make("bgrl")
    before = [part.clone() for part in method.target.parameters()]
    with torch.no_grad():
        for part in method.encoders.parameters():
            part.add_(1.0)
    method.after_step(0, 100)
    moved = [after - was for after, was in zip(method.target.network[0].parameters(), before, strict=False)]
    for change in moved:
        torch.testing.assert_close(change, torch.full_like(change, 0.01))
    assert "target" not in dict(make("grace").named_children())


def test_refusals():
    with pytest.raises(ValueError, match=r"method must be one of .*\(got 'grce'; the nearest is 'grace'\)"):
        build(MethodConfig("grce"), 3)
    with pytest.raises(ValueError, match=r"in_features must be at least 1 \(got 0\)"):
        build(MethodConfig(), 0)
    with pytest.raises(ValueError, match=r"gamma1 must lie in \[0, 1\] \(got 1.5\)"):
        MethodConfig(gamma1=1.5)
    with pytest.raises(ValueError, match=r"hidden must be at least 1 \(got 0\)"):
        MethodConfig(hidden=0)
    with pytest.raises(ValueError, match=r'protocol must be "clean" or "paper" \(got \'text\'\)'):
        MethodConfig(protocol="text")
    with pytest.raises(ValueError, match=r'masking must be "entry" or "column" \(got \'row\'\)'):
        MethodConfig(masking="row")
    data = graph(6, seed=0)
    with pytest.raises(ValueError, match=r"a view must have a node left \(got none\)"):
        make("grace")(without(data, range(6)), data)
    data.num_nodes = 6
    del data.x
    with pytest.raises(ValueError, match="must have features x as a tensor"):
        make("grace").views(data)

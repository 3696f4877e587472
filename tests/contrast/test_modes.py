"""The modes: which pairs they make, and which objectives they take."""

from __future__ import annotations

import pytest
import torch

from rlap.contrast import GlobalGlobal, GlobalLocal, Groups, LocalLocal, Rows, Side, mode
from rlap.losses import JSD, BarlowTwins, BootstrapLatent, InfoNCE, VICReg
from tests.losses import dense

SIZES = [2, 3, 1]
OWNER = torch.repeat_interleave(torch.arange(3), torch.tensor(SIZES))


def numbers(*shape, seed):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def sides(**given):
    return [
        Side(
            nodes=numbers(6, 4, seed=seed),
            graphs=numbers(3, 4, seed=seed + 1),
            target_nodes=numbers(6, 4, seed=seed + 2),
            target_graphs=numbers(3, 4, seed=seed + 3),
            owner=OWNER,
            **given,
        )
        for seed in (0, 10)
    ]


def pairs_by_hand(objective, anchors, samples, positive, negative):
    """Any objective over pairs, with masks."""
    if isinstance(objective, InfoNCE):
        return dense.infonce_pairs(anchors, samples, positive, negative, objective.temperature)
    if isinstance(objective, JSD):
        return dense.jsd_pairs(anchors, samples, positive, negative)
    place = positive.nonzero()
    return 2 - 2 * dense.cosine(anchors[place[:, 0]], samples[place[:, 1]]).mean()


@pytest.mark.parametrize("objective", [InfoNCE(0.4), JSD()], ids=repr)
@pytest.mark.parametrize("kind", [LocalLocal, GlobalGlobal])
def test_rows_in_both_directions(kind, objective):
    one, other = sides()
    first, second = (one.nodes, other.nodes) if kind is LocalLocal else (one.graphs, other.graphs)
    own = torch.tensor([[i == j for j in range(len(first))] for i in range(len(first))])
    expected = (
        pairs_by_hand(objective, first, second, own, ~own) + pairs_by_hand(objective, second, first, own, ~own)
    ) / 2
    torch.testing.assert_close(kind()(objective, one, other), expected)


@pytest.mark.parametrize("objective", [InfoNCE(0.4), JSD()], ids=repr)
def test_a_batch_contrasts_graphs_with_nodes_of_the_other_view(objective):
    one, other = sides()
    own = torch.tensor([[graph == of for of in OWNER.tolist()] for graph in range(3)])
    expected = (
        pairs_by_hand(objective, one.graphs, other.nodes, own, ~own)
        + pairs_by_hand(objective, other.graphs, one.nodes, own, ~own)
    ) / 2
    torch.testing.assert_close(GlobalLocal()(objective, one, other), expected)


@pytest.mark.parametrize("objective", [InfoNCE(0.4), JSD()], ids=repr)
def test_one_graph_has_noise_for_negatives(objective):
    one, other = (
        Side(nodes=numbers(4, 3, seed=s), graphs=numbers(1, 3, seed=s + 1), noise=numbers(4, 3, seed=s + 2))
        for s in (0, 10)
    )
    positive = torch.tensor([[True] * 4 + [False] * 4])
    expected = (
        pairs_by_hand(objective, one.graphs, torch.cat([other.nodes, other.noise]), positive, ~positive)
        + pairs_by_hand(objective, other.graphs, torch.cat([one.nodes, one.noise]), positive, ~positive)
    ) / 2
    torch.testing.assert_close(GlobalLocal()(objective, one, other), expected)


def test_the_bootstrap_predicts_targets_of_the_other_view():
    one, other = sides()
    loss = BootstrapLatent()
    nodes = 2 - dense.cosine(one.nodes, other.target_nodes).mean() - dense.cosine(other.nodes, one.target_nodes).mean()
    graphs = 2 - sum(dense.cosine(a.graphs, b.target_graphs).mean() for a, b in ((one, other), (other, one)))
    mixed = 2 - sum(dense.cosine(a.nodes, b.target_graphs[OWNER]).mean() for a, b in ((one, other), (other, one)))
    torch.testing.assert_close(LocalLocal()(loss, one, other), nodes)
    torch.testing.assert_close(GlobalGlobal()(loss, one, other), graphs)
    torch.testing.assert_close(GlobalLocal()(loss, one, other), mixed)


@pytest.mark.parametrize("objective", [BarlowTwins(), VICReg()], ids=repr)
def test_statistics_of_coordinates_take_nodes_or_graphs_but_not_both(objective):
    one, other = sides()
    torch.testing.assert_close(LocalLocal()(objective, one, other), objective(one.nodes, other.nodes))
    torch.testing.assert_close(GlobalGlobal()(objective, one, other), objective(one.graphs, other.graphs))
    with pytest.raises(
        ValueError, match=r"the mode g-l makes no sense with this objective: .*the graph's side has one"
    ):
        GlobalLocal()(objective, one, other)


@pytest.mark.parametrize(
    ("mine", "theirs"), [(None, None), (None, [0, 2, 5]), ([1, 2], None), ([0, 2, 3, 5], [1, 2, 5])]
)
def test_only_nodes_of_both_views_are_matched(mine, theirs):
    whole = [numbers(6, 4, seed=seed) for seed in (0, 1)]
    left = [None if ids is None else torch.tensor(ids) for ids in (mine, theirs)]
    one, other = (
        Side(nodes=rows if ids is None else rows[ids], ids=ids) for rows, ids in zip(whole, left, strict=True)
    )
    both = sorted(set(range(6) if mine is None else mine) & set(range(6) if theirs is None else theirs))
    (rows,) = LocalLocal().contrasts(one, other)
    assert torch.equal(rows.first, whole[0][both])
    assert torch.equal(rows.second, whole[1][both])


def test_masks_tell_every_pair():
    positive, negative = Rows(torch.ones(3, 2), torch.ones(3, 2)).masks()
    assert torch.equal(positive, torch.eye(3, dtype=torch.bool))
    assert torch.equal(negative, ~positive)
    positive, negative = Groups(torch.ones(3, 2), torch.ones(6, 2), OWNER).masks()
    assert positive.sum(1).tolist() == SIZES
    assert torch.equal(negative, ~positive)
    noise = (torch.ones(2, 2), torch.zeros(2, dtype=torch.long))
    positive, negative = Groups(torch.ones(1, 2), torch.ones(3, 2), torch.zeros(3, dtype=torch.long), noise).masks()
    assert positive.tolist() == [[True] * 3 + [False] * 2]
    assert negative.tolist() == [[False] * 3 + [True] * 2]


def test_noise_is_asked_for_where_nothing_else_is_negative():
    assert GlobalLocal().wants_noise(JSD(), 1)
    assert not GlobalLocal().wants_noise(JSD(), 2)
    assert not GlobalLocal().wants_noise(BootstrapLatent(), 1)
    assert not LocalLocal().wants_noise(JSD(), 1)


def test_refusals():
    one = Side(nodes=torch.ones(2, 3), graphs=torch.ones(1, 3), ids=torch.tensor([0, 1]))
    with pytest.raises(ValueError, match=r"g-g needs at least two graphs in a batch to compare them \(got 1\)"):
        GlobalGlobal()(InfoNCE(), one, one)
    with pytest.raises(ValueError, match=r"this contrast needs nodes of the target \(got None\)"):
        LocalLocal()(BootstrapLatent(), one, one)
    with pytest.raises(ValueError, match=r"a node in common \(got none, of 2 and 1\)"):
        LocalLocal()(InfoNCE(), one, Side(nodes=torch.ones(1, 3), ids=torch.tensor([5])))
    with pytest.raises(ValueError, match=r'"l-l", "g-l" or "g-g" \(got \'l-g\'\)'):
        mode("l-g")
    assert [type(mode(name)) for name in ("l-l", "g-l", "g-g")] == [LocalLocal, GlobalLocal, GlobalGlobal]

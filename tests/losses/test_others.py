"""JSD, the bootstrap, Barlow Twins and VICReg against their formulas."""

from __future__ import annotations

import pytest
import torch
from torch.autograd import gradcheck

from rlap.losses import JSD, BarlowTwins, BootstrapLatent, VICReg
from tests.losses import dense


def matrices(*rows, width=3, seed=0):
    random = torch.Generator().manual_seed(seed)
    return [torch.randn(count, width, generator=random, dtype=torch.float64).requires_grad_() for count in rows]


def same(ours, theirs, inputs):
    torch.testing.assert_close(ours, theirs)
    expected = torch.autograd.grad(theirs, inputs, retain_graph=True)
    for one, two in zip(torch.autograd.grad(ours, inputs), expected, strict=True):
        torch.testing.assert_close(one, two)


@pytest.mark.parametrize(("rows", "tile"), [(2, 1), (7, 3), (8, 4), (9, 100)])
def test_jsd_of_rows(rows, tile):
    first, second = matrices(rows, rows)
    positive = torch.eye(rows, dtype=torch.bool)
    same(JSD(tile=tile)(first, second), dense.jsd_pairs(first, second, positive, ~positive), (first, second))
    assert gradcheck(JSD(tile=tile), (first, second))


def test_jsd_of_groups():
    anchors, samples, noise = matrices(3, 6, 5)
    owner, noise_owner = torch.tensor([0, 1, 1, 2, 2, 2]), torch.tensor([0, 0, 1, 2, 2])
    own = torch.arange(3)[:, None] == owner
    same(JSD().grouped(anchors, samples, owner), dense.jsd_pairs(anchors, samples, own, ~own), (anchors, samples))
    mine = torch.arange(3)[:, None] == noise_owner
    both = torch.cat([samples, noise])
    theirs = dense.jsd_pairs(anchors, both, torch.cat([own, mine & False], 1), torch.cat([own & False, mine], 1))
    same(JSD().grouped(anchors, samples, owner, (noise, noise_owner)), theirs, (anchors, samples, noise))


def test_jsd_survives_large_products():
    first, second = (1e3 * matrix.detach().float() for matrix in matrices(4, 4))
    assert torch.isfinite(JSD()(first, second))


def test_bootstrap():
    prediction, target = matrices(6, 6)
    theirs = 2 - 2 * dense.cosine(prediction, target.detach()).mean()
    same(BootstrapLatent()(prediction, target), theirs, (prediction,))
    assert gradcheck(lambda p: BootstrapLatent()(p, target), prediction)
    BootstrapLatent()(prediction, target).backward()
    assert target.grad is None
    slipped = BootstrapLatent(sign_slip=True)(prediction, target)
    torch.testing.assert_close(slipped, dense.cosine(prediction, target).mean().detach(), check_dtype=True)


def test_bootstrap_of_groups():
    target, prediction = matrices(2, 5)
    owner = torch.tensor([0, 0, 1, 1, 1])
    each = dense.cosine(prediction, target.detach()[owner])
    same(BootstrapLatent().grouped(target, prediction, owner), 2 - 2 * each.mean(), (prediction,))
    per_graph = torch.stack([each[:2].sum(), each[2:].sum()]).mean()
    same(BootstrapLatent(sign_slip=True).grouped(target, prediction, owner), per_graph, (prediction,))


@pytest.mark.parametrize("factor", [None, 0.05])
def test_barlow_twins(factor):
    first, second = matrices(8, 8, width=4)
    theirs = dense.barlow_twins(first, second, 1 / 4 if factor is None else factor, 1e-5)
    same(BarlowTwins(factor)(first, second), theirs, (first, second))
    assert gradcheck(BarlowTwins(factor), (first, second))


def test_vicreg():
    first, second = (0.5 * matrix for matrix in matrices(8, 8, width=4))  # small enough for the hinge to be active
    same(VICReg()(first, second), dense.vicreg(first, second, 1e-4), (first, second))
    assert gradcheck(VICReg(), (first, second))


def test_refusals():
    one = torch.ones(1, 3)
    with pytest.raises(ValueError, match=r"at least two rows, for a negative pair \(got 1\)"):
        JSD()(one, one)
    with pytest.raises(ValueError, match=r"at least two graphs, or noise.*\(got one graph\)"):
        JSD().grouped(one, torch.ones(2, 3), torch.zeros(2, dtype=torch.long))
    with pytest.raises(ValueError, match=r"at least two rows, for a variance \(got 1\)"):
        VICReg()(one, one)
    with pytest.raises(ValueError, match=r"must have one shape \(got \(1, 3\) and \(2, 3\)\)"):
        BootstrapLatent()(one, torch.ones(2, 3))
    with pytest.raises(ValueError, match=r"must not be negative \(got -1\)"):
        BarlowTwins(-1)
    with pytest.raises(ValueError, match=r"tile must be at least 1 \(got 0\)"):
        JSD(tile=0)

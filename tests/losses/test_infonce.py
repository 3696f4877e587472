"""InfoNCE against the dense form with masks."""

from __future__ import annotations

import math

import pytest
import torch
from torch.autograd import gradcheck

from rlap.losses import InfoNCE
from tests.losses import dense

VARIANTS = [{"intra_view": intra, "scaled_positive": scaled} for intra in (False, True) for scaled in (False, True)]


def views(rows, width, dtype=torch.float64, seed=0):
    random = torch.Generator().manual_seed(seed)
    return [torch.randn(rows, width, generator=random, dtype=dtype).requires_grad_() for _ in range(2)]


# 1 to 4 tiles are kept for the gradient, more are computed again.
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize(("rows", "tile"), [(1, 4), (7, 3), (8, 4), (9, 100), (33, 8)])
def test_value_and_gradient_are_those_of_the_dense_form(rows, tile, variant):
    first, second = views(rows, 5)
    ours = InfoNCE(0.3, tile=tile, **variant)(first, second)
    theirs = dense.infonce(first, second, 0.3, **variant)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-12, abs=1e-13)
    mine = torch.autograd.grad(ours, (first, second))
    other = torch.autograd.grad(theirs, (first, second))
    for one, two in zip(mine, other, strict=True):
        torch.testing.assert_close(one, two, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("tile", [2, 100])
def test_a_gradient_can_be_asked_for_twice(tile):
    first, second = views(9, 4)
    loss = InfoNCE(0.3, tile=tile)(first, second)
    once, again = (torch.autograd.grad(loss, (first, second), retain_graph=True) for _ in range(2))
    assert all(torch.equal(one, two) for one, two in zip(once, again, strict=True))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_gradcheck(variant):
    assert gradcheck(InfoNCE(0.5, tile=3, **variant), views(5, 3))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_single_precision_is_right_to_1e_5(variant):
    """Two tiles a side, the last one narrow."""
    first, second = views(2100, 64, torch.float32)
    ours = InfoNCE(0.2, **variant)(first, second)
    wide = [view.detach().double().requires_grad_() for view in (first, second)]
    theirs = dense.infonce(*wide, 0.2, **variant)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-5)
    for one, two in zip(torch.autograd.grad(ours, (first, second)), torch.autograd.grad(theirs, wide), strict=True):
        assert (one - two).norm() <= 1e-5 * two.norm()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("t", [0.005, 0.02])
def test_small_temperatures_neither_overflow_nor_vanish(t, dtype):
    """Opposite rows: exp(-2 / t) is no number of single precision."""
    first = torch.eye(3, dtype=dtype)
    loss = InfoNCE(t)(first, -first)  # s_ii = -1 and s_ij = 0, so the sum is 2 + exp(-1 / t)
    assert loss.item() == pytest.approx(math.log(2 + math.exp(-1 / t)) + 1 / t, rel=1e-5)


def test_gradient_scales_with_what_comes_from_above():
    first, second = views(6, 4)
    once = torch.autograd.grad(InfoNCE(tile=4)(first, second), first)[0]
    thrice = torch.autograd.grad(3 * InfoNCE(tile=4)(first, second), first)[0]
    torch.testing.assert_close(thrice, 3 * once)


def test_rows_of_any_length_count_alike():
    first, second = views(6, 4)
    scale = torch.linspace(0.1, 9, 6, dtype=torch.float64)[:, None]
    torch.testing.assert_close(InfoNCE()(first * scale, second), InfoNCE()(first, second))


@pytest.mark.parametrize("noisy", [False, True])
def test_grouped_is_the_papers_formula(noisy):
    random = torch.Generator().manual_seed(1)
    anchors, samples, noise = (
        torch.randn(rows, 4, generator=random, dtype=torch.float64).requires_grad_() for rows in (3, 7, 5)
    )
    owner, noise_owner = torch.tensor([0, 0, 1, 1, 1, 2, 2]), torch.tensor([0, 1, 1, 2, 2])
    own = torch.arange(3)[:, None] == owner
    everything, positive, negative = samples, own, ~own
    if noisy:
        mine = torch.arange(3)[:, None] == noise_owner
        everything = torch.cat([samples, noise])
        positive = torch.cat([own, torch.zeros_like(mine)], 1)
        negative = torch.cat([torch.zeros_like(own), mine], 1)
    ours = InfoNCE(0.4).grouped(anchors, samples, owner, (noise, noise_owner) if noisy else None)
    theirs = dense.infonce_pairs(anchors, everything, positive, negative, 0.4)
    torch.testing.assert_close(ours, theirs)
    inputs = (anchors, samples, noise) if noisy else (anchors, samples)
    for one, two in zip(torch.autograd.grad(ours, inputs), torch.autograd.grad(theirs, inputs), strict=True):
        torch.testing.assert_close(one, two)


def test_refusals():
    with pytest.raises(ValueError, match=r"temperature must be at least 1/340 \(got 0.0\)"):
        InfoNCE(0.0)
    with pytest.raises(ValueError, match=r"tile must be at least 1 \(got 0\)"):
        InfoNCE(tile=0)
    with pytest.raises(ValueError, match=r"one shape.*\(2, 3\) and \(4, 3\)"):
        InfoNCE()(torch.ones(2, 3), torch.ones(4, 3))

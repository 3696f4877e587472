"""Dropout and PReLU of the core, against torch's and against chance."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn
from torch.autograd import gradcheck

from rlap import _core
from rlap.models import Dropout, PReLU

DEVIATIONS = 5.0  # a right program is beyond once in two million


def dropped(rows, p, seed=0, begin=0):
    torch.manual_seed(seed)
    return Dropout(p).drop(rows, begin)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("p", [0.1, 0.2, 0.5, 0.9])
def test_entries_are_dropped_as_often_as_chance_says(p, dtype):
    rows = torch.rand(1000, 301, dtype=dtype) + 0.5
    out = dropped(rows, p)
    kept = out != 0
    torch.testing.assert_close(out[kept], rows[kept] / (1 - p))
    count = rows.numel()
    assert abs(int(kept.sum()) - count * (1 - p)) <= DEVIATIONS * math.sqrt(count * p * (1 - p))


@pytest.mark.parametrize("distance", [1, 2, 64, 512, 301])
def test_entries_are_dropped_independently(distance):
    """Pairs share 64 bits, and bits are drawn for 512 entries at a time: products must show nothing of it."""
    p = 0.3
    kept = (dropped(torch.ones(400_000), p) != 0).double() - (1 - p)
    products = kept[:-distance] * kept[distance:]
    assert abs(float(products.mean())) <= DEVIATIONS * p * (1 - p) / math.sqrt(len(products))
    other = (dropped(torch.ones(400_000), p, seed=1) != 0).double() - (1 - p)
    assert abs(float((kept * other).mean())) <= DEVIATIONS * p * (1 - p) / math.sqrt(len(kept))


def test_the_seed_of_torch_decides():
    rows = torch.ones(50, 7)
    assert torch.equal(dropped(rows, 0.5, seed=3), dropped(rows, 0.5, seed=3))
    assert not torch.equal(dropped(rows, 0.5, seed=3), dropped(rows, 0.5, seed=4))
    layer = Dropout(0.5)
    assert not torch.equal(layer(rows), layer(rows))


@pytest.mark.parametrize("begin", [0, 1, 2, 37, 99, 100])
def test_a_part_of_the_rows_draws_what_it_draws_among_all(begin):
    rows = torch.rand(100, 7)
    assert torch.equal(dropped(rows, 0.4)[begin:], dropped(rows[begin:], 0.4, begin=begin))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(threads):
    entries = torch.rand(600_001)
    one, many = torch.empty_like(entries), torch.empty_like(entries)
    for out, count in ((one, 1), (many, threads)):
        _core.drop_entries(entries.numpy(), out.numpy(), 7, 3, 1 << 30, 4 / 3, count)
    assert torch.equal(one, many)
    x, gradient = torch.randn(5000, 120), torch.randn(5000, 120)
    found = [
        _core.prelu_gradient(x.numpy(), gradient.numpy(), torch.rand(120).fill_(0.3).numpy(), out.numpy(), count)
        for out, count in ((torch.empty_like(x), 1), (torch.empty_like(x), threads))
    ]
    assert (found[0] == found[1]).all()


def test_the_gradient_goes_through_what_stayed():
    rows = torch.randn(20, 6, dtype=torch.float64, requires_grad=True)
    out = dropped(rows, 0.3)
    [gradient] = torch.autograd.grad(out.sum(), rows)
    torch.testing.assert_close(gradient, (out != 0).double() / 0.7)


def test_nothing_is_dropped_where_nothing_should_be():
    rows = torch.randn(8, 3)
    assert torch.equal(Dropout(0.5).eval()(rows), rows)
    assert torch.equal(Dropout(0.0)(rows), rows)
    assert not Dropout(1.0)(rows).any()
    assert Dropout(0.5)(torch.empty(0, 3)).shape == (0, 3)
    half = torch.ones(200, dtype=torch.float16)
    assert set(Dropout(0.5)(half).tolist()) == {0.0, 2.0}  # torch's own
    with pytest.raises(ValueError, match=r"must be of float32 or float64 on the CPU \(got torch.float16\)"):
        Dropout(0.5).drop(half, begin=1)


def test_what_the_core_refuses():
    entries = torch.ones(4).numpy()
    with pytest.raises(ValueError, match=r"out must be as long as the entries \(got 4, 3\)"):
        _core.drop_entries(entries, entries[:3].copy(), 0, 0, 0, 1.0, 1)
    with pytest.raises(ValueError, match=r"begin must lie in \[0, 2\*\*62\) \(got -1\)"):
        _core.drop_entries(entries, entries.copy(), 0, -1, 0, 1.0, 1)
    x, wide = torch.ones(2, 3).numpy(), torch.ones(2, 4).numpy()
    slope = torch.ones(1).numpy()
    for arguments, rule in (
        ((x, wide, slope, x.copy()), "the gradient must have the shape of x"),
        ((x, x, slope, wide), "to_x must have the shape of x"),
        ((x, x, torch.ones(2).numpy(), x.copy()), "there must be one slope, or one for each column"),
    ):
        with pytest.raises(ValueError, match=rule):
            _core.prelu_gradient(*arguments, 1)


@pytest.mark.parametrize(("dtype", "close"), [(torch.float64, 1e-12), (torch.float32, 2e-6)])
@pytest.mark.parametrize("slopes", [1, 33])
@pytest.mark.parametrize("rows", [0, 1, 63, 64, 65, 9000])
def test_prelu_is_torchs(rows, slopes, dtype, close):
    """Sums of up to 300,000 products: compared on the scale of what is summed."""
    torch.manual_seed(0)
    x = torch.randn(rows, 33, dtype=dtype)
    x[: rows // 2, 5] = 0.0  # where both are right to differ on the slope, they do not
    gradient = torch.randn(rows, 33, dtype=dtype)
    found = []
    for kind in (PReLU, nn.PReLU):
        layer, own = kind(slopes).to(dtype), x.clone().requires_grad_()
        with torch.no_grad():
            layer.weight.copy_(torch.linspace(0.1, 0.9, slopes, dtype=dtype))
        out = layer(own)
        found.append((out.detach(), *torch.autograd.grad(out, (own, layer.weight), gradient)))
    for mine, theirs in zip(*found, strict=True):
        torch.testing.assert_close(mine, theirs, rtol=close, atol=close * max(rows, 1) ** 0.5 * 33)
    assert torch.equal(found[0][1], found[1][1])


def test_prelu_by_differences_and_slices():
    torch.manual_seed(0)
    layer = PReLU(4).double()
    x = torch.randn(6, 4, dtype=torch.float64, requires_grad=True)
    assert gradcheck(lambda rows, slope: torch.func.functional_call(layer, {"weight": slope}, rows), (x, layer.weight))
    wide = torch.randn(6, 8, dtype=torch.float64)
    sliced = torch.autograd.grad(layer(x), x, wide[:, :4])[0]
    torch.testing.assert_close(sliced, torch.autograd.grad(layer(x), x, wide[:, :4].contiguous())[0])
    single = torch.randn(3, requires_grad=True)
    torch.testing.assert_close(PReLU()(single), nn.PReLU()(single))  # no matrix: torch's own

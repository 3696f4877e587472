"""Which nodes go: exactly as many as asked for, without a list of them."""

from __future__ import annotations

import numpy as np
import pytest

from rlap.scale import keys
from rlap.scale.choice import choose


@pytest.mark.parametrize(
    ("nodes", "count"), [(1, 1), (2, 1), (5, 0), (5, 4), (10_000, 1), (10_000, 3333), (10_000, 9999)]
)
def test_a_fraction_is_exact(nodes, count, monkeypatch):
    monkeypatch.setattr(keys, "_AT_ONCE", 999)
    for seed in range(5):
        below = keys.threshold(seed, nodes, count)
        drawn = keys.order_key(seed, np.arange(nodes))
        assert sum(int(key) < below for key in drawn) == count


def test_the_choice_is_even():
    """Every node goes as often as every other: the chi-square of 200 nodes over 2000 seeds, at the level 1e-4."""
    from scipy.stats import chi2

    gone = sum(choose(0.3, None, 200, seed).goes(np.arange(200)).astype(int) for seed in range(2000))
    spread = ((gone - 600) ** 2).sum() / (2000 * 0.3 * 0.7) * 199 / 200
    assert chi2.isf(1 - 5e-5, 199) < spread < chi2.isf(5e-5, 199)

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


@pytest.mark.parametrize("nodes", [1, 2, 3, 5, 64, 65, 1000, 4097])
def test_a_permutation_has_every_place_once(nodes):
    for seed in range(5):
        places = keys.permute(seed, nodes, np.arange(nodes))
        assert sorted(places.tolist()) == list(range(nodes))


@pytest.mark.parametrize("nodes", [200, 256])
def test_a_permutation_is_even_and_neighbours_are_independent(nodes):
    """How often a node goes, and how often both of two neighbours do, over 2000 seeds: chi-square at the level 1e-4.

    A draw without replacement of 0.3 n of n has a variance of 0.3 * 0.7 a node, and the nodes' sum is fixed.
    """
    from scipy.stats import chi2

    seeds, count = 2000, int(0.3 * nodes)
    gone = np.array([keys.permute(seed, nodes, np.arange(nodes)) < count for seed in range(seeds)])
    p = count / nodes
    spread = ((gone.sum(0) - seeds * p) ** 2).sum() / (seeds * p * (1 - p)) * (nodes - 1) / nodes
    assert chi2.isf(1 - 5e-5, nodes - 1) < spread < chi2.isf(5e-5, nodes - 1)
    for apart in (1, 2, nodes // 2):
        both = (gone & np.roll(gone, apart, axis=1)).sum() / (seeds * nodes)
        expected = p * (count - 1) / (nodes - 1)
        # Pairs of one seed are nearly independent: five standard deviations of as many coins.
        assert abs(both - expected) < 5 * np.sqrt(expected / (seeds * nodes))


@pytest.mark.parametrize("nodes", [2**32 + 1, 2**62 - 1, 2**62, 2**63 - 1, 2**63])
def test_a_fraction_of_more_nodes_than_can_be_counted(nodes):
    """A third of a random sample, within five standard deviations, wherever it lies; at once."""
    ids = np.random.default_rng(0).integers(0, nodes, 30_000, dtype=np.int64)
    for sample in (ids, nodes - 1 - np.arange(30_000), np.arange(30_000)):
        gone = choose(1 / 3, None, nodes, seed=5).goes(np.asarray(sample, dtype=np.int64))
        assert abs(gone.mean() - 1 / 3) < 5 * np.sqrt(2 / 9 / 30_000)
    assert not choose(0.0, None, nodes, seed=5).goes(ids).any()
    assert choose(1.0, None, nodes, seed=5).goes(ids).all()

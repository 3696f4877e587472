"""Tests of significance against SciPy, published tables and full enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.stats

from rlap.evaluation.significance import compare, critical_difference, holm, rank


def signed_rank(differences):
    """The two-sided p-value from all signs that could have been."""
    ranks = scipy.stats.rankdata(np.abs(differences))
    middle = ranks.sum() / 2
    far = abs(ranks[differences > 0].sum() - middle)
    signs = np.array(list(itertools.product([0, 1], repeat=len(differences))))
    return (np.abs(signs @ ranks - middle) >= far - 1e-9).mean()


def test_comparisons():
    random = np.random.default_rng(0)
    first = random.random((3, 8))
    second = first - random.normal([[0.2], [0.05], [0.0]], 0.1, size=(3, 8))
    found = compare({str(row): (first[row], second[row]) for row in range(3)})
    p_values = [signed_rank(first[row] - second[row]) for row in range(3)]
    assert [found[str(row)].p_value for row in range(3)] == pytest.approx(p_values)
    assert [found[str(row)].adjusted for row in range(3)] == pytest.approx(holm(p_values))
    assert found["0"].difference == pytest.approx((first[0] - second[0]).mean())


def test_equal_scores_are_no_difference():
    found = compare({"same": ([0.5, 0.6], [0.5, 0.6])})["same"]
    assert (found.difference, found.p_value, found.adjusted) == (0.0, 1.0, 1.0)


@pytest.mark.parametrize("seed", range(4))
def test_holm_rejects_what_its_steps_reject(seed):
    p_values = np.random.default_rng(seed).random(7) ** 4
    adjusted = holm(p_values)
    for alpha in (0.001, 0.01, 0.05, 0.2):
        rejected = set()
        for step, one in enumerate(np.argsort(p_values)):
            if p_values[one] > alpha / (7 - step):
                break
            rejected.add(one)
        assert rejected == set(np.flatnonzero(adjusted <= alpha))


def test_ranks():
    table = np.array([[0.9, 0.8, 0.7, 0.8], [0.5, 0.6, 0.7, 0.4], [0.3, 0.9, 0.9, 0.1]])
    found = rank(table)
    assert found.average_ranks == pytest.approx(
        [(1 + 3 + 3) / 3, (2.5 + 2 + 1.5) / 3, (4 + 1 + 1.5) / 3, (2.5 + 8) / 3]
    )
    assert found.p_value == pytest.approx(scipy.stats.friedmanchisquare(*table.T).pvalue)
    assert found.critical_difference == critical_difference(4, 3)
    assert np.isnan(rank(table[:, :2]).p_value)


@pytest.mark.parametrize(
    ("methods", "alpha", "quantile"),
    [(2, 0.05, 1.960), (3, 0.05, 2.343), (5, 0.05, 2.728), (10, 0.05, 3.164), (4, 0.10, 2.291), (10, 0.10, 2.920)],
)
def test_critical_differences_have_the_published_quantiles(methods, alpha, quantile):
    """Demsar, Statistical Comparisons of Classifiers over Multiple Data Sets (2006), table 5."""
    expected = quantile * np.sqrt(methods * (methods + 1) / (6 * 30))
    assert critical_difference(methods, 30, alpha) == pytest.approx(expected, rel=5e-4)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match=r"scores of CORA must be pairs \(got the shapes \(2,\) and \(3,\)\)"):
        compare({"CORA": ([1, 2], [1, 2, 3])})
    with pytest.raises(ValueError, match="scores of CORA must be finite"):
        compare({"CORA": ([1, np.nan], [1, 2])})
    with pytest.raises(ValueError, match=r"p_values must lie in \[0, 1\] \(got 1.5\)"):
        holm([0.5, 1.5])
    with pytest.raises(ValueError, match=r"at least 2 data sets and 2 methods \(got the shape \(1, 3\)\)"):
        rank([[1, 2, 3]])
    with pytest.raises(ValueError, match=r"scores must be finite \(got nan\)"):
        rank([[1, np.nan], [1, 2]])
    with pytest.raises(ValueError, match=r"at least 2 methods and 1 data set \(got 1 and 3\)"):
        critical_difference(1, 3)
    with pytest.raises(ValueError, match=r"alpha must lie in \(0, 1\) \(got 5\)"):
        critical_difference(3, 3, 5)

"""Scores are scikit-learn's, intervals SciPy's, and several seeds count as several observations."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.stats
from sklearn.metrics import accuracy_score, f1_score

from rlap.evaluation import Scores, summarize
from rlap.evaluation.scores import score


def scores(values):
    return Scores(*(np.asarray(values, dtype=float) + shift for shift in (0.0, 0.1, 0.2)))


@pytest.mark.parametrize("seed", range(5))
def test_metrics(seed):
    random = np.random.default_rng(seed)
    # Class 4 is never true, class 3 never predicted, and class 2 neither.
    true, predicted = random.choice([0, 1, 3], size=60), random.choice([0, 1, 4], size=60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = [
            accuracy_score(true, predicted),
            f1_score(true, predicted, average="micro"),
            f1_score(true, predicted, average="macro"),
        ]
    assert score(predicted, true) == pytest.approx(expected, abs=1e-12)


def test_of_one_embedding():
    one = scores([0.8, 0.7, 0.85])
    expected = scipy.stats.ttest_1samp(one.accuracy, 0.0).confidence_interval(0.95)
    assert one.interval() == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert one.mean() == pytest.approx(np.mean([0.8, 0.7, 0.85]))
    assert one.std("macro_f1") == pytest.approx(np.std([0.8, 0.7, 0.85], ddof=1))
    assert one.mean("micro_f1") == pytest.approx(one.mean() + 0.1)
    assert np.isnan(scores([0.5]).std())
    assert np.isnan(scores([0.5]).interval()).all()


def test_the_interval_over_seeds_takes_their_means():
    table = np.random.default_rng(0).random((5, 10))
    summary = summarize([scores(row) for row in table], "macro_f1", confidence=0.9)
    expected = scipy.stats.ttest_1samp(table.mean(axis=1) + 0.2, 0.0).confidence_interval(0.9)
    assert summary.interval == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert summary.mean == pytest.approx(table.mean() + 0.2)
    assert summary.std == pytest.approx(table.std(ddof=1))
    assert (summary.seeds, summary.splits, summary.understated) == (5, 10, False)


def test_splits_of_one_seed_do_not_count_as_independent():
    """Ten copies of a split say no more than one: the interval must not shrink."""
    values = np.array([0.6, 0.7, 0.8])
    once = summarize([scores([value]) for value in values])
    often = summarize([scores([value] * 10) for value in values])
    assert often.interval == pytest.approx(once.interval)


def test_one_seed_is_marked():
    one = scores([0.8, 0.7, 0.85])
    summary = summarize([one])
    assert summary.understated
    assert summary.interval == one.interval()


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match=r"at least one run to summarize \(got none\)"):
        summarize([])
    with pytest.raises(ValueError, match=r"same number of splits \(got \[1, 2\]\)"):
        summarize([scores([0.5]), scores([0.5, 0.6])])
    with pytest.raises(ValueError, match=r"metric must be one of accuracy.*\(got 'auc'\)"):
        scores([0.5]).mean("auc")
    with pytest.raises(ValueError, match=r"confidence must lie in \(0, 1\) \(got 95\)"):
        scores([0.5, 0.6]).interval(confidence=95)

"""The oracles against each other and against theorems: an oracle that is wrong must not pass for a judge."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.graphs import NODE_ORDERS, SMALL, Example
from tests.oracles import dense_schur, enumerate_outcomes, exact_elimination, laplacian, with_ground
from tests.significance import assert_counts, assert_means

EXAMPLES = pytest.mark.parametrize("example", SMALL, ids=str)
GROUNDED = pytest.mark.parametrize("grounded", [False, True], ids=["plain", "grounded"])
REPLACEMENTS = pytest.mark.parametrize("neighbor_order", ["asc", "desc", "random", "coarsen"])


@EXAMPLES
@GROUNDED
def test_exact_elimination_is_the_dense_formula_in_any_order(example: Example, grounded: bool) -> None:
    whole = with_ground(example.dense, example.leak if grounded else None)
    # The formula solves with a matrix whose condition is the spread of the weights: twelve digits of sixteen.
    tolerance = 1e-3 if example.name == "twelve_orders" else 1e-12
    expected = dense_schur(whole, example.gone)
    for order in itertools.permutations(example.gone):
        np.testing.assert_allclose(exact_elimination(whole, order), expected, rtol=0, atol=tolerance)


@EXAMPLES
@GROUNDED
@REPLACEMENTS
def test_one_elimination_is_unbiased(example: Example, grounded: bool, neighbor_order: str) -> None:
    ground = example.leak if grounded else None
    whole = with_ground(example.dense, ground)
    for node in range(example.num_nodes):
        outcomes = enumerate_outcomes(example.dense, 1, candidates=[node], neighbor_order=neighbor_order, ground=ground)
        assert outcomes.probability.sum() == pytest.approx(1, rel=1e-12)
        exact = exact_elimination(whole, [node])
        np.testing.assert_allclose(outcomes.mean(outcomes.remainder), exact, rtol=1e-12)


@EXAMPLES
@GROUNDED
@REPLACEMENTS
@pytest.mark.parametrize("word", NODE_ORDERS)
def test_many_eliminations_are_a_martingale(example: Example, grounded: bool, neighbor_order: str, word: str) -> None:
    ground = example.leak if grounded else None
    outcomes = enumerate_outcomes(
        example.dense, 2, node_order=example.node_order(word), neighbor_order=neighbor_order, ground=ground
    )
    expected = laplacian(with_ground(example.dense, ground))
    mean = outcomes.mean(laplacian(outcomes.remainder) + outcomes.product)
    np.testing.assert_allclose(mean, expected, rtol=1e-12, atol=1e-12 * expected.max())


def test_the_mean_after_many_eliminations_lies_below_the_exact_one() -> None:
    """The Schur complement is operator-concave: the claim that many eliminations are unbiased is false."""
    wheel = np.ones((5, 5)) - np.eye(5)
    wheel[1, 3] = wheel[3, 1] = wheel[2, 4] = wheel[4, 2] = 0
    outcomes = enumerate_outcomes(wheel, 2, node_order=[0, 1, 2, 3, 4], neighbor_order="asc")
    gap = laplacian(exact_elimination(wheel, [0, 1])) - laplacian(outcomes.mean(outcomes.remainder)[:5, :5])
    lowest, *_, highest = np.linalg.eigvalsh(gap)
    assert lowest > -1e-12
    assert highest > 0.01


def test_a_biased_mean_raises_an_alarm() -> None:
    rng = np.random.default_rng(0)
    samples = rng.exponential(size=(20_000, 3, 3))
    assert_means(samples, np.ones((3, 3)))
    with pytest.raises(AssertionError, match=r"entry \(1, 2\)"):
        assert_means(samples, np.ones((3, 3)) + 0.06 * np.eye(3)[[0, 2, 1]] * (np.arange(3) == 1)[:, None])


def test_a_rare_large_value_that_was_not_seen_raises_no_alarm() -> None:
    unseen = np.zeros((10_000, 1))
    assert_means(unseen, np.array([1e-6]), variance=np.array([1e-6]), reach=np.array([1.0]))
    with pytest.raises(AssertionError):
        assert_means(unseen, np.array([1e-2]), variance=np.array([1e-2]), reach=np.array([1.0]))


def test_a_wrong_frequency_raises_an_alarm() -> None:
    assert_counts(np.array([500, 0]), np.array([0.5, 1e-9]), 1000)
    with pytest.raises(AssertionError, match="event 0"):
        assert_counts(np.array([600, 0]), np.array([0.5, 1e-9]), 1000)
    with pytest.raises(AssertionError, match="event 1"):
        assert_counts(np.array([500, 1]), np.array([0.5, 1e-12]), 1000)

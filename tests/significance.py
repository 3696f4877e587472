"""When a mean or a frequency is too far off to be chance.

Every assertion may raise a false alarm with the probability FALSE_ALARM at most, however many entries it looks at: each
entry gets an equal share of it (Bonferroni). The suite makes about a thousand assertions, so a right program fails
with a probability of about 1e-4 when its random numbers change, and never otherwise, as every seed is fixed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom, norm

from tests.oracles import Outcomes

FALSE_ALARM = 1e-7
ROUNDING = 1e-10  # relative; a few operations in double precision stay far below, a wrong formula far above

# The chance that a standardised sum of n values passes z is that of a normal variable times exp(g z^3 / (6 sqrt(n)))
# (Cramer), where the skewness g is at most reach / deviation. For z = 6, n variance >= 60 reach^2 keeps the factor
# under exp(4.7), about 100, which one false alarm in 1e7 can bear. What lies below are rare events: they need a bound,
# not a z-score.
NORMAL = 60.0


def assert_means(
    samples: NDArray[np.float64],
    expected: NDArray[np.float64],
    *,
    variance: NDArray[np.float64] | None = None,
    reach: NDArray[np.float64] | None = None,
    size: NDArray[np.float64] | None = None,
) -> None:
    """Require that samples (n, ...) of independent values have the mean `expected` in every entry.

    `variance` and `reach`, the farthest that a value can lie from the mean, are those of the samples unless given.
    `size` is what rounding is measured by, when terms larger than the expected mean cancel.
    Where no single value counts for much, the z-score decides. Elsewhere (heavy tails: weights over many orders of
    magnitude, where an edge is rare but large) it is the bound of Maurer and Pontil (2009) for bounded variables, which
    holds for any distribution and any number of samples.
    """
    count = len(samples)
    off = samples - expected
    # About the expected mean, so that it cannot be zero when the mean is off.
    spread = (off**2).mean(axis=0) if variance is None else variance
    farthest = np.abs(off).max(axis=0) if reach is None else reach
    share = FALSE_ALARM / max(expected.size, 1)
    z_limit = norm.isf(share / 2)
    log_share = np.log(4 / share)
    rare = np.sqrt(2 * spread * log_share / count) + 7 * farthest * log_share / (3 * (count - 1))
    limit = np.where(count * spread >= NORMAL * farthest**2, z_limit * np.sqrt(spread / count), rare)
    error = np.abs(off.mean(axis=0))
    allowed = limit + ROUNDING * (np.abs(expected) if size is None else size)
    if not (error <= allowed).all():
        worst = np.unravel_index(int(np.argmax(error / np.maximum(allowed, 1e-300))), expected.shape)
        place = tuple(int(i) for i in worst)
        z = error[worst] / np.sqrt(max(spread[worst] / count, 1e-300))
        raise AssertionError(
            f"entry {place}: the mean of {count} samples is {samples.mean(axis=0)[worst]:.9g}, expected "
            f"{expected[worst]:.9g} (z = {z:.1f}, limit {z_limit:.1f})"
        )


def assert_counts(counts: NDArray[np.int64], probability: NDArray[np.float64], trials: int) -> None:
    """Require that each of several events happened about as often in so many trials as its probability says.

    The tails of the binomial distribution are exact, so the rarest event is tested as rigorously as the commonest.
    """
    chance = np.clip(probability, 0.0, 1.0)
    tail = np.minimum(binom.cdf(counts, trials, chance), binom.sf(counts - 1, trials, chance))
    share = FALSE_ALARM / max(counts.size, 1)
    if not (tail >= share / 2).all():
        worst = int(np.argmin(tail))
        raise AssertionError(
            f"event {worst} of {counts.size}: happened {counts.flat[worst]} times in {trials}, expected "
            f"{trials * chance.flat[worst]:.6g} (probability of this or worse {tail.flat[worst]:.2g})"
        )


def assert_outcomes(samples: NDArray[np.float64], outcomes: Outcomes) -> None:
    """Require that sampled graphs are among the enumerated ones, each about as often as it should be, and in the mean.

    A single graph that cannot be is a failure, whatever the number of samples.
    """
    prints = _fingerprint(outcomes.remainder)
    by_print = np.argsort(prints)
    known = prints[by_print]
    # Outcomes that only rounding tells apart are one event.
    event = np.cumsum(np.diff(known, prepend=known[0]) > _SAME)
    probability = np.bincount(event, outcomes.probability[by_print]).astype(np.float64)
    found = _fingerprint(samples)
    after = np.minimum(np.searchsorted(known, found), len(known) - 1)
    before = np.maximum(after - 1, 0)
    nearest = np.where(np.abs(known[before] - found) < np.abs(known[after] - found), before, after)
    strange = np.abs(known[nearest] - found) > _SAME
    if strange.any():
        raise AssertionError(
            f"{strange.sum()} of {len(samples)} samples are no outcome at all, first\n{samples[int(strange.argmax())]}"
        )
    assert_counts(np.bincount(event[nearest], minlength=len(probability)), probability, len(samples))
    mean = outcomes.mean(outcomes.remainder)
    off = outcomes.remainder - mean
    assert_means(samples, mean, variance=outcomes.mean(off**2), reach=np.abs(off).max(axis=0))


_SAME = 1e-8  # fingerprints are sums of logarithms, right to about 1e-12; different graphs lie about 1e-3 apart


def _fingerprint(graphs: NDArray[np.float64]) -> NDArray[np.float64]:
    """One number for every graph, the same for graphs that differ by rounding alone: a fixed random projection.

    Logarithms, because a change of one in twelve digits of a small weight must count as much as one of a large weight.
    """
    row, col = np.triu_indices(graphs.shape[-1], 1)
    weights = graphs[:, row, col]
    scale = np.random.default_rng(0).uniform(1, 2, size=len(row))
    logs = np.log(weights, out=np.full_like(weights, -50.0), where=weights > 0)
    return np.asarray(logs @ scale)

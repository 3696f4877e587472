"""All choices of k transforms are equally likely, and applied in their order."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import rlap.transforms as T
from tests.significance import assert_counts
from tests.transforms.examples import single
from tests.transforms.test_all import assert_same, differs

TRIALS = 3000


def note(word):
    return lambda words: [*words, word]


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_choices_are_equally_likely_and_in_order(k):
    choices = ["".join(one) for one in combinations("abcd", k)]
    times = dict.fromkeys(choices, 0)
    for seed in range(TRIALS):
        times["".join(T.RandomChoice([note(word) for word in "abcd"], k, seed=seed)([]))] += 1
    assert_counts(np.array(list(times.values())), np.full(len(choices), 1 / len(choices)), TRIALS)


def test_its_seed_is_for_what_it_applies_too():
    data, both = single(), [T.EdgeDropping(0.5), T.FeatureMasking(0.5)]
    one, again, other = (T.RandomChoice(both, 2, seed=seed)(data) for seed in (1, 1, 2))
    assert_same(one, again)
    assert differs(one, other)


def test_bad_numbers_are_refused_and_repr():
    for k in (0, 3):
        with pytest.raises(ValueError, match=rf"between 1 and the number of transforms, 2 \(got {k}\)"):
            T.RandomChoice([T.Identity(), T.Identity()], k)
    assert repr(T.RandomChoice([T.Identity()])) == "RandomChoice([\n  Identity(),\n], k=1)"

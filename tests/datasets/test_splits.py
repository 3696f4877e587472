"""Splits have the protocols' sizes, touch nothing twice, and repeat with their seed."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from rlap.datasets import graph_splits, node_splits
from tests.significance import assert_counts

LABELS = torch.from_numpy(np.random.default_rng(0).permutation(np.repeat([0, 1, 2, 7], [11, 40, 103, 50])))
SHARES = {
    ("node", "clean"): (0.1, 0.1, 0.8),
    ("node", "paper"): (0.1, 0.8, 0.1),
    ("graph", "clean"): (0.8, 0.1, 0.1),
    ("graph", "paper"): (0.8, 0.1, 0.1),
}
SPLITS = {"node": node_splits, "graph": graph_splits}


@pytest.mark.parametrize(("level", "protocol"), SHARES)
def test_parts(level, protocol):
    splits = SPLITS[level](LABELS, protocol, number=12, seed=3)
    assert len(splits) == 12
    for split in splits:
        parts = (split.train, split.val, split.test)
        assert torch.equal(torch.cat(parts).sort().values, torch.arange(len(LABELS)))
        for part, share in zip(parts, SHARES[level, protocol], strict=True):
            # One more for the paper's scripts, which round down twice.
            assert abs(len(part) - share * len(LABELS)) <= 2
    assert len({tuple(split.test.tolist()) for split in splits}) == 12
    again = SPLITS[level](LABELS, protocol, number=12, seed=3)
    other = SPLITS[level](LABELS, protocol, number=12, seed=4)
    assert all(torch.equal(one.train, two.train) for one, two in zip(splits, again, strict=True))
    assert not any(torch.equal(one.train, two.train) for one, two in zip(splits, other, strict=True))


def test_more_splits_begin_with_the_same():
    for splits in SPLITS.values():
        few, many = splits(LABELS, number=3), splits(LABELS, number=10)
        assert all(torch.equal(one.test, two.test) for one, two in zip(few, many[:3], strict=True))


@pytest.mark.parametrize("level", ["node", "graph"])
def test_clean_parts_have_their_share_of_every_class(level):
    for split in SPLITS[level](LABELS, "clean"):
        for part, share in zip((split.train, split.val, split.test), SHARES[level, "clean"], strict=True):
            for label, members in zip(*(found.tolist() for found in LABELS.unique(return_counts=True)), strict=True):
                # A fold is right to less than one member, and eight folds together are the rest of two.
                assert abs(int((LABELS[part] == label).sum()) - share * members) < 2
                assert (LABELS[part] == label).any()


def test_ten_clean_graph_splits_test_every_graph_once():
    splits = graph_splits(LABELS)
    for part in ("test", "val"):
        assert torch.cat([getattr(split, part) for split in splits]).sort().values.tolist() == list(range(len(LABELS)))


@pytest.mark.parametrize(("level", "protocol"), SHARES)
def test_every_member_is_as_likely_in_training_as_any_other(level, protocol):
    number = 10 if (level, protocol) == ("graph", "clean") else 1
    trials = 600
    count = torch.zeros(len(LABELS), dtype=torch.long)
    for seed in range(trials):
        count[SPLITS[level](LABELS, protocol, number=number, seed=seed)[0].train] += 1
    if protocol == "paper":
        probability = np.full(len(LABELS), int(SHARES[level, protocol][0] * len(LABELS)) / len(LABELS))
    else:
        probability = np.full(len(LABELS), SHARES[level, protocol][0])
    assert_counts(count.numpy(), probability, trials)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match=r"every class must have at least 10 members.*\(got 3 of class 5\)"):
        node_splits(torch.tensor([0] * 30 + [5] * 3))
    with pytest.raises(ValueError, match=r'protocol must be "clean" or "paper" \(got \'text\'\)'):
        graph_splits(LABELS, "text")
    with pytest.raises(ValueError, match=r"number of splits must be at least 1 \(got 0\)"):
        graph_splits(LABELS, number=0)
    with pytest.raises(ValueError, match=r"labels must be integers in one dimension \(got float32"):
        node_splits(torch.zeros(30))
    with pytest.raises(ValueError, match=r"at least 10 labels to split \(got 4\)"):
        node_splits(torch.zeros(4, dtype=torch.long), "paper")

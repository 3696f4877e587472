"""Supervised training: the epoch is chosen on validation, and a stopped run goes on to the same scores."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from rlap import baselines, datasets
from rlap.baselines.supervised import Fit, fit_one
from rlap.datasets import Split


class Scripted:
    """Says beforehand what is predicted in which epoch, for rows 0 to 5 of two classes."""

    def __init__(self, epochs):
        self.epochs, self.now = epochs, -1

    def build(self):
        return torch.nn.Linear(1, 1)

    def learn(self, model, optimizer, rows):
        self.now += 1

    def outputs(self, model, rows):
        return torch.nn.functional.one_hot(torch.tensor(self.epochs[self.now])[rows], 2).double()


def test_the_best_epoch_on_validation_counts():
    classes = np.array([0, 1, 0, 1, 0, 1])
    split = Split(torch.tensor([0, 1]), torch.tensor([2, 3]), torch.tensor([4, 5]))
    good, bad = [0, 1], [1, 0]
    # Validation: half, all, half; the test part is right only where validation is not best.
    script = Scripted([[0, 1, 0, 0, *good], [0, 1, *good, *bad], [0, 1, 0, 0, *good], [0, 1, 0, 0, *good]])
    seen = []
    predicted, epochs = fit_one(script, classes, split, Fit(0.1, 0.0, 100, 2), seen.append)
    assert predicted.tolist() == bad
    assert epochs == 4
    assert seen == [1, 2, 3, 4]


class Halt(Exception):
    pass


@pytest.mark.parametrize("name", ["GCN", "DGI"])
def test_a_stopped_baseline_goes_on_to_the_same_scores(tmp_path, name):
    digits = datasets.load("digits")
    given = {"splits": 3, "seed": 2, "epochs": 6, "hidden": 8}
    calls = []

    def count(share, words):
        calls.append(words)

    whole = baselines.run(name, digits, watch=count, **given)
    steps = len(calls)

    def halt(share, words):
        calls.append(words)
        if len(calls) == steps - 2:
            raise Halt

    calls.clear()
    place = tmp_path / "kept" / "run.pt"
    with pytest.raises(Halt):
        baselines.run(name, digits, watch=halt, checkpoint=place, **given)
    calls.clear()
    again = baselines.run(name, digits, watch=count, checkpoint=place, **given)
    assert len(calls) < steps
    np.testing.assert_array_equal(again.scores.accuracy, whole.scores.accuracy)
    place.write_bytes(b"\xff no checkpoint")
    np.testing.assert_array_equal(
        baselines.run(name, digits, checkpoint=place, **given).scores.accuracy, whole.scores.accuracy
    )


def test_a_flipped_bit_in_what_was_kept_changes_no_score(tmp_path, caplog):
    digits = datasets.load("digits")
    given = {"splits": 2, "seed": 2, "epochs": 2, "hidden": 4, "checkpoint": tmp_path / "run.pt"}
    whole = baselines.run("GCN", digits, **given)
    size = (tmp_path / "run.pt").stat().st_size
    for byte in (5, 40, size // 3, size // 2, size - 1):
        content = bytearray((tmp_path / "run.pt").read_bytes())
        content[byte] ^= 4
        (tmp_path / "run.pt").write_bytes(content)
        again = baselines.run("GCN", digits, **given)
        np.testing.assert_array_equal(again.scores.accuracy, whole.scores.accuracy)
        assert "run.pt.damaged" in caplog.text
        caplog.clear()

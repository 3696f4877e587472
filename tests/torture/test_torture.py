"""The long tests of `make torture`, at a length that every test run has time for."""

from __future__ import annotations

import pytest

from tests.torture import flips, kills, load
from tests.torture.outcome import Outcome, record, to_markdown
from tests.torture.page import FIGURES, PAGE, page


@pytest.mark.parametrize(("part", "count"), [(kills, 4), (flips, 30), (load, 100)])
def test_a_little_of_everything(part, count, tmp_path, monkeypatch):
    monkeypatch.setattr(kills, "RUNS", ["grace", "-d", "digits", "-a", "rLap", "--seeds", "1"])
    monkeypatch.setattr(kills, "COUNTING", 20)
    *_, outcome = part.run(count, 1, 1, tmp_path)
    assert outcome.problems == []
    assert count in outcome.figures.values()


def test_the_page_has_the_figures_of_the_file():
    assert FIGURES.exists()
    assert PAGE.read_text() == page()


def test_figures_are_kept_part_by_part(tmp_path):
    file = tmp_path / "torture.json"
    record(file, "kills", Outcome("5 kills", {"kills": 5}), 0, 3.2)
    record(file, "flips", Outcome("7 flips", {"flips": 7}, ["one\nof many lines", "two"]), 1, 600.0)
    record(file, "kills", Outcome("9 kills", {"kills": 9}), 2, 130.0)
    kept, flipped = to_markdown(file).splitlines()[2:]
    assert kept.startswith("| kills | 9 kills | nothing | 2 | 2 min | 20")
    assert flipped.startswith("| flips | 7 flips | 2: one | 1 | 10 min | 20")

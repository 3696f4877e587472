"""The leak in the report, against numbers that are computed here."""

from __future__ import annotations

import numpy as np
import pytest

from rlap.experiments.leak import leak_job
from rlap.experiments.store import Store
from rlap.report.leak_blocks import leak_blocks, leak_results
from rlap.report.page import Code, Figure, Table
from tests.report.stores import put, put_leak, scores

BATCHES = [[128, 0], [20, 52]]


@pytest.fixture
def store(tmp_path):
    opened = Store(tmp_path / "store.sqlite")
    yield opened
    opened.close()


def test_a_row_has_all_ways_beside_the_papers_number(store):
    rng = np.random.default_rng(0)
    put_leak(store, "NCI1", BATCHES, rng)
    values = put_leak(store, "PROTEINS", BATCHES, rng)
    put(store, leak_job("PROTEINS", "rLap", 0, ["epochs=2"]), scores([0.1]) | {"ways": {}, "batches": []})
    blocks = leak_blocks(leak_results(store.entries()), "store.sqlite")
    [table] = [block for block in blocks if isinstance(block, Table)]
    assert [row[0].text for row in table.rows] == ["PROTEINS", "NCI1"]  # as the target has them
    row = dict(zip(table.titles, [cell.text for cell in table.rows[0]], strict=True))

    def text(numbers, sign=""):
        return f"{100 * numbers.mean():{sign}.2f} ± {100 * numbers.std(ddof=1):.2f}".replace("-", "−")

    assert row == {
        "data set": "PROTEINS",
        "paper": "84.34 ± 4.03",
        "as the scripts": text(values["reference"]),
        "without masks": text(values["unmasked"]),
        "shuffled": text(values["shuffled"]),
        "clean graph": text(values["clean"]),
        "untrained, as the scripts": text(values["untrained"]),
        "batch number alone": text(values["oracle"]),
        "leak": text(values["reference"] - values["shuffled"], "+"),
        "majority class": "74.00",
        "at best from the batch": "90.00",
    }
    assert any("Not run: MUTAG, IMDB-BINARY, IMDB-MULTI" in getattr(block, "text", "") for block in blocks)
    [figure] = [block for block in blocks if isinstance(block, Figure)]
    assert [panel.name for panel in figure.panels] == ["leak-PROTEINS", "leak-NCI1"]
    assert "paper 84.3" in figure.panels[0].words


def test_without_runs_the_command_is_given():
    [_, command] = leak_blocks({}, "store.sqlite")
    assert isinstance(command, Code)
    assert command.lines == ["rlap reproduce leak --store store.sqlite"]

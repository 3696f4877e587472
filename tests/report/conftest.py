"""One store and one report for all tests that only read them: to write them takes seconds."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from rlap.cli import build_app
from tests.report.stores import full_store, write_costs


@pytest.fixture(scope="session")
def full(tmp_path_factory):
    """Give a folder with store.sqlite and augmentors.csv, and the accuracies of every cell."""
    folder = tmp_path_factory.mktemp("report")
    values = full_store(folder / "store.sqlite")
    write_costs(folder / "augmentors.csv", ["CORA"], ["rLap", "EdgeDropping"])
    return folder, values


@pytest.fixture(scope="session")
def report(full):
    """Give the folder of the report, as the command writes it, and the accuracies."""
    folder, values = full
    done = CliRunner().invoke(
        build_app(), ["report", "--store", str(folder / "store.sqlite"), "--out", str(folder / "o")]
    )
    assert done.exit_code == 0, done.output
    assert done.output.split() == [str(folder / "o" / "report.html"), str(folder / "o" / "report.md")]
    return folder / "o", values

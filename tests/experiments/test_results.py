"""Results out of a store: cells, rows and tables."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from rlap.cli import build_app
from rlap.experiments.duration import format_duration, parse_duration
from rlap.experiments.method_job import method_job
from rlap.experiments.pivot import pivot
from rlap.experiments.results import Filter, cells, describable, rows
from rlap.experiments.spectral import spectral_job
from rlap.experiments.store import Store

SCORES = {0: [0.8, 0.9], 1: [0.6, 0.7]}


def finish(store, job, result):
    [key] = store.add([(job, "checksum")])
    environment = {"peak_memory": 2**20, "threads": 1, "python": "3.11"}
    store.finish(store.claim(key), result, environment=environment, code="abc", seconds=2.0)


def result_of(values):
    return {"scores": dict.fromkeys(("accuracy", "micro_f1", "macro_f1"), values), "epochs": 3, "best_epoch": 2}


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "store.sqlite")
    for seed, values in SCORES.items():
        finish(made, method_job("grace", "CORA", "rLap", "clean", seed), result_of(values))
    finish(made, method_job("grace", "PUBMED", "rLap", "clean", 0), result_of([0.5, 0.5]))
    finish(made, method_job("grace", "CORA", "rLap", "paper", 0), result_of([0.4, 0.4]))
    finish(made, method_job("grace", "CORA", "EdgeDropping", "clean", 0), result_of([0.25, 0.75]))
    finish(made, method_job("grace", "CORA", "rLap", "clean", 0, ["epochs=2"]), result_of([0.1, 0.1]))
    finish(made, spectral_job("Cora", "rLap-rand-asc", 0), {"edges": [3, 2]})
    failed = made.add([(method_job("bgrl", "MUTAG", "rLap", "clean", 0), "checksum")])
    made.fail(made.claim(failed[0]), "Traceback")
    yield made
    made.close()


def test_cells_are_over_seeds_and_splits_and_trials_stay_apart(store):
    found = {(one.dataset, one.augmentor, one.protocol, one.changes): one for one in cells(store.entries())}
    assert len(found) == 5
    both = found["CORA", "rLap", "clean", ""]
    everything = np.array([*SCORES[0], *SCORES[1]])
    assert both.accuracy.mean == pytest.approx(everything.mean())
    assert both.accuracy.std == pytest.approx(everything.std(ddof=1))
    assert both.accuracy.seeds == 2
    assert both.text == f"{100 * everything.mean():.2f} ± {100 * everything.std(ddof=1):.2f}"
    assert found["CORA", "rLap", "clean", "epochs=2"].accuracy.mean == pytest.approx(0.1)


def test_tables(store):
    tables = {table.title: table for table in pivot(cells(store.entries()))}
    assert len(tables) == 3
    clean = tables["grace, clean protocol: accuracy in percent (training seeds)"]
    assert clean.columns == ["CORA", "PUBMED"]
    assert clean.rows == [
        ["rLap", "75.00 ± 12.91 (2)", "50.00 ± 0.00 (1)"],
        ["EdgeDropping", "50.00 ± 35.36 (1)", ""],
    ]
    assert "| EdgeDropping | 50.00 ± 35.36 (1) |  |" in clean.to_markdown()
    assert r"rLap & $75.00 \pm 12.91$ (2) & $50.00 \pm 0.00$ (1) \\" in clean.to_latex()
    assert "grace, clean protocol, with epochs=2: accuracy in percent (training seeds)" in tables


def test_rows_have_everything(store):
    found = list(rows(store.entries()))
    assert len({tuple(row) for row in found}) == 1  # the same columns
    first = found[0]
    assert (first["accuracy"], first["splits"], first["seconds"], first["commit"]) == (
        pytest.approx(0.85),
        2,
        2.0,
        "abc",
    )
    assert (first["peak_memory"], first["python"], first["changes"]) == (2**20, "3.11", "")
    assert json.loads(first["result"])["scores"]["accuracy"] == SCORES[0]
    states = [row["state"] for row in found]
    assert states.count("failed") == 1
    assert found[states.index("failed")]["error"] == "Traceback"
    spectral = next(row for row in found if row["kind"] == "spectral")
    assert json.loads(spectral["result"]) == {"edges": [3, 2]}
    assert spectral["accuracy"] is None


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        (Filter(), 8),
        (Filter(methods=["GRACE"]), 6),
        (Filter(datasets=["cora"]), 6),
        (Filter(augmentors=["edgedropping"]), 1),
        (Filter(protocol="paper"), 2),  # spectral has no protocol
        (Filter(versions=[-1]), 0),
    ],
)
def test_filters(store, wanted, count):
    assert sum(wanted.takes(entry) for entry in store.entries()) == count


def test_times():
    assert [parse_duration(text) for text in ("2h", "90m", "1d2h", "45", " 1.5H ")] == [7200, 5400, 93600, 45, 5400]
    for text in ("", "h", "2 hours", "-1h", "1h-", "2x"):
        with pytest.raises(ValueError, match="a time must look like"):
            parse_duration(text)
    assert [format_duration(seconds) for seconds in (0, 59.6, 3599, 7260, 200000)] == [
        "0s",
        "1m 0s",
        "59m 59s",
        "2h 1m",
        "2d 7h",
    ]


def test_an_unknown_data_set_is_named_and_left_out_of_tables(store, tmp_path):
    """Exports have it, so that nothing is lost on the way to another store."""
    before = cells(store.entries())
    job = method_job("grace", "CORA", "rLap", "clean", 0)
    finish(store, replace(job, dataset="Atlantis"), result_of([0.3]))
    known, left_out = describable(store.entries())
    assert cells(known) == before
    [line] = left_out
    assert line.startswith("1 runs are left out: the data set must be one of CORA, ")
    assert line.endswith("(got 'Atlantis')")
    call = CliRunner().invoke(build_app(), ["results", "--store", str(store.path), "-f", "markdown"])
    assert (call.exit_code, call.stderr) == (0, f"{line}\n")
    assert "PUBMED" in call.stdout
    assert "Atlantis" not in call.stdout
    call = CliRunner().invoke(build_app(), ["results", "--store", str(store.path), "-f", "jsonl"])
    assert (call.exit_code, call.stderr) == (0, "")
    assert [row["changes"] for row in map(json.loads, call.stdout.splitlines()) if row["dataset"] == "Atlantis"] == [
        None
    ]

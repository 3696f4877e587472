"""Exported results come back into a store as they were."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest

from rlap.cli.results_report import render, write_parquet
from rlap.experiments.baseline_job import baseline_job
from rlap.experiments.exported import read_entries
from rlap.experiments.method_job import method_job
from rlap.experiments.spectral import spectral_job
from rlap.experiments.store import Store

ENVIRONMENT = {"peak_memory": 2**20, "peak_memory_of": "run", "python": "3.11", "wall_seconds": 2.1234567890123457}
SCORES = [1 / 3, 0.1 + 0.2, 5e-324]  # numbers that rounding would change


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "store.sqlite")
    jobs = [
        method_job("grace", "CORA", "rLap", "clean", 0),
        method_job("mvgrl", "CORA", "PPRSubgraph-2048", "paper", 1, ["options={alpha = 0.1}"]),
        baseline_job("Cora", "RawFeatures", "paper", 2),
        spectral_job("Cora", "rLap-rand-asc", 0),
    ]
    for job in jobs:
        [key] = made.add([(job, "checksum")])
        result = {"scores": dict.fromkeys(("accuracy", "micro_f1", "macro_f1"), SCORES), "stopped": 'ä, "b"\nc'}
        result = {"edges": [3, None]} if job.kind == "spectral" else result
        made.finish(made.claim(key), result, environment=ENVIRONMENT, code="", seconds=1 / 7)
    failed, running, _ = made.add([(method_job("bgrl", "MUTAG", "rLap", "clean", seed), "sum") for seed in range(3)])
    made.fail(made.claim(failed), 'Traceback\n  a, "line"')
    made.claim(running)
    yield made
    made.close()


def export(store, path):
    entries = list(store.entries())
    if path.suffix == ".parquet":
        write_parquet(entries, path)
    else:
        path.write_text(render(entries, path.suffix[1:]), encoding="utf-8")
    return entries


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_the_round_trip_is_exact(store, tmp_path, ending):
    file = tmp_path / f"runs.{ending}"
    entries = export(store, file)
    fresh = Store(tmp_path / "fresh.sqlite")
    assert fresh.take_over(read_entries(file)) == 7
    wanted = [replace(entry, state="open") if entry.state == "running" else entry for entry in entries]
    assert list(fresh.entries()) == wanted
    assert fresh.take_over(read_entries(file)) == 0  # again changes nothing
    assert list(fresh.entries()) == wanted
    keys = fresh.add([(method_job("grace", "CORA", "rLap", "clean", 0), "checksum")])
    assert fresh.claim(keys[0]) is None  # it is done, and never computed again
    again = tmp_path / f"again.{ending}"
    export(fresh, again)
    if ending != "parquet":
        assert again.read_text().replace(",open,", ",running,") != ""
        assert again.read_bytes() == file.read_bytes().replace(b"running", b"open")
    fresh.close()


def test_what_is_known_here_stays_unless_the_other_knows_more(store, tmp_path):
    file = tmp_path / "runs.csv"
    entries = {entry.key: entry for entry in export(store, file)}
    fresh = Store(tmp_path / "fresh.sqlite")
    done = [entry for entry in entries.values() if entry.state == "done"]
    mine, running, failed, opened = fresh.add([(entry.job, entry.checksum) for entry in done])
    fresh.finish(fresh.claim(mine), {"mine": 1}, environment={}, code="", seconds=1.0)
    claim = fresh.claim(running)
    fresh.fail(fresh.claim(failed), "no")
    assert fresh.take_over(read_entries(file)) == 5
    found = {entry.key: entry for entry in fresh.entries()}
    assert found[mine].result == {"mine": 1}
    assert (found[running].state, found[running].result) == ("running", None)
    assert found[failed] == entries[failed]
    assert found[opened] == entries[opened]
    fresh.finish(claim, {"late": 1}, environment={}, code="", seconds=1.0)  # whoever was at it is not disturbed
    fresh.close()


def test_what_is_no_export_is_refused_and_nothing_comes_in(store, tmp_path):
    file = tmp_path / "runs.csv"
    export(store, file)
    rows = list(csv.DictReader(file.open(newline="")))
    fresh = Store(tmp_path / "fresh.sqlite")
    rows[2]["seed"] = "9"
    with file.open("w", newline="") as out:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    with pytest.raises(ValueError, match="a key must be the digest of its job"):
        fresh.take_over(read_entries(file))
    assert not list(fresh.entries())
    fresh.close()
    file.write_text("key,kind\n1,method\n")
    with pytest.raises(ValueError, match=r"runs.csv: a row must have the columns of an export \(row 1 has no method"):
        read_entries(file)
    with pytest.raises(ValueError, match=r"the file must end in .csv, .parquet, .jsonl"):
        read_entries(tmp_path / "runs.txt")
    with pytest.raises(ValueError, match="what is imported must be a file"):
        read_entries(tmp_path / "none.csv")

"""`rlap reproduce` and `rlap results`: tiny runs on the embedded data sets, against the library's own."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from rlap.cli import build_app, reproduce_live
from rlap.experiments import make_config
from rlap.experiments import run as run_here
from rlap.experiments.job import Job
from rlap.experiments.method_job import method_job
from rlap.experiments.runner import Progress
from rlap.experiments.runner.expectation import Expectation
from rlap.experiments.runner.progress import Running
from rlap.experiments.store import Store
from rlap.training.checkpoint import load_state
from tests.disks import filled, small_disk

TINY = ["--set", "hidden=8", "--set", "epochs=2", "--set", "splits=2", "--threads", "1"]
WHAT = ["graphcl", "grace", "-d", "digits", "-a", "rLap,EdgeDropping", "--protocol", "clean", "--seeds", "1", *TINY]


def run(*words: Any) -> Result:
    """Call the command line."""
    return CliRunner(env={"COLUMNS": "200"}).invoke(build_app(), [str(word) for word in words])


def make(*words: Any) -> str:
    """Call it; it must go well."""
    result = run(*words)
    assert result.exit_code == 0, result.output
    return str(result.stdout)


def test_it_runs_what_is_missing_and_nothing_else(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    listed = make("reproduce", *WHAT, "--store", store, "--dry-run")
    assert listed.splitlines() == [
        "new      grace, rLap, digits, clean, seed 0",
        "new      grace, EdgeDropping, digits, clean, seed 0",
        "2 runs",
    ]
    assert not store.exists()
    assert "2 done" in make("reproduce", *WHAT, "--store", store)
    entries = list(Store(store).entries())
    assert [entry.state for entry in entries] == ["done", "done"]
    expected = run_here(
        make_config("grace", "digits", words=["hidden=8", "epochs=2"], splits=2, augmentor="EdgeDropping")
    )
    assert entries[1].result is not None
    assert entries[1].result["scores"]["accuracy"] == expected.scores.accuracy.tolist()
    assert entries[1].result["last_loss"] == expected.training.losses[-1]
    assert not list(store.with_name("store.sqlite.checkpoints").glob("*"))

    before = [entry.finished for entry in entries]
    assert "2 done" in make("reproduce", *WHAT, "--store", store, "--budget", "1h")
    assert [entry.finished for entry in Store(store).entries()] == before
    assert make("reproduce", *WHAT, "--store", store, "--dry-run").startswith("done     grace, rLap")

    shown = make("results", "--store", store)
    mean = 100 * expected.scores.mean()
    assert f"EdgeDropping  {mean:.2f} ± {100 * expected.scores.std():.2f} (1)" in shown
    assert f"| EdgeDropping | {mean:.2f} ± " in make("results", "--store", store, "--format", "markdown")
    assert rf"EdgeDropping & ${mean:.2f} \pm " in make("results", "--store", store, "--format", "latex")
    table = list(csv.DictReader(io.StringIO(make("results", "--store", store, "--format", "csv"))))
    assert [row["augmentor"] for row in table] == ["rLap", "EdgeDropping"]
    assert float(table[1]["accuracy"]) == pytest.approx(expected.scores.mean())
    make("results", "--store", store, "--format", "parquet", "--out", tmp_path / "results.parquet", "-a", "rlap")
    frame = pd.read_parquet(tmp_path / "results.parquet")
    assert frame["augmentor"].tolist() == ["rLap"]
    assert json.loads(frame["result"][0])["epochs"] == 2
    make("results", "--store", store, "--out", tmp_path / "table.txt")
    assert "EdgeDropping" in (tmp_path / "table.txt").read_text()


def test_a_failing_run_is_told_and_can_be_taken_up_again(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    words = ["reproduce", "grace", "-d", "digits", "-a", "rLap", "--protocol", "clean", "--seeds", "1", *TINY]
    words += ["--set", "lr=1e30", "--store", store]  # too much for any network
    result = run(*words, "--set", "epochs=9")
    assert result.exit_code == 1
    assert "1 failed" in result.stdout
    assert "Diverged" in make("results", "--store", store, "--errors")
    before = next(Store(store).entries()).error
    assert run(*words, "--set", "epochs=9").exit_code == 1
    assert next(Store(store).entries()).error == before
    assert len(Store(store).states()) == 1


def test_retry_failed_takes_a_failed_run_up_again_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    make("reproduce", *WHAT, "--store", path, "-a", "rLap")
    store = Store(path)
    [done] = store.entries()
    # A run that failed for a reason that is gone.
    job = method_job("grace", "digits", "EdgeDropping", "clean", 0, ["hidden=8", "epochs=2", "splits=2"])
    [key] = store.add([(job, done.checksum)])
    claim = store.claim(key)
    assert claim is not None
    store.fail(claim, "MemoryError: there was no room")
    assert run("reproduce", *WHAT, "--store", path).exit_code == 1  # told, and left alone
    assert store.states()[key] == "failed"
    assert "2 done" in make("reproduce", *WHAT, "--store", path, "--retry-failed")
    entries = {entry.key: entry for entry in store.entries()}
    assert entries[key].error is None
    assert entries[done.key] == done
    store.close()


def test_a_run_that_is_unfinished_elsewhere_is_not_success(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    make("reproduce", *WHAT, "--store", path, "-a", "rLap")
    store = Store(path)
    [done] = store.entries()
    job = method_job("grace", "digits", "EdgeDropping", "clean", 0, ["hidden=8", "epochs=2", "splits=2"])
    [key] = store.add([(job, done.checksum)])
    claim = store.claim(key)  # by this process, which lives
    assert claim is not None
    assert done.result is not None
    result = run("reproduce", *WHAT, "--store", path)
    assert (result.exit_code, "1 done, 1 elsewhere" in result.stdout) == (1, True)
    store.finish(claim, done.result, environment={}, code="", seconds=1.0)
    assert "2 done" in make("reproduce", *WHAT, "--store", path)
    store.close()


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 256) as disk, filled(disk):
        result = run("reproduce", *WHAT, "--store", disk / "store.sqlite")
    assert result.exit_code == 1
    assert "the disk is full: free some space and call again" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_exported_results_are_loaded_and_not_computed_again(tmp_path: Path) -> None:
    first, second, file = tmp_path / "first.sqlite", tmp_path / "second.sqlite", tmp_path / "runs.csv"
    words = ["reproduce", "baselines", "-d", "digits", "-a", "RawFeatures", "--protocol", "clean", "--seeds", "1"]
    words += ["--set", "splits=2", "--threads", "1"]
    make(*words, "--store", first)
    make("results", "--store", first, "--format", "csv", "--out", file)
    assert "1 of 1 runs are new" in make("results", "import", file, "--store", second)
    assert list(Store(second).entries()) == list(Store(first).entries())
    assert "1 done" in make(*words, "--store", second)
    assert [entry.finished for entry in Store(second).entries()] == [one.finished for one in Store(first).entries()]
    assert "RawFeatures" in make("results", "--store", second)
    refused = run("results", "import", tmp_path / "none.csv", "--store", second)
    assert (refused.exit_code, "what is imported must be a file" in refused.stderr) == (2, True)


def test_a_search_from_the_command_line(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    words = ["reproduce", "grid-grace", "-d", "digits", "--protocol", "clean", "--store", store, *TINY]
    words += ["--set", "lr=0.01", "--set", "layers=2", "--set", "trials=2"]
    assert "0 of 2 configurations tried" in make(*words, "--dry-run")
    said = make(*words, "--budget", "1h")
    assert "3 done" in said
    assert "2 in full, 0 given up" in said
    entries = list(Store(store).entries())
    trials = [entry for entry in entries if entry.job.kind == "trial"]
    assert len(trials) == 2
    assert all(entry.result is not None and "scores" not in entry.result for entry in trials)
    best = max(trials, key=lambda entry: sum((entry.result or {})["validation"]["accuracy"]))
    [tested] = [entry for entry in entries if entry.job.kind == "method"]
    assert tested.job.settings == best.job.settings
    assert "2 of 2 configurations tried" in make(*words, "--dry-run")


REFUSED = {
    "target": (["reproduce", "gracy"], "the nearest is 'grace'"),
    "time": (["reproduce", "grace", "--budget", "soon"], "a time must look like 90s, 15m, 2h or 1h30m (got 'soon')"),
    "jobs": (["reproduce", "grace", "--jobs", "0"], "jobs must be at least 1 (got 0)"),
    "setting": (["reproduce", "grace", "--set", "epoch=3"], "the nearest is 'epochs'"),
    "store": (["results", "--store", "nothing.sqlite"], "the store must be a file (got 'nothing.sqlite')"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    words, rule = REFUSED[case]
    result = run(*words)
    assert result.exit_code == 2
    assert rule in result.stderr
    assert "Traceback" not in result.output


def test_parquet_needs_a_file(tmp_path: Path) -> None:
    Store(tmp_path / "store.sqlite").close()
    result = run("results", "--store", tmp_path / "store.sqlite", "--format", "parquet")
    assert (result.exit_code, "parquet needs --out FILE" in result.stderr) == (2, True)
    assert "0 runs" in make("results", "--store", tmp_path / "store.sqlite")


def test_missing_data_is_said(tmp_path: Path) -> None:
    result = run("reproduce", "grace", "-d", "Cora", "--data", tmp_path, "--store", tmp_path / "store.sqlite")
    assert result.exit_code == 1
    assert "CORA" in result.stderr


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    words = ["reproduce", "grace", "-d", "digits", "--seeds", "200", "--dry-run", "--store", "store.sqlite"]
    command = subprocess.Popen(
        [sys.executable, "-m", "rlap.cli", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert command.stdout is not None
    assert command.stderr is not None
    with command.stdout, command.stderr:
        assert command.stdout.readline() == "new      grace, rLap, digits, clean, seed 0\n"
        command.stdout.close()  # what is left is more than a pipe holds
        assert command.stderr.read() == ""
    assert command.wait(timeout=60) == 1


def test_ctrl_c_gives_the_run_back(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    code = "from rlap.cli import main\nif __name__ == '__main__':\n    main()\n"
    (tmp_path / "start.py").write_text(code)
    words = ["reproduce", "grace", "-d", "digits", "-a", "rLap", "--protocol", "clean", "--seeds", "1"]
    words += ["--set", "hidden=8", "--set", "patience=100000", "--set", "epochs=100000", "--store", str(store)]
    command = subprocess.Popen(
        [sys.executable, str(tmp_path / "start.py"), *words],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # so that the signal goes to all of them, as from a terminal, and to nobody else
    )
    try:
        until = time.monotonic() + 120
        while not (store.exists() and "running" in Store(store).states().values()):
            assert time.monotonic() < until
            assert command.poll() is None
            time.sleep(0.1)
        os.killpg(command.pid, signal.SIGINT)
        said, _ = command.communicate(timeout=120)
    finally:
        if command.poll() is None:
            os.killpg(command.pid, signal.SIGKILL)
    assert command.returncode == 130
    assert "1 left (interrupted)" in said
    assert list(Store(store).states().values()) == ["open"]
    [checkpoint] = store.with_name("store.sqlite.checkpoints").iterdir()
    assert load_state(checkpoint)["standing"]["losses"]


def test_a_log_says_now_and_then_where_runs_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not a terminal, so no table; a run of an hour must not be silent for an hour."""
    clock = [1000.0]
    monkeypatch.setattr(reproduce_live.time, "monotonic", lambda: clock[0])
    job = Job("method", "CORA", "grace", "rLap", "clean")
    progress = Progress({"a": job}, {"a": "running"}, Expectation(), running={"a": Running(words="epoch 7: loss 2")})
    board = reproduce_live.Board()
    for seconds in (0.0, 30.0, 31.0, 59.0, 1.0):
        clock[0] += seconds
        board.refresh(progress)
    told = capsys.readouterr().err.splitlines()
    assert told == ["grace, rLap, CORA, clean, seed 0: epoch 7: loss 2", "time left: not known yet"] * 2

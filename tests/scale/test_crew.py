"""`rlap reproduce --backend ray`: the runner's own tests of death, failure and interruption, with Ray tasks."""

from __future__ import annotations

import os
import signal

import pytest
from typer.testing import CliRunner

from rlap.cli import build_app
from rlap.experiments.runner import Options, prepare, run_jobs
from rlap.experiments.store import Store
from rlap.scale.crew import RayCrew
from tests.experiments.fake_job import KINDS
from tests.experiments.test_runner import Script, fake


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "store.sqlite")
    yield made
    made.close()


def test_death_and_failure_take_nothing_along(cluster, store):
    jobs = [fake(0), fake(1, fail=True), fake(2, steps=4, die_at=2), fake(3)]
    prepared = prepare(store, jobs)
    script = Script()
    progress = run_jobs(store, prepared.jobs, Options(2, kinds=KINDS, threads=1), script, RayCrew)
    states = {job.seed: progress.states[key] for key, job in prepared.jobs.items()}
    assert states == {0: "done", 1: "failed", 2: "done", 3: "done"}
    entries = {entry.job.seed: entry for entry in store.entries()}
    assert entries[2].result["began"] == 2  # where it died
    assert "ArithmeticError: this one always fails" in entries[1].error
    assert any("its process died" in text for text in script.said)
    assert os.getpid() not in {entry.result["process"] for entry in entries.values() if entry.result}


def test_an_interrupt_leaves_runs_at_their_checkpoints(cluster, store):
    """With more at once than Ray has room for: some run, and some wait."""
    prepared = prepare(store, [fake(number, steps=10_000, pause=0.01) for number in range(3)])
    script = Script(lambda: signal.raise_signal(signal.SIGINT))
    progress = run_jobs(store, prepared.jobs, Options(3, kinds=KINDS, threads=1), script, RayCrew)
    assert progress.stopping == "interrupted"
    assert set(progress.states.values()) == {"open"}
    assert set(store.states().values()) == {"open"}
    for key in prepared.jobs:
        if store.checkpoint(key).exists():
            store.checkpoint(key).write_text("9999")  # the rest would take too long for a test
    again = run_jobs(store, {key: prepared.jobs[key] for key in store.spent()}, Options(2, kinds=KINDS, threads=1),
                     crew=RayCrew)  # fmt: skip
    assert set(again.states.values()) == {"done"}
    assert all(entry.result["began"] == 9999 for entry in store.entries() if entry.result)


def test_the_command_line(cluster, tmp_path):
    path = tmp_path / "results.sqlite"
    command = [
        "reproduce",
        "spectral",
        "--datasets",
        "digits",
        "--augmentors",
        "rLap-deg-asc",
        "--seeds",
        "1",
        "--jobs",
        "1",
    ]
    done = CliRunner().invoke(build_app(), [*command, "--backend", "ray", "--store", str(path)])
    assert done.exit_code == 0, done.output
    assert "done; results are in" in done.output
    assert {entry.state for entry in Store(path).entries()} == {"done"}
    refused = CliRunner().invoke(build_app(), [*command, "--address", "auto", "--store", str(path)])
    assert refused.exit_code == 2
    assert "--address is for --backend ray" in refused.output

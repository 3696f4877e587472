"""The runner, with jobs that only count: order, death, failure, budget and interruption."""

from __future__ import annotations

import math
import multiprocessing
import signal
import time
from types import SimpleNamespace

import pytest

from rlap.experiments.job import Job
from rlap.experiments.kinds import Bench, Stop
from rlap.experiments.method_job import compute, method_job
from rlap.experiments.runner import Options, prepare, run_jobs
from rlap.experiments.runner.crew import Crew, Hand
from rlap.experiments.runner.expectation import Expectation
from rlap.experiments.runner.loop import _Loop
from rlap.experiments.runner.prepare import WEIGHT, in_order
from rlap.experiments.runner.progress import Progress, Running, Silence
from rlap.experiments.store import ClaimLost, Store
from rlap.experiments.targets import Choice, expand
from rlap.experiments.worker import Place, Task, _Watch
from rlap.training.checkpoint import load_state
from tests.disks import filled, remount, small_disk
from tests.experiments.fake_job import KINDS


def fake(number, **settings):
    return Job("fake", "digits", "grace", "rLap", seed=number, settings={"steps": 1, **settings})


class Script(Silence):
    """Takes down what is said, and does something once a run is on its way."""

    def __init__(self, act=None):
        self.said, self.act = [], act

    def say(self, text):
        self.said.append(text)

    def refresh(self, progress):
        if self.act and any(run.words for run in progress.running.values()):
            act, self.act = self.act, None
            act()


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "store.sqlite")
    yield made
    made.close()


def test_death_and_failure_take_nothing_along(store):
    jobs = [fake(0), fake(1, fail=True), fake(2, steps=4, die_at=2), fake(3), fake(4)]
    prepared = prepare(store, jobs)
    script = Script()
    progress = run_jobs(store, prepared.jobs, Options(2, kinds=KINDS, threads=1), script)
    states = {job.seed: progress.states[key] for key, job in prepared.jobs.items()}
    assert states == {0: "done", 1: "failed", 2: "done", 3: "done", 4: "done"}
    entries = {entry.job.seed: entry for entry in store.entries()}
    assert entries[2].result["began"] == 2  # where it died
    assert entries[2].result["steps"] == 4
    assert "ArithmeticError: this one always fails" in entries[1].error
    assert "fake_job.py" in entries[1].error
    assert any("its process died (code -9)" in text for text in script.said)
    assert any("failed (ArithmeticError" in text for text in script.said)
    environment = entries[0].environment
    assert environment["threads"] == 1
    assert environment["seed"] == 0
    assert environment["peak_memory"] > 10**7
    assert 0 < environment["wall_seconds"] == entries[0].seconds
    assert all(environment[name] for name in ("python", "rlap", "torch", "torch_geometric", "numpy", "processor"))

    again = run_jobs(store, prepared.jobs, Options(kinds={}))  # nothing is left, so nobody is asked
    assert again.states == progress.states


def test_the_budget_ends_a_run_where_it_is_and_another_call_goes_on(store, monkeypatch):
    prepared = prepare(store, [fake(0, steps=10_000, pause=0.01), fake(1)])
    [long, short] = prepared.jobs
    clock = time.monotonic
    later = Script(lambda: monkeypatch.setattr("rlap.experiments.runner.loop.time.monotonic", lambda: clock() + 5000))
    first = run_jobs(store, prepared.jobs, Options(kinds=KINDS, threads=1, budget=1000.0), later)
    monkeypatch.undo()
    assert first.stopping == "the budget is used up"
    assert first.states == {long: "open", short: "open"}
    assert store.states() == {long: "open", short: "open"}
    reached = int(store.checkpoint(long).read_text())
    assert 0 < reached < 10_000
    assert store.spent()[long] > 0

    interrupt = Script(lambda: signal.raise_signal(signal.SIGINT))
    second = run_jobs(store, prepared.jobs, Options(kinds=KINDS, threads=1), interrupt)
    assert second.stopping == "interrupted"
    assert store.states() == {long: "open", short: "open"}
    assert int(store.checkpoint(long).read_text()) > reached

    store.checkpoint(long).write_text("9999")  # the rest would take too long for a test
    third = run_jobs(store, prepared.jobs, Options(kinds=KINDS, threads=1))
    assert set(third.states.values()) == {"done"}
    entries = {entry.key: entry for entry in store.entries()}
    assert entries[long].result["steps"] == 10_000
    assert entries[long].result["began"] == 9999
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_process_looks_at_the_time_itself():
    """So that a run ends in time when the one that leads it does not get around to saying so."""
    ear, _ = multiprocessing.Pipe()
    heart = SimpleNamespace(lost=False)
    _Watch(ear, Task("key", fake(0), left=1000.0), heart)(0.5, "half")
    with pytest.raises(Stop):
        _Watch(ear, Task("key", fake(0), left=-1.0), heart)(0.5, "half")
    heart.lost = True
    with pytest.raises(ClaimLost):
        _Watch(ear, Task("key", fake(0), left=1000.0), heart)(0.5, "half")


@pytest.mark.parametrize(
    ("left", "expected", "spent", "budget", "begun"),
    [
        (100.0, None, False, 200.0, True),  # nothing is known
        (100.0, 90.0, False, 200.0, True),
        (100.0, 110.0, False, 200.0, False),
        (100.0, 110.0, True, 200.0, True),  # it has a checkpoint to go on from
        (100.0, 300.0, False, 200.0, True),  # it would never be begun otherwise
        (-1.0, None, False, 200.0, False),
        (math.inf, 1e9, False, None, True),
    ],
)
def test_what_is_begun_within_a_budget(store, monkeypatch, left, expected, spent, budget, begun):
    prepared = prepare(store, [fake(0)])
    [key] = prepared.jobs
    known = Expectation([] if expected is None else [(fake(5), expected)])
    loop = _Loop(store, Progress(prepared.jobs, {key: "open"}, known), Options(budget=budget, kinds=KINDS), Silence())
    monkeypatch.setattr("rlap.experiments.runner.loop.time.monotonic", lambda: 1000.0)
    loop.deadline = 1000.0 + left
    loop.spent = {key: 1.0} if spent else {}
    assert loop._fits(key) == begun


def test_every_cell_has_a_first_seed_before_any_has_a_second():
    jobs = in_order(expand(["grace", "bgrl", "ablation-grace", "spectral"], Choice(seeds=3)))
    cells = {job.cell for job in jobs}
    first = [job.cell for job in jobs[: len(cells)]]
    assert set(first) == cells
    assert len(jobs) == 3 * len(cells)
    weights = [WEIGHT[job.dataset] for job in jobs[: len(cells)]]
    assert weights == sorted(weights)
    assert next(job.augmentor for job in jobs if job.method == "bgrl") == "rLap"


def test_a_stopped_training_goes_on_to_the_same_result(tmp_path):
    job = method_job("grace", "digits", "rLap", "clean", 3, ["hidden=8", "epochs=6"], splits=2)
    whole = compute(job, Bench(None, tmp_path / "whole.pt", lambda fraction, words: None))
    seen = []

    def stop(fraction, words):
        seen.append(fraction)
        if len(seen) == 4:
            raise Stop

    with pytest.raises(Stop):
        compute(job, Bench(None, tmp_path / "run.pt", stop))
    assert len(seen) == 4
    assert load_state(tmp_path / "run.pt")["standing"]["stopped"] == ""
    after = []
    resumed = compute(job, Bench(None, tmp_path / "run.pt", lambda fraction, words: after.append(fraction)))
    assert after == [5 / 6, 1.0]
    del whole["training_seconds"], resumed["training_seconds"]
    assert resumed == whole

    (tmp_path / "run.pt").write_bytes(b"no checkpoint")
    again = compute(job, Bench(None, tmp_path / "run.pt", lambda fraction, words: None))
    assert again["scores"] == whole["scores"]


def test_data_sets_that_are_missing_are_left_out(store, tmp_path):
    prepared = prepare(store, [fake(0), Job("fake", "CORA", "grace", "rLap")], tmp_path)
    assert [job.dataset for job in prepared.jobs.values()] == ["digits"]
    assert list(prepared.left_out) == ["CORA"]
    with pytest.raises(FileNotFoundError, match="CORA"):
        prepare(store, [Job("fake", "CORA", "grace", "rLap")], tmp_path)


def test_time_left():
    jobs = {str(number): fake(number) for number in range(4)}
    states = {"0": "done", "1": "open", "2": "open", "3": "failed"}
    progress = Progress(jobs, states, Expectation(), processes=2)
    assert progress.seconds_left() is None
    progress.expectation.add(jobs["0"], 10.0)
    assert progress.seconds_left() == pytest.approx(2 * 10 / 2)
    # One that has run for 4 seconds needs 6 more.
    states["1"] = "running"
    progress.running["1"] = Running(began=time.monotonic() - 4)
    assert progress.seconds_left() == pytest.approx((6 + 10) / 2, abs=0.5)
    # One that should have ended long ago may end any time; the other will take as long.
    progress.running["1"] = Running(began=time.monotonic() - 60)
    assert progress.seconds_left() == pytest.approx((0 + 60) / 2, abs=0.5)


def test_work_for_one_who_has_died_is_heard_as_a_death(store):
    hand = Hand(Place(store.path, None, KINDS, 1))
    hand.process.kill()
    hand.process.join()
    hand.send(Task("key", fake(0), math.inf))
    assert (hand.key, hand.hear()) == ("key", None)
    hand.pipe.close()


@pytest.mark.parametrize(("die", "state"), [("after", "done"), ("before", "failed")])
def test_deaths_count_where_a_run_does_not_get_on(store, die, state):
    prepared = prepare(store, [fake(0, steps=5, die=die)])
    script = Script()
    progress = run_jobs(store, prepared.jobs, Options(kinds=KINDS, threads=1), script)
    assert list(progress.states.values()) == [state]
    assert sum("its process died" in text for text in script.said) == (5 if die == "after" else 3)


class Mortal(Crew):
    """Loses the first so many processes before they are ready."""

    left = 0

    def grow(self, count):
        for _ in range(count):
            super().grow(1)
            if Mortal.left:
                Mortal.left -= 1
                self._hands[-1].process.kill()


def test_a_process_killed_before_it_is_ready_ends_nothing(store):
    prepared = prepare(store, [fake(number) for number in range(3)])
    Mortal.left = 4
    progress = run_jobs(store, prepared.jobs, Options(2, kinds=KINDS, threads=1), crew=Mortal)
    assert set(progress.states.values()) == {"done"}


def test_processes_that_never_start_are_not_started_for_ever(store):
    prepared = prepare(store, [fake(0)])
    Mortal.left = 1000
    with pytest.raises(RuntimeError, match=r"a process must be able to start \(5 ended, the last by -9\)"):
        run_jobs(store, prepared.jobs, Options(kinds=KINDS, threads=1), crew=Mortal)
    assert list(store.states().values()) == ["open"]


@pytest.mark.parametrize("jump", [-86400.0, 86400.0])
def test_a_clock_that_is_set_does_not_touch_the_budget(store, monkeypatch, jump):
    prepared = prepare(store, [fake(0, steps=30, pause=0.05), fake(1)])
    clock = time.time
    script = Script(lambda: monkeypatch.setattr(time, "time", lambda: clock() + jump))
    began = time.monotonic()
    progress = run_jobs(store, prepared.jobs, Options(kinds=KINDS, threads=1, budget=1000.0), script)
    assert script.act is None
    assert (progress.stopping, set(progress.states.values())) == ("", {"done"})
    assert time.monotonic() - began < 100


def test_a_full_disk_ends_the_call_and_no_run_has_failed(tmp_path):
    """While a checkpoint is written, and when there is a result to write; the next call goes on."""
    with small_disk(tmp_path / "disk", 512) as disk:
        store = Store(disk / "store.sqlite")
        prepared = prepare(store, [fake(0, steps=20, pause=0.1, size=100_000), fake(1, size=2_000_000), fake(2)])
        [first, second, third] = prepared.jobs
        options = Options(kinds=KINDS, threads=1)
        full = filled(disk)
        progress = run_jobs(store, prepared.jobs, options, Script(full.__enter__))
        assert "No space left" in progress.problem or "the disk is full" in progress.problem
        assert set(progress.states.values()) == {"open"}
        assert "failed" not in store.states().values()
        full.__exit__(None, None, None)
        progress = run_jobs(store, prepared.jobs, options)  # now the second result is too long
        assert "the disk is full: free some space and call again" in progress.problem
        assert store.states() == {first: "done", second: "open", third: "open"}
        remount(disk, "size=16m")
        progress = run_jobs(store, prepared.jobs, options)
        assert (progress.problem, progress.complete) == ("", True)
        assert len(next(entry for entry in store.entries() if entry.key == second).result["text"]) == 2_000_000
        store.close()


@pytest.mark.parametrize(
    ("states", "stopping", "complete"),
    [
        ("done done", "", True),
        ("done open", "", False),
        ("done open", "the budget is used up", True),
        ("done open", "nothing more fits into the budget", True),
        ("done open", "the disk is full", False),
        ("done elsewhere", "", False),
        ("done elsewhere", "the budget is used up", False),
        ("done failed", "the budget is used up", False),
    ],
)
def test_what_is_complete(states, stopping, complete):
    found = dict(enumerate(states.split()))
    assert Progress({}, found, Expectation(), stopping=stopping).complete == complete


def test_options_have_rules():
    with pytest.raises(ValueError, match=r"jobs must be at least 1 \(got 0\)"):
        Options(0)
    with pytest.raises(ValueError, match=r"budget must be positive \(got -1\)"):
        Options(budget=-1)

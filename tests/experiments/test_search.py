"""Searches: what is tried, what is given up, what is chosen, and that nothing is lost or done twice."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from rlap.experiments.job import Job
from rlap.experiments.kinds import Bench
from rlap.experiments.method_job import config_of, method_job
from rlap.experiments.runner import Options, Progress
from rlap.experiments.runner.expectation import Expectation
from rlap.experiments.search import Search, trial_job
from rlap.experiments.search.best import found_best
from rlap.experiments.search.history import Tried, history
from rlap.experiments.search.loop import best_of, run_searches
from rlap.experiments.search.study import is_pruned, new_configurations, next_jobs
from rlap.experiments.search.trial_job import as_run, compute, is_short, lengthened
from rlap.experiments.single_run import run
from rlap.experiments.store import Store
from tests.experiments.fake_search import KINDS, SPACE, final, quality, tried

OPTIONS = Options(kinds=KINDS, threads=1)


def a_search(**given):
    return Search("grace", "digits", "rLap", "clean", SPACE, **given)


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "store.sqlite")
    yield made
    made.close()


@pytest.fixture
def here(monkeypatch):
    """Compute jobs in this process: to start others takes seconds, and the test of a killed search does it."""

    def run_here(store, jobs, options, display, crew):
        for key, job in jobs.items():
            claim = store.claim(key)
            if claim is None:
                continue
            bench = Bench(None, store.checkpoint(key), lambda share, words: None)
            try:
                result = (tried if job.kind == "trial" else final)(job, bench)
                store.finish(claim, result, environment={}, code="", seconds=1.0)
            except ArithmeticError as problem:
                store.fail(claim, str(problem))
        return Progress(jobs, store.states(), Expectation())

    monkeypatch.setattr("rlap.experiments.search.loop.run_jobs", run_here)


def computed(tmp_path):
    return [Job.from_json(line) for line in (tmp_path / "log.txt").read_text().splitlines()]


def test_a_killed_search_goes_on_and_computes_nothing_twice(tmp_path, store):
    (tmp_path / "die").touch()
    script = [sys.executable, "-m", "tests.experiments.fake_search", str(store.path), "4"]
    # No pipes: processes that outlive the killed one would hold them open.
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    died = subprocess.run(script, timeout=120, check=False, **quiet)
    assert died.returncode == -9
    (tmp_path / "die").unlink()
    before = {entry.key: entry.finished for entry in store.entries() if entry.state == "done"}
    assert len(before) == len(computed(tmp_path)) == 3
    progress, left_out = run_searches(store, [a_search(trials=4)], OPTIONS)
    assert not left_out
    assert set(progress.states.values()) == {"done"}
    jobs = computed(tmp_path)
    assert len({job.to_json() for job in jobs}) == len(jobs)  # nothing twice
    assert len({lengthened(job).to_json() for job in jobs}) == 4  # configurations
    after = {entry.key: entry.finished for entry in store.entries()}
    assert before.items() <= after.items()


def test_a_search_is_widened_and_done_work_stays(tmp_path, store, here):
    for trials, configurations in ((4, 4), (4, 4), (6, 6)):
        run_searches(store, [a_search(trials=trials)], OPTIONS)
        jobs = computed(tmp_path)
        assert len({lengthened(job).to_json() for job in jobs}) == configurations
        assert len({job.to_json() for job in jobs}) == len(jobs)


@pytest.mark.parametrize("sampler", ["tpe", "grid"])
def test_all_of_a_grid_is_tried_some_is_given_up_and_validation_chooses(tmp_path, store, here, sampler):
    search = a_search(sampler=sampler, seeds=2)
    progress, _ = run_searches(store, [search], OPTIONS)
    assert progress.stopping == ""
    jobs = computed(tmp_path)
    full = [job for job in jobs if not is_short(job)]
    short = [job for job in jobs if is_short(job)]
    assert len(short) == search.size == 12
    assert 4 <= len(full) < 12
    [found] = found_best(store.entries())
    assert (found.full, found.given_up, found.failed) == (len(full), 12 - len(full), 0)
    assert {key: found.best.parameters[key] for key in SPACE} == {"layers": 4, "hidden": 128, "gamma1": 0.5}
    assert found.best.validation == pytest.approx(max(map(quality, search.configurations())))
    # By the test scores, which are turned around, it would be the worst.
    assert found.best.test.accuracy.mean == pytest.approx(1 - found.best.validation)
    assert found.best.test.accuracy.seeds == 2
    assert found.paper is None  # it has none for digits
    last = [entry.job for entry in store.entries() if entry.job.kind == "method"]
    assert [job.seed for job in last] == [0, 1]
    assert last[0] == method_job("grace", "digits", "rLap", "clean", 0, layers=4, hidden=128, gamma1=0.5)
    assert last[1] == method_job("grace", "digits", "rLap", "clean", 1, layers=4, hidden=128, gamma1=0.5)


def test_failures_are_left_alone(tmp_path, store, here):
    (tmp_path / "fail").touch()
    run_searches(store, [a_search()], OPTIONS)
    [found] = found_best(store.entries())
    assert found.failed == 4
    assert found.full + found.given_up == 8
    size = len(computed(tmp_path))
    run_searches(store, [a_search()], OPTIONS)
    assert len(computed(tmp_path)) == size
    (tmp_path / "fail").unlink()
    run_searches(store, [a_search()], OPTIONS, retry_failed=True)
    [found] = found_best(store.entries())
    assert found.failed == 0


def test_a_budget_ends_a_search(store):
    progress, _ = run_searches(store, [a_search()], replace(OPTIONS, budget=1e-3))
    assert progress.stopping == "the budget is used up"


def test_trials_have_no_test_scores_and_score_what_a_run_scores(tmp_path):
    words = ["hidden=8", "epochs=3", "splits=2"]
    job = trial_job("grace", "digits", "rLap", "clean", {"layers": 2}, words)
    bench = Bench(None, tmp_path / "trial.pt", lambda share, what: None)
    found = compute(job, bench)
    assert "scores" not in found
    whole = run(config_of(as_run(job, 0)), part="val")
    assert found["validation"]["accuracy"] == whole.scores.accuracy.tolist()
    on_test = run(config_of(as_run(job, 0)))
    assert found["validation"]["accuracy"] != on_test.scores.accuracy.tolist()
    short = trial_job("grace", "digits", "rLap", "clean", {"layers": 2}, words, short=2)
    assert compute(short, Bench(None, tmp_path / "short.pt", bench.watch))["epochs"] == 2
    assert lengthened(short) == job


def test_the_papers_choice_comes_first_and_nothing_comes_twice():
    search = Search("grace", "CORA", "rLap", "clean", {"layers": (2, 4), "lr": (1e-3, 1e-4), "gamma1": (0.4, 0.5)})
    for sampler in ("tpe", "grid"):
        known = []
        for _ in range(4):
            new = new_configurations(replace_search(search, sampler=sampler), known, 2)
            known += [Tried(one, early=0.5, value=0.5) for one in new]
        assert known[0].parameters == {"layers": 2, "lr": 1e-4, "gamma1": 0.5}
        assert Counter(str(sorted(one.parameters.items())) for one in known) == Counter(
            str(sorted(one.items())) for one in search.configurations()
        )
        assert new_configurations(replace_search(search, sampler=sampler), known, 3) == []


def test_the_median_rule():
    search = a_search()
    configurations = search.configurations()
    values = [0.5, 0.6, 0.7, 0.8, 0.9]
    done = [Tried(one, early=value, value=value) for one, value in zip(configurations, values, strict=False)]
    for early in (0.55, 0.69, 0.71, 0.95):
        one = Tried(configurations[5], early=early)
        assert is_pruned(search, [*done, one], one) == (early < np.median(values))
        going_on = search.job(one.parameters, short=False) in next_jobs(search, [*done, one], 0)
        assert going_on == (early > np.median(values))
    assert not is_pruned(search, done[:3], Tried(configurations[5], early=0.0))  # too few to say
    assert best_of(done).value == 0.9
    assert best_of([]) is None


def test_short_trials_that_ended_by_themselves_are_full(store):
    search = a_search(trials=1)
    job = search.job(search.configurations()[0], short=True)
    [key] = store.add([(job, "checksum")])
    scores = {"accuracy": [0.5], "micro_f1": [0.5], "macro_f1": [0.5]}
    result = {"validation": scores, "stopped": "patience"}
    store.finish(store.claim(key), result, environment={}, code="", seconds=1.0)
    [one] = history(search, store.entries())
    assert (one.value, one.waits) == (0.5, False)
    assert next_jobs(search, [one], 5) == []
    assert history(a_search(words=["tau=0.3"]), store.entries()) == []  # another search
    [found] = found_best(store.entries())
    assert (found.full, found.given_up, found.best.test) == (1, 0, None)


def test_refusals():
    with pytest.raises(ValueError, match=r"trials must be at least 0 \(got -1\)"):
        a_search(trials=-1)
    with pytest.raises(ValueError, match=r'sampler must be "tpe" or "grid" \(got \'luck\'\)'):
        a_search(sampler="luck")
    with pytest.raises(ValueError, match="a search must have something to choose"):
        a_search(words=["layers=2", "hidden=8", "method.gamma1=0.5"])


def replace_search(search, **given):
    fields = {name: getattr(search, name) for name in ("method", "dataset", "augmentor", "protocol", "space")}
    return Search(**fields, **given)

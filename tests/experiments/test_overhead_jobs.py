"""Measurements as jobs: tiny ones, on the embedded data sets."""

from __future__ import annotations

import numpy as np
import pytest

from rlap.experiments import overhead_jobs
from rlap.experiments.kinds import Bench
from rlap.experiments.overhead_jobs import compute_overheads, compute_ppr, overhead_job, ppr_job
from rlap.experiments.overheads.isolation import OUT_OF_MEMORY, Outcome
from rlap.experiments.results import changes

BENCH = Bench(None, None, lambda fraction, words: None)


def here(call, *arguments):
    """Stand in for a process of its own, which takes long to start."""
    return Outcome(call(*arguments))


def test_an_overhead_is_the_median_of_its_runs(monkeypatch):
    monkeypatch.setattr(overhead_jobs, "run_alone", here)
    result = compute_overheads(overhead_job("families", "EdgeDroppingPR", 0, {"runs": 3}), BENCH)
    assert (result["status"], result["level"], len(result["all_seconds"])) == ("measured", "graph", 3)
    assert result["seconds"] == pytest.approx(np.median(result["all_seconds"]))
    assert result["cached_seconds"] == pytest.approx(np.median(result["all_cached"]))


def test_ppr_alone_is_exact_up_to_what_it_drops(monkeypatch):
    monkeypatch.setattr(overhead_jobs, "run_alone", here)
    tiny = {"size": 100, "columns": 4, "runs": 1}
    alone = compute_ppr(ppr_job("digits", "PPR", 0, tiny), BENCH)
    after = compute_ppr(ppr_job("digits", "grounded-0.5", 0, tiny), BENCH)
    assert alone["error"] < 0.1 < after["error"] < 1  # entries below 1e-4 are dropped; then rLap has its own error
    assert after["edges"] < alone["edges"]
    assert len(alone["seconds"]) == 1


def test_what_cannot_be_measured(monkeypatch):
    monkeypatch.setattr(overhead_jobs, "run_alone", lambda *_: Outcome(None, OUT_OF_MEMORY))
    assert compute_overheads(overhead_job("digits", "PPRDiffusion", 0), BENCH)["status"] == OUT_OF_MEMORY
    assert compute_ppr(ppr_job("digits", "PPR", 0), BENCH) == {"status": OUT_OF_MEMORY}
    monkeypatch.setattr(overhead_jobs, "run_alone", lambda *_: Outcome(None, "ValueError: no"))
    with pytest.raises(RuntimeError, match="ValueError: no"):
        compute_overheads(overhead_job("digits", "rLap", 0), BENCH)


def test_trials_are_told_apart():
    assert changes(overhead_job("digits", "rLap", 0)) == changes(ppr_job("digits", "shortcut-0.2", 3)) == ""
    assert changes(ppr_job("digits", "shortcut-0.2", 0, {"size": 5})) == "size=5"

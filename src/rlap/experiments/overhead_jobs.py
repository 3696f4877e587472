"""Jobs of the kinds "overheads" and "ppr": the measurements of `rlap.experiments.overheads`, kept in a store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rlap import datasets
from rlap.datasets.registry import canonical
from rlap.experiments.job import Job
from rlap.experiments.kinds import Bench
from rlap.experiments.overheads.isolation import Outcome, run_alone
from rlap.experiments.overheads.measure import Task, measure
from rlap.experiments.overheads.ppr import PPRTask, compare, exact
from rlap.experiments.overheads.suite import to_row

OVERHEADS: Mapping[str, Any] = {"perturbation": 0.5, "runs": 10}
COMPARISON: Mapping[str, Any] = {"alpha": 0.2, "size": 8192, "columns": 64, "runs": 3}


def overhead_job(dataset: str, augmentor: str, seed: int, settings: Mapping[str, Any] | None = None) -> Job:
    """Describe the measurement of one augmentor on one data set.

    Example:
        >>> overhead_job("Cora", "rLap", 0).settings["runs"]
        10
    """
    chosen = {**OVERHEADS, **(settings or {})}
    return Job("overheads", canonical(dataset), "overheads", augmentor, seed=seed, settings=chosen)


def ppr_job(dataset: str, row: str, seed: int, settings: Mapping[str, Any] | None = None) -> Job:
    """Describe the measurement of PPR alone ("PPR"), or after rLap ("shortcut-0.5", "grounded-0.5").

    Example:
        >>> ppr_job("Cora", "grounded-0.3", 0).settings["gamma"]
        0.3
    """
    way, _, gamma = row.partition("-")
    own = {"way": way, "gamma": float(gamma or 0.0)}
    return Job("ppr", canonical(dataset), "ppr", row, seed=seed, settings={**COMPARISON, **own, **(settings or {})})


def compute_overheads(job: Job, bench: Bench) -> dict[str, Any]:
    """Measure an augmentor, in a process that nothing else has touched.

    What needs more memory than there is has that as its result: it is one of the findings.
    """
    bench.watch(0.0, "measuring")
    task = Task(job.dataset, job.augmentor, bench.folder, seed=job.seed, **job.settings)
    outcome = run_alone(measure, task)
    level = "node" if job.dataset in datasets.names("node") else "graph"
    _demand(outcome)
    found = outcome.result
    raw = {} if found is None else {"all_seconds": list(found.seconds), "all_cached": list(found.cached or [])}
    return asdict(to_row(task, level, outcome)) | raw


def compute_ppr(job: Job, bench: Bench) -> dict[str, Any]:
    """Measure PPR, and its error against exact columns."""
    settings = dict(job.settings)
    way, gamma = settings.pop("way"), settings.pop("gamma")
    task = PPRTask(job.dataset, way, gamma, bench.folder, seed=job.seed, **settings)
    bench.watch(0.0, "exact columns")
    truth = exact(task)
    bench.watch(0.5, "measuring")
    outcome = run_alone(compare, task, truth)
    _demand(outcome)
    if outcome.result is None:
        return {"status": outcome.problem}
    found = asdict(outcome.result)
    measurement = found.pop("measurement")
    return {"status": "measured", **found, "memory": measurement["memory"], "seconds": list(measurement["seconds"])}


def _demand(outcome: Outcome[Any]) -> None:
    if not outcome.out_of_memory:
        outcome.need()

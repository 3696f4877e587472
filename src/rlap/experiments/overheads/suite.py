"""The overhead tables: every augmentor on every data set, each in a process of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from rlap import datasets
from rlap.datasets import Folder
from rlap.experiments.overheads.isolation import Outcome, run_alone
from rlap.experiments.overheads.measure import Measurement, Size, Task, describe, measure
from rlap.experiments.overheads.paper import paper_overheads
from rlap.experiments.overheads.store import ResultFile

EMBEDDED = ("digits", "families")
MEASURED = "measured"
KEY = ("dataset", "augmentor")


@dataclass(frozen=True)
class Overhead:
    """A row of the table. Times are medians of all runs, with the quartiles; MB are 10^6 bytes."""

    level: str
    dataset: str
    augmentor: str
    perturbation: float
    runs: int
    seed: int
    status: str
    memory_mb: float | None = None
    seconds: float | None = None
    seconds_lower: float | None = None
    seconds_upper: float | None = None
    cached_seconds: float | None = None
    cached_lower: float | None = None
    cached_upper: float | None = None
    paper_memory_mb: float | None = None
    paper_cpu_seconds: float | None = None


def open_results(path: Path | None, *, perturbation: float, runs: int, seed: int) -> ResultFile[Overhead]:
    """Take up the results in a file, if there are any, that were made with the same options."""
    settings = {"perturbation": perturbation, "runs": runs, "seed": seed}
    return ResultFile(path, Overhead, key=KEY, settings=settings)


def find_datasets(names: Iterable[str] | None, folder: Folder = None) -> dict[str, Size]:
    """Give the sizes of data sets: those that are named, or those of the paper's ten that are there, or the embedded.

    Raises:
        ValueError: when a data set that is named does not exist.
        RuntimeError: when it is not there or cannot be read.
    """
    wanted = list(datasets.names()) if names is None else list(names)
    found = {name: run_alone(describe, name, folder) for name in wanted if names or name not in EMBEDDED}
    if names is None:
        found = {name: one for name, one in found.items() if not one.absent}
        found = found or {name: run_alone(describe, name) for name in EMBEDDED}
    return {name: one.need() for name, one in found.items()}


def first_dataset(names: Sequence[str], folder: Folder = None) -> tuple[str, Size]:
    """Give the first of some data sets that is there, and its size."""
    for name in names:
        outcome = run_alone(describe, name, folder)
        if not outcome.absent:
            break
    return name, outcome.need()


def take_up(task: Task, level: str, results: ResultFile[Overhead]) -> Overhead:
    """Give the row of a task: from the results, or measured now and added to them.

    What could not be measured before is tried again.
    """
    known = results.find(task.dataset, task.augmentor)
    if known is not None and known.status == MEASURED:
        return known
    row = to_row(task, level, run_alone(measure, task))
    results.add(row)
    return row


def to_row(task: Task, level: str, outcome: Outcome[Measurement]) -> Overhead:
    """Sum up a measurement, beside the paper's numbers."""
    words = (level, task.dataset, task.augmentor, task.perturbation, task.runs, task.seed)
    paper = paper_overheads().get((task.dataset, task.augmentor))
    row = Overhead(
        *words,
        outcome.problem or MEASURED,
        paper_memory_mb=paper.memory_mb if paper else None,
        paper_cpu_seconds=paper.cpu_seconds if paper else None,
    )
    if outcome.result is None:
        return row
    lower, middle, upper = quartiles(outcome.result.seconds)
    cached = quartiles(outcome.result.cached) if outcome.result.cached else (None, None, None)
    return replace(
        row,
        memory_mb=outcome.result.memory / 1e6,
        seconds=middle,
        seconds_lower=lower,
        seconds_upper=upper,
        cached_seconds=cached[1],
        cached_lower=cached[0],
        cached_upper=cached[2],
    )


def quartiles(values: Iterable[float]) -> tuple[float, float, float]:
    """Give the lower quartile, the median and the upper quartile.

    Example:
        >>> quartiles([4.0, 1.0, 2.0, 3.0, 5.0])
        (2.0, 3.0, 4.0)
    """
    lower, middle, upper = np.quantile(list(values), [0.25, 0.5, 0.75])
    return float(lower), float(middle), float(upper)

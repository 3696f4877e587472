"""Results out of a store: filtered, one row a run, or one cell for all seeds of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from rlap.datasets.registry import canonical
from rlap.evaluation import Scores, summarize
from rlap.evaluation.scores import METRICS, Summary
from rlap.experiments.baseline_job import baseline_job
from rlap.experiments.job import Job
from rlap.experiments.leak import leak_job
from rlap.experiments.method_job import method_job
from rlap.experiments.overhead_jobs import overhead_job, ppr_job
from rlap.experiments.spectral import spectral_job
from rlap.experiments.store import Entry

SCORED = ("method", "baseline")  # kinds whose results are test scores
_MAKERS: Mapping[str, Callable[..., Job]] = {
    "spectral": spectral_job,
    "overheads": overhead_job,
    "ppr": ppr_job,
    "leak": leak_job,
}


@dataclass(frozen=True)
class Filter:
    """Which results are wanted; None is all. Without `versions`, only results that the code still gives are wanted."""

    methods: Sequence[str] | None = None
    datasets: Sequence[str] | None = None
    augmentors: Sequence[str] | None = None
    protocol: str = "both"
    versions: Sequence[int] | None = None

    def takes(self, entry: Entry) -> bool:
        """Say whether a run is wanted."""
        job = entry.job
        datasets = None if self.datasets is None else [canonical(name) for name in self.datasets]
        return (
            (entry.is_current if self.versions is None else entry.version in self.versions)
            and (not job.protocol or self.protocol in ("both", job.protocol))
            and _among(job.method, self.methods)
            and _among(job.dataset, datasets)
            and _among(job.augmentor, self.augmentors)
        )


@dataclass(frozen=True)
class Cell:
    """The accuracy of a design with an augmentor on a data set, over all seeds that are there, in [0, 1].

    `changes` says in which settings the runs differ from the target's; it is empty for all but trials.
    """

    method: str
    dataset: str
    augmentor: str
    protocol: str
    changes: str
    accuracy: Summary
    seconds: float

    @property
    def text(self) -> str:
        """Give percent, as tables print it."""
        std = self.accuracy.std
        return f"{100 * self.accuracy.mean:.2f}" + ("" if np.isnan(std) else f" ± {100 * std:.2f}")


def cells(entries: Iterable[Entry]) -> list[Cell]:
    """Put the runs of each cell together; what is not done, or has no accuracy, is left out.

    Runs with other settings, or on data of another content, make a cell of their own.
    """
    groups: dict[tuple[str, str, str, str, str, str], list[Entry]] = {}
    for entry in entries:
        if entry.result is not None and entry.job.kind in SCORED:
            job = entry.job
            group = (job.method, job.dataset, job.augmentor, job.protocol, changes(job), entry.checksum)
            groups.setdefault(group, []).append(entry)
    return [
        Cell(
            method,
            dataset,
            augmentor,
            protocol,
            changed,
            summarize([_scores(entry) for entry in runs]),
            float(np.mean([entry.seconds or 0.0 for entry in runs])),
        )
        for (method, dataset, augmentor, protocol, changed, _), runs in groups.items()
    ]


def changes(job: Job) -> str:
    """Say in which settings a job differs from what a target has in its place.

    Example:
        >>> from rlap.experiments.method_job import method_job
        >>> changes(method_job("grace", "Cora", "rLap", "clean", seed=3, words=["epochs=2", "hidden=8"]))
        'epochs=2, hidden=8'
    """
    usual = _usual(job.kind, job.method, job.dataset, job.augmentor, job.protocol)
    own = _flat(job.settings)
    found = [key for key in sorted(own.keys() | usual.keys()) if own.get(key) != usual.get(key) and key != "seed"]
    return ", ".join(f"{key}={own.get(key)}" for key in found)


def describable(entries: Iterable[Entry]) -> tuple[list[Entry], list[str]]:
    """Return the runs that this version knows to describe, and a line for each reason why others are left out.

    A store may have runs on a data set, of a design or with an augmentor that another version or a plug-in brought.
    """
    known, reasons = [], Counter[str]()
    for entry in entries:
        try:
            changes(entry.job)
        except ValueError as problem:
            reasons[str(problem)] += 1
        else:
            known.append(entry)
    return known, [f"{count} runs are left out: {reason}" for reason, count in reasons.items()]


@cache
def _usual(kind: str, method: str, dataset: str, augmentor: str, protocol: str) -> dict[str, Any]:
    if kind == "baseline":
        return dict(baseline_job(dataset, augmentor, protocol, 0).settings)
    if kind in ("method", "trial"):
        return _flat(method_job(method, dataset, augmentor, protocol, 0).settings)
    return _flat(_MAKERS[kind](dataset, augmentor, 0).settings) if kind in _MAKERS else {}


def _flat(settings: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in settings.items():
        if name in ("method", "train"):
            flat |= value
        else:
            flat[name] = value
    return flat


def rows(entries: Iterable[Entry]) -> Iterator[dict[str, Any]]:
    """Give one flat row a run, in plain values: what it was, its state, its scores and its environment.

    Scores of single splits, and results that are no scores, are in columns as JSON.
    """
    for entry in entries:
        job = entry.job
        result, environment = entry.result or {}, entry.environment or {}
        scores = result.get("scores", {})
        yield {
            "key": entry.key,
            "kind": job.kind,
            "method": job.method,
            "dataset": job.dataset,
            "augmentor": job.augmentor,
            "protocol": job.protocol,
            "seed": job.seed,
            "state": entry.state,
            **{metric: float(np.mean(scores[metric])) if metric in scores else None for metric in METRICS},
            "accuracy_std": _deviation(scores.get("accuracy")),
            "splits": len(scores["accuracy"]) if scores else None,
            "epochs": result.get("epochs"),
            "best_epoch": result.get("best_epoch"),
            "seconds": entry.seconds,
            **{name: environment.get(name) for name in _ENVIRONMENT},
            "commit": entry.code,
            "results_version": entry.version,
            "data_checksum": entry.checksum,
            "changes": _changes_if_known(job),
            "settings": json.dumps(job.settings, sort_keys=True),
            "result": None if entry.result is None else json.dumps(entry.result, sort_keys=True),
            "environment": None if entry.environment is None else json.dumps(entry.environment, sort_keys=True),
            "finished": entry.finished,
            "error": entry.error,
        }


_ENVIRONMENT = (
    "peak_memory",
    "threads",
    "processor",
    "processors",
    "system",
    "python",
    "rlap",
    "torch",
    "torch_geometric",
    "numpy",
    "scipy",
    "scikit_learn",
)


def _changes_if_known(job: Job) -> str | None:
    try:
        return changes(job)
    except ValueError:
        return None  # an export has every run; see `describable`


def _scores(entry: Entry) -> Scores:
    assert entry.result is not None
    return Scores(*(np.array(entry.result["scores"][metric], dtype=np.float64) for metric in METRICS))


def _deviation(values: list[float] | None) -> float | None:
    return float(np.std(values, ddof=1)) if values and len(values) > 1 else None


def _among(name: str, wanted: Sequence[str] | None) -> bool:
    return wanted is None or name.lower() in {one.lower() for one in wanted}

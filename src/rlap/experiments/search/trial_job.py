"""Jobs of the kind "trial": train a design with some hyper-parameters, and score it on validation.

A trial has no test scores. So nothing can be chosen by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from rlap.experiments.job import Job
from rlap.experiments.kinds import Bench
from rlap.experiments.method_job import config_of, method_job, run_job, summary

_FULL = "full_epochs"  # only short trials have it


def trial_job(
    method: str,
    dataset: str,
    augmentor: str,
    protocol: str,
    parameters: Mapping[str, Any],
    words: Iterable[str] = (),
    *,
    short: int | None = None,
) -> Job:
    """Describe a trial. A `short` one trains for so many epochs at the most, to see whether a full one is worth it.

    Example:
        >>> job = trial_job("grace", "Cora", "rLap", "clean", {"layers": 4}, short=100)
        >>> job.settings["method"]["layers"], job.settings["train"]["epochs"], job.settings["full_epochs"]
        (4, 100, 2000)
    """
    whole = replace(method_job(method, dataset, augmentor, protocol, 0, words, **parameters), kind="trial")
    epochs = whole.settings["train"]["epochs"]
    if short is None or short >= epochs:
        return whole
    train = {**whole.settings["train"], "epochs": short}
    return replace(whole, settings={**whole.settings, "train": train, _FULL: epochs})


def is_short(job: Job) -> bool:
    """Say whether a trial is a short one."""
    return _FULL in job.settings


def lengthened(job: Job) -> Job:
    """Give the full trial of a short one; a full one is its own.

    Example:
        >>> short = trial_job("grace", "Cora", "rLap", "clean", {}, short=100)
        >>> lengthened(short) == trial_job("grace", "Cora", "rLap", "clean", {})
        True
    """
    if not is_short(job):
        return job
    settings = dict(job.settings)
    train = {**settings["train"], "epochs": settings.pop(_FULL)}
    return replace(job, settings={**settings, "train": train})


def as_run(job: Job, seed: int) -> Job:
    """Give the run of a design that has a trial's configuration: what is tested in the end."""
    full = lengthened(job)
    train = {**full.settings["train"], "seed": seed}
    return replace(full, kind="method", seed=seed, settings={**full.settings, "train": train})


def compute(job: Job, bench: Bench) -> dict[str, Any]:
    """Train and embed as a run of a design does, and score the validation parts."""
    settings = {key: value for key, value in job.settings.items() if key != _FULL}
    found = summary(run_job(config_of(replace(job, settings=settings)), bench, "val"))
    return {"validation": found.pop("scores"), **found}

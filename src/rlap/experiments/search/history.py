"""What a store knows of a search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlap.experiments.job import Job, canonical_json
from rlap.experiments.search.search import Search
from rlap.experiments.search.trial_job import is_short
from rlap.experiments.store import Entry


@dataclass
class Tried:
    """A configuration that was begun.

    Attributes:
        parameters: the configuration.
        early: the accuracy on validation after the short trial, if that is done.
        value: the one after the full trial, if that is done, or would not differ.
        failed: whether a trial of it failed.
        unfinished: a trial that was begun, and has no result yet.
        seconds: that all its trials took.
    """

    parameters: dict[str, Any]
    early: float | None = None
    value: float | None = None
    failed: bool = False
    unfinished: Job | None = None
    seconds: float = 0.0

    @property
    def waits(self) -> bool:
        """Say whether somebody has to decide if it goes on."""
        return self.value is None and self.early is not None and not self.failed and self.unfinished is None


def history(search: Search, entries: Iterable[Entry]) -> list[Tried]:
    """List the configurations that a store has of a search, in the order in which they were begun."""
    found: dict[str, Tried] = {}
    for entry in entries:
        job = entry.job
        place = (job.method, job.dataset, job.augmentor, job.protocol)
        if job.kind != "trial" or not entry.is_current:
            continue
        if place != (search.method, search.dataset, search.augmentor, search.protocol):
            continue
        parameters = parameters_of(job, search.open)
        if search.job(parameters, short=is_short(job)).to_json() != job.to_json():
            continue  # of a search with other settings
        one = found.setdefault(canonical_json(parameters), Tried(parameters))
        _take(one, entry)
    return list(found.values())


def parameters_of(job: Job, names: Iterable[str]) -> dict[str, Any]:
    """Read hyper-parameters out of a trial's settings."""
    flat: Mapping[str, Any] = {**job.settings["train"], **job.settings["method"]}
    return {name: flat[name] for name in names}


def validation(entry: Entry) -> float:
    """Give the mean accuracy of a finished trial on the validation parts."""
    assert entry.result is not None
    return float(np.mean(entry.result["validation"]["accuracy"]))


def is_final(entry: Entry) -> bool:
    """Say whether a finished trial is a full one, or a short one that had ended by itself, which is the same run."""
    assert entry.result is not None
    return not is_short(entry.job) or entry.result["stopped"] == "patience"


def _take(one: Tried, entry: Entry) -> None:
    one.seconds += entry.seconds or 0.0
    if entry.state == "failed":
        one.failed = True
    elif entry.result is None:
        one.unfinished = entry.job
    else:
        one.early = validation(entry) if is_short(entry.job) or one.early is None else one.early
        if is_final(entry):
            one.value = validation(entry)

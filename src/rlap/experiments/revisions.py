"""The results' version of a job: raised by hand when a change of the code alters what such a job gives.

A version belongs to the jobs that a change concerns, and to no others: their results stay, and are not computed again.
A new commit alone recomputes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlap.experiments.job import Job

FIRST = 1


def results_version(job: Job) -> int:
    """Count the changes that have altered what a job gives.

    Example:
        >>> from rlap.experiments.method_job import method_job
        >>> [results_version(method_job("mvgrl", "Cora", "rLap", protocol, seed=0)) for protocol in ("clean", "paper")]
        [1, 2]
    """
    return FIRST + sum(concerns(job) for concerns in _CHANGES)


def _draws_views_for_each_split(job: Job) -> bool:
    # What the scripts embed is augmented, and new for every split; before, it was drawn once.
    return job.kind in ("method", "trial") and job.protocol == "paper" and _design(job) in ("mvgrl", "bgrl")


def _drops_out_in_the_core(job: Job) -> bool:
    return _design(job) == "bgrl"


_CHANGES: tuple[Callable[[Job], bool], ...] = (_draws_views_for_each_split, _drops_out_in_the_core)


def _design(job: Job) -> str:
    method = job.settings.get("method")
    return str(method.get("method")) if isinstance(method, Mapping) else ""

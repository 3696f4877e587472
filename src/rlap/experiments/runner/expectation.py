"""How long a run will take, judged by those that are done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from statistics import median

from rlap.experiments.job import Job
from rlap.experiments.runner.prepare import WEIGHT


class Expectation:
    """Learns from finished runs.

    Example:
        >>> done = [(Job("method", "CORA", "grace", "rLap", "clean", seed), 10.0) for seed in range(3)]
        >>> known = Expectation(done)
        >>> known.seconds(Job("method", "CORA", "grace", "EdgeDropping", "clean"))
        10.0
        >>> known.seconds(Job("method", "PUBMED", "grace", "rLap", "clean")) is None
        True
        >>> known.guess(Job("method", "PUBMED", "grace", "rLap", "clean")) > 10
        True
    """

    def __init__(self, done: Iterable[tuple[Job, float]] = ()) -> None:
        self._times: dict[tuple[str, ...], list[float]] = defaultdict(list)
        for job, seconds in done:
            self.add(job, seconds)

    def add(self, job: Job, seconds: float) -> None:
        """Learn from one more."""
        for group in _groups(job):
            self._times[group].append(seconds)
        self._times[("weight", job.kind)].append(seconds / WEIGHT.get(job.dataset, 1.0))

    def seconds(self, job: Job) -> float | None:
        """Give the median time of the runs most like this one; None if there is none on the same data set."""
        for group in _groups(job):
            if group in self._times:
                return median(self._times[group])
        return None

    def guess(self, job: Job) -> float | None:
        """Give the time as above, or else judge by runs on other data sets; None if there is none of this kind."""
        known = self.seconds(job)
        others = self._times.get(("weight", job.kind))
        if known is not None or others is None:
            return known
        return median(others) * WEIGHT.get(job.dataset, 1.0)


def _groups(job: Job) -> list[tuple[str, ...]]:
    """Name the groups of runs that a job belongs to, the closest first."""
    return [
        job.cell,
        job.column,
        (job.kind, job.method, job.dataset),
    ]

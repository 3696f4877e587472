"""`run_searches`: try configurations until the time is over, or nothing is left, and test the best ones."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from rlap.experiments.job import Job
from rlap.experiments.method_job import method_job
from rlap.experiments.runner import Options, Progress, prepare, run_jobs
from rlap.experiments.runner.crew import Crew
from rlap.experiments.runner.expectation import Expectation
from rlap.experiments.runner.prepare import Checksums, Prepared
from rlap.experiments.runner.progress import TOO_LONG, USED_UP, Display
from rlap.experiments.search.history import Tried, history
from rlap.experiments.search.search import Search
from rlap.experiments.search.study import next_jobs
from rlap.experiments.search.trial_job import as_run
from rlap.experiments.store import Store
from rlap.experiments.worker import Place

_AHEAD = 4  # new trials for each process before Optuna is asked again: to start processes takes seconds


def run_searches(
    store: Store,
    searches: Sequence[Search],
    options: Options | None = None,
    display: Display | None = None,
    *,
    retry_failed: bool = False,
    crew: Callable[[Place], Crew] = Crew,
) -> tuple[Progress, dict[str, str]]:
    """Search, and say where the trials stand in the end, and which data sets were not there.

    Every search gets some trials in its turn. Of a budget so much is kept back as the last runs will take, judged by
    the trials: the best configuration of each search, and the paper's, with all seeds on the test parts. These are
    runs of the design as those of any other target, under the same keys. A configuration that failed is left alone,
    unless failed trials are to be tried again.
    """
    if retry_failed:
        entries = [entry for entry in store.entries() if entry.job.kind == "trial" and entry.state == "failed"]
        places = {(one.method, one.dataset, one.augmentor, one.protocol) for one in searches}
        store.reopen(entry.key for entry in entries if _place(entry.job) in places)
    return _Hunt(store, searches, options or Options(), display, crew).run()


@dataclass
class _Hunt:
    store: Store
    searches: Sequence[Search]
    options: Options
    display: Display | None
    crew: Callable[[Place], Crew]
    jobs: dict[str, Job] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    checksums: Checksums = field(default_factory=dict)

    def run(self) -> tuple[Progress, dict[str, str]]:
        end = math.inf if self.options.budget is None else time.monotonic() + self.options.budget
        each = max(1, math.ceil(_AHEAD * self.options.processes / len(self.searches)))
        stopping, before = "", -1
        while not stopping:
            wanted = self._next(each)
            if not wanted or self._finished() == before:
                break
            before = self._finished()
            stopping = self._compute(wanted, end - time.monotonic() - self._reserve())
        if stopping in ("", USED_UP, TOO_LONG):
            stopping = self._compute(self._last(), end - time.monotonic()) or stopping
        states = self.store.states()
        shown = {key: "elsewhere" if states[key] == "running" else states[key] for key in self.jobs}
        return Progress(self.jobs, shown, Expectation(), self.options.processes, stopping=stopping), self.left_out

    def _compute(self, wanted: Sequence[Job], seconds: float) -> str:
        """Run jobs, shown beside all that there were; say why it was stopped, if it was."""
        if seconds <= 0:
            return USED_UP
        there = [job for job in wanted if job.dataset not in self.left_out]
        if not there:
            return ""
        prepared: Prepared = prepare(self.store, there, self.options.folder, self.checksums)
        self.left_out |= prepared.left_out
        self.jobs |= prepared.jobs
        limit = None if math.isinf(seconds) else seconds
        return run_jobs(self.store, self.jobs, replace(self.options, budget=limit), self.display, self.crew).stopping

    def _histories(self) -> list[tuple[Search, list[Tried]]]:
        entries = [entry for entry in self.store.entries() if entry.job.kind == "trial"]
        there = [search for search in self.searches if search.dataset not in self.left_out]
        return [(search, history(search, entries)) for search in there]

    def _next(self, each: int) -> list[Job]:
        return [job for search, tried in self._histories() for job in next_jobs(search, tried, each)]

    def _finished(self) -> int:
        """Count what is done; a round that adds nothing is the last, whoever has the rest."""
        return sum(state in ("done", "failed") for state in self.store.states().values())

    def _last(self) -> list[Job]:
        """Give the runs that test the best configuration of every search, and the paper's."""
        found = []
        for search, tried in self._histories():
            best = best_of(tried)
            for seed in range(search.seeds):
                if best is not None:
                    found.append(as_run(search.job(best.parameters, short=False), seed))
                if search.paper() is not None:
                    place = (search.method, search.dataset, search.augmentor, search.protocol)
                    found.append(method_job(*place, seed, search.words))
        return found

    def _reserve(self) -> float:
        """Guess how long the last runs will take."""
        if self.options.budget is None:
            return 0.0
        best = [(search, best_of(tried)) for search, tried in self._histories()]
        seconds = sum(2 * search.seeds * one.seconds for search, one in best if one is not None)
        return min(seconds / self.options.processes, self.options.budget / 2)


def _place(job: Job) -> tuple[str, str, str, str]:
    return (job.method, job.dataset, job.augmentor, job.protocol)


def best_of(tried: Sequence[Tried]) -> Tried | None:
    """Find the configuration that is best on validation; of equal ones the first.

    Example:
        >>> best_of([Tried({"lr": 0.1}, value=0.5), Tried({"lr": 0.2}, value=0.7), Tried({"lr": 0.3}, early=0.9)])
        Tried(parameters={'lr': 0.2}, early=None, value=0.7, failed=False, unfinished=None, seconds=0.0)
    """
    done = [one for one in tried if one.value is not None]
    return max(done, key=lambda one: one.value or 0.0, default=None)

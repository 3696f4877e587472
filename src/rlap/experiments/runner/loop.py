"""`run_jobs`: compute what is missing in a store."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from rlap.datasets import Folder
from rlap.experiments.job import Job
from rlap.experiments.kinds import KINDS
from rlap.experiments.runner.crew import Crew, Hand
from rlap.experiments.runner.expectation import Expectation
from rlap.experiments.runner.progress import INTERRUPTED, TOO_LONG, USED_UP, Display, Progress, Running, Silence
from rlap.experiments.store import ClaimLost, Store, StoreError
from rlap.experiments.worker import News, Place, Task

_GRACE = 120.0  # seconds that a run gets to come to a point where it can be left
_STARTS = 5  # processes in a row that may end before they are ready: somebody may kill one, but not all


@dataclass(frozen=True)
class Options:
    """How runs are computed.

    Args:
        processes: so many at once.
        budget: seconds after which everything stops; None is no limit.
        folder: the data sets' raw files.
        threads: for each process; 0 shares out what the machine has.
        kinds: who computes what.
    """

    processes: int = 1
    budget: float | None = None
    folder: Folder = None
    threads: int = 0
    kinds: Mapping[str, str] = field(default_factory=lambda: KINDS)

    def __post_init__(self) -> None:
        if self.processes < 1:
            raise ValueError(f"jobs must be at least 1 (got {self.processes})")
        if self.budget is not None and not self.budget > 0:
            raise ValueError(f"budget must be positive (got {self.budget})")

    def share(self) -> int:
        """Give the threads of one process."""
        there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return self.threads or max(1, there // self.processes)


def run_jobs(
    store: Store,
    jobs: Mapping[str, Job],
    options: Options | None = None,
    display: Display | None = None,
    crew: Callable[[Place], Crew] = Crew,
) -> Progress:
    """Compute the jobs that have no result yet, in their order, and say where they stand in the end.

    Each is computed in a process of its own crew, so that one that dies takes nothing with it. Jobs that another
    process on the same store computes are left to it. At the end of the budget, or on SIGINT or SIGTERM, no further one
    is begun, and those that run are left at their checkpoints. With a budget, a run that is not expected to fit is not
    begun, unless it was begun before or is longer than the whole budget: those can only be done in pieces. `crew` makes
    those who compute; they are processes on this machine unless said.
    """
    chosen = options or Options()
    states = store.states()
    progress = Progress(
        jobs,
        {key: "open" if states[key] == "running" else states[key] for key in jobs},
        Expectation((entry.job, entry.seconds) for entry in store.entries() if entry.seconds is not None),
        chosen.processes,
    )
    if "open" in progress.states.values():
        _Loop(store, progress, chosen, display or Silence(), crew).run()
    if "elsewhere" in progress.states.values():
        states = store.states()  # some of them may be done by now
        for key, state in progress.states.items():
            if state == "elsewhere" and states[key] in ("done", "failed"):
                progress.states[key] = states[key]
    return progress


class _Loop:
    def __init__(
        self,
        store: Store,
        progress: Progress,
        options: Options,
        display: Display,
        crew: Callable[[Place], Crew] = Crew,
    ) -> None:
        self.store, self.progress, self.options, self.display = store, progress, options, display
        self.deadline = math.inf if options.budget is None else time.monotonic() + options.budget
        self.queue = [key for key, state in progress.states.items() if state == "open"]
        self.spent = store.spent()
        self.stillborn = 0
        self.crew = crew(Place(store.path, options.folder, options.kinds, options.share()))

    def run(self) -> None:
        with self.crew, _interruptible():
            try:
                self.crew.grow(min(self.options.processes, len(self.queue)))
                self._until_nothing_is_left()
            except KeyboardInterrupt:
                self._stop(INTERRUPTED)
            finally:
                self._wind_up()

    def _until_nothing_is_left(self) -> None:
        more = True
        while more:  # what others held at first may be free by now
            began = len(self.queue)
            while self._assign() or self.crew.busy():
                self._listen()
                if time.monotonic() >= self.deadline:
                    self._stop(USED_UP)
                if self.progress.stopping:
                    return
            elsewhere = [key for key, state in self.progress.states.items() if state == "elsewhere"]
            more = bool(elsewhere) and len(elsewhere) < began
            self.queue = elsewhere if more else self.queue
        if any(self.progress.states[key] == "open" for key in self.queue):
            self.progress.stopping = TOO_LONG

    def _assign(self) -> bool:
        """Give work to those who have none; False if there is none that may be begun."""
        for hand in self.crew.idle():
            key = next((key for key in self.queue if self._fits(key)), None)
            if key is None:
                return False
            self.queue.remove(key)
            hand.send(Task(key, self.progress.jobs[key], self.deadline - time.monotonic()))
        return bool(self.queue)

    def _fits(self, key: str) -> bool:
        left = self.deadline - time.monotonic()
        expected = self.progress.expectation.seconds(self.progress.jobs[key])
        if expected is None or key in self.spent or self.options.budget is None or expected > self.options.budget:
            return left > 0
        return expected <= left

    def _listen(self) -> None:
        for hand, news in self.crew.news(timeout=0.25):
            if news is None:
                self._bury(hand)
            else:
                self._take(news)
        self.display.refresh(self.progress)

    def _take(self, news: News) -> None:
        progress, key = self.progress, news.key
        if news.event == "ready":
            self.stillborn = 0
            return
        if news.event == "unable":
            progress.running.pop(key, None)
            if key:
                progress.states[key] = "open"
            if not progress.stopping:
                self._stop(news.words)
            return
        job = progress.jobs[key]
        if news.event == "began":
            progress.states[key] = "running"
            progress.running[key] = Running()
        elif news.event == "step":
            progress.running[key].fraction, progress.running[key].words = news.fraction, news.words
        else:
            progress.running.pop(key, None)
            state = {"back": "open", "taken": "elsewhere"}.get(news.event, news.event)
            if state == "elsewhere":
                now = self.store.states()[key]
                state = now if now in ("done", "failed") else state
            progress.states[key] = state
            if news.event == "done":
                progress.expectation.add(job, news.seconds)
                self.display.say(f"{job.title}: done in {news.seconds:.1f} s")
            elif news.event == "failed":
                self.display.say(f"{job.title}: failed ({news.words})")

    def _bury(self, hand: Hand) -> None:
        """A process has died: its run is tried again, until the store has had enough of it."""
        if not hand.ready:
            self.stillborn += 1
            if self.stillborn == _STARTS:
                raise RuntimeError(f"a process must be able to start ({_STARTS} ended, the last by {hand.code()})")
        if hand.key is not None:
            self.display.say(f"{self.progress.jobs[hand.key].title}: its process died (code {hand.code()})")
            self.progress.running.pop(hand.key, None)
            self.progress.states[hand.key] = "open"
            self.queue.insert(0, hand.key)
        if not self.progress.stopping:
            self.crew.grow(1)

    def _stop(self, why: str) -> None:
        self.progress.stopping = why
        self.crew.stop()

    def _wind_up(self) -> None:
        """Wait for those who still compute; whoever takes too long, or a second interrupt, ends them."""
        until = time.monotonic() + _GRACE
        try:
            while self.crew.busy() and time.monotonic() < until:
                self._listen()
        except KeyboardInterrupt:
            pass
        for hand in self.crew.end():
            if hand.claim is not None:
                with suppress(StoreError, ClaimLost):  # who takes the run up next sees that its process is gone
                    self.store.give_back(hand.claim)
                self.progress.states[hand.claim.key] = "open"
                self.progress.running.pop(hand.claim.key, None)
        self.display.refresh(self.progress)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let SIGTERM do what SIGINT does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)

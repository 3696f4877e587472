"""A process that computes runs, one after the other, as it is told."""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from rlap.datasets import Folder
from rlap.experiments.environment import commit, describe_environment, peak_memory, start_peak
from rlap.experiments.job import Job
from rlap.experiments.kinds import Bench, Stop, find_compute
from rlap.experiments.store import Claim, ClaimLost, Store, StoreError
from rlap.experiments.store.store import LEASE

_TELL = 0.25  # seconds between two words on how far a run is
# What a file system says that is full, above a quota, or broken: a run that meets it has not failed.
_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO}


@dataclass(frozen=True)
class Place:
    """What a worker needs to know once."""

    store: Path
    folder: Folder
    kinds: Mapping[str, str]
    threads: int


@dataclass(frozen=True)
class Task:
    """A run to try, and how many seconds are left for it; clocks differ between machines, and may be set."""

    key: str
    job: Job
    left: float


@dataclass(frozen=True)
class News:
    """What a worker says.

    `event` is ready, began, step, done, failed, back (given back), taken (by others), or unable: the machine is not up
    to it, and `words` say why; the run is not to blame, and is as it was.
    """

    event: str
    key: str = ""
    words: str = ""
    fraction: float = 0.0
    seconds: float = 0.0
    claim: Claim | None = None


def work(ear: Connection, place: Place) -> None:
    """Compute what comes, until there is nothing more to come or whoever sent it is gone.

    A word that comes while a run is computed means that it is to stop.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it too, and says when to stop
    # Threads that spin while they wait take the processor from everybody else: where others run too, that made
    # training ten times slower. It is read when torch is imported, which comes later.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    key = ""
    try:
        store = Store(place.store)
        _tell(ear, News("ready"))
        while True:
            try:
                task = ear.recv()
            except (EOFError, OSError):
                return
            if not isinstance(task, Task):
                return
            key = task.key
            claim = store.claim(key)
            if claim is None:
                _tell(ear, News("taken", key))
            else:
                _tell(ear, News("began", key, claim=claim))
                _tell(ear, _compute(ear, place, store, task, claim))
    except StoreError as problem:
        _tell(ear, News("unable", key, str(problem)))


def _compute(ear: Connection, place: Place, store: Store, task: Task, claim: Claim) -> News:
    began = time.monotonic()
    try:
        try:
            return _finish(ear, place, store, task, claim)
        except Stop:
            store.give_back(claim, time.monotonic() - began)
            return News("back", task.key)
        except ClaimLost:
            raise
        except Exception as problem:
            if isinstance(problem, StoreError) or (isinstance(problem, OSError) and problem.errno in _DISK):
                store.give_back(claim, time.monotonic() - began)
                return News("unable", task.key, str(problem))
            store.fail(claim, traceback.format_exc(), time.monotonic() - began)
            return News("failed", task.key, f"{type(problem).__name__}: {problem}")
    except ClaimLost:
        return News("taken", task.key)


def _finish(ear: Connection, place: Place, store: Store, task: Task, claim: Claim) -> News:
    began = time.monotonic()
    fresh = start_peak()
    with _Heart(place.store, claim) as heart:
        bench = Bench(place.folder, store.checkpoint(task.key), _Watch(ear, task, heart))
        compute = find_compute(task.job.kind, place.kinds)
        _use_threads(place.threads)
        result = compute(task.job, bench)
    seconds = time.monotonic() - began
    environment = describe_environment(place.threads, task.job.seed) | {
        "wall_seconds": claim.spent + seconds,
        "peak_memory": peak_memory(),
        "peak_memory_of": "run" if fresh else "process",
    }
    store.finish(claim, result, environment=environment, code=commit(), seconds=claim.spent + seconds)
    return News("done", task.key, seconds=claim.spent + seconds)


class _Watch:
    """Is called by the run now and then: says how far it is, and stops it when it has to."""

    def __init__(self, ear: Connection, task: Task, heart: _Heart) -> None:
        self._ear, self._task, self._heart = ear, task, heart
        self._told, self._deadline = 0.0, time.monotonic() + task.left

    def __call__(self, fraction: float, words: str) -> None:
        if self._heart.lost:
            raise ClaimLost(f"the run {self._task.key} is somebody else's by now")
        if self._ear.poll() or time.monotonic() >= self._deadline:
            raise Stop
        if time.monotonic() - self._told >= _TELL:
            self._told = time.monotonic()
            _tell(self._ear, News("step", self._task.key, words, fraction))


class _Heart:
    """Renews a claim from a thread of its own, for those who cannot see from their machine that this process lives."""

    def __init__(self, path: Path, claim: Claim) -> None:
        self._path, self._claim = path, claim
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)
        self.lost = False

    def __enter__(self) -> _Heart:
        self._thread.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._end.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._end.wait(LEASE / 6):
            try:
                store = Store(self._path)
                try:
                    store.renew(self._claim)
                finally:
                    store.close()
            except ClaimLost:
                self.lost = True
                return
            except (StoreError, sqlite3.Error):
                continue  # the file is busy, or its disk is away: there are five more beats in a lease


def _tell(ear: Connection, news: News) -> None:
    with suppress(OSError):  # nobody listens any more; what is finished is in the store all the same
        ear.send(news)


def _use_threads(threads: int) -> None:
    """Limit those libraries that are there by now; a kind that does without torch does not wait for it."""
    if "torch" in sys.modules:
        import torch
        from threadpoolctl import threadpool_limits

        torch.set_num_threads(threads)
        threadpool_limits(threads)

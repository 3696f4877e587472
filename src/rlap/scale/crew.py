"""The runs of an experiment as Ray tasks: one task a run, led by the same loop that leads processes on one machine."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from multiprocessing import AuthenticationError, connection
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from rlap.datasets.places import data_folder
from rlap.experiments.runner.crew import Crew, Hand
from rlap.experiments.worker import News, Place, Task, work


def compute_run(host: tuple[str, int], authkey: bytes, number: int, place: Place) -> None:
    """Call the process that leads, and compute the run that it says."""
    with connection.Client(host, authkey=authkey) as ear:
        ear.send(number)
        work(ear, place)


class RayHand(Hand):
    """A place for one Ray task at a time."""

    def __init__(self, crew: RayCrew, number: int) -> None:
        self.crew, self.number = crew, number
        self.pipe: Any = None
        self.ref: Any = None
        self.task: Task | None = None
        self.sent = 0.0
        self.ready = False
        self.key = None
        self.claim = None

    def send(self, task: Task) -> None:
        """Start a Ray task for a run; it asks for it when it is there."""
        self.key, self.task, self.sent = task.key, task, time.monotonic()
        self.ref = self.crew.start(self.number)

    def hear(self) -> News | None:
        """Take the next news; None if the worker has died."""
        news = super().hear()
        if news is None or self.key is None:
            self.hang_up()
        elif news.event == "ready" and self.task is not None:
            waited = time.monotonic() - self.sent  # until Ray had room for it
            with suppress(OSError):  # it has died since, which is heard as well
                self.pipe.send(replace(self.task, left=self.task.left - waited))
        return news

    def hang_up(self) -> None:
        """Let the task end."""
        if self.pipe is not None:
            self.pipe.close()
        self.pipe = self.ref = self.task = None

    def code(self) -> int | None:
        """Say how it ended: Ray knows, and does not tell."""
        return None


class RayCrew(Crew):
    """All of them. The store, and the data sets, must be where every machine of the cluster sees them.

    Each task takes as many of Ray's CPUs as it may use threads. Ray does not repeat a task that died: the loop does,
    as the store counts deaths.
    """

    def __init__(self, place: Place) -> None:
        import ray

        folder = data_folder(place.folder)
        if folder.path:
            folder = replace(folder, path=Path(folder.path).absolute())
        super().__init__(replace(place, store=Path(place.store).absolute(), folder=folder))
        self._authkey = secrets.token_bytes(32)
        self._listener = connection.Listener((ray.util.get_node_ip_address(), 0), authkey=self._authkey, backlog=64)
        self._calls: SimpleQueue[tuple[int, Any]] = SimpleQueue()
        self._said: list[tuple[Hand, News]] = []
        self._remote = ray.remote(compute_run).options(num_cpus=place.threads, max_retries=0)
        threading.Thread(target=self._accept, daemon=True).start()

    def grow(self, count: int) -> None:
        """Make room for so many more."""
        for _ in range(count):
            number = 1 + max((hand.number for hand in self._rays()), default=-1)
            self._hands.append(RayHand(self, number))

    def start(self, number: int) -> Any:
        """Start a Ray task."""
        return self._remote.remote(self._listener.address, self._authkey, number, self._place)

    def news(self, timeout: float) -> Iterator[tuple[Hand, News | None]]:
        """Wait for news, at the most for so long; None is the news of a death."""
        until = time.monotonic() + timeout
        while True:
            said, self._said = self._said, []
            yield from said
            while not self._calls.empty():
                number, pipe = self._calls.get()
                for hand in self._rays():
                    if hand.number == number and hand.ref is not None:
                        hand.pipe = pipe
            pipes = {hand.pipe: hand for hand in self._rays() if hand.pipe is not None}
            pause = max(0.0, min(0.05, until - time.monotonic()))
            heard: list[Any] = connection.wait(list(pipes), pause) if pipes else []
            if not pipes:
                time.sleep(pause)
            for pipe in heard:
                hand = pipes[pipe]
                news = hand.hear()
                if news is None:
                    self._hands.remove(hand)
                yield hand, news
            for hand in self._lost():
                hand.hang_up()
                self._hands.remove(hand)
                yield hand, None
            if said or heard or time.monotonic() >= until:
                return

    def stop(self) -> None:
        """Tell all to come to an end; what Ray has not begun is taken back."""
        import ray

        for hand in self._rays():
            if hand.pipe is not None:
                with suppress(OSError):
                    hand.pipe.send(None)
            elif hand.key is not None:
                ray.cancel(hand.ref, force=True)
                self._said.append((hand, News("back", hand.key)))
                hand.key = None
                hand.hang_up()

    def end(self) -> list[Hand]:
        """End all, and list those who had something to do."""
        import ray

        late: list[Hand] = [hand for hand in self._hands if hand.key is not None]
        refs = [hand.ref for hand in self._rays() if hand.ref is not None]
        self.stop()
        for ref in refs:
            ray.cancel(ref, force=True)
        for hand in self._rays():
            hand.hang_up()
        if refs:
            ray.wait(refs, num_returns=len(refs), timeout=10.0)
        self._hands = []
        with suppress(OSError):
            self._listener.close()
        return late

    def _rays(self) -> list[RayHand]:
        return [hand for hand in self._hands if isinstance(hand, RayHand)]

    def _lost(self) -> list[RayHand]:
        """List those whose task has ended though its run has not: a machine that dies hangs up without a word."""
        import ray

        waiting = {hand.ref: hand for hand in self._rays() if hand.ref is not None and hand.key is not None}
        if not waiting:
            return []
        done, _ = ray.wait(list(waiting), num_returns=len(waiting), timeout=0)
        return [waiting[ref] for ref in done if waiting[ref].pipe is None or not waiting[ref].pipe.poll()]

    def _accept(self) -> None:
        while True:
            try:
                pipe = self._listener.accept()
                self._calls.put((pipe.recv(), pipe))
            except (OSError, EOFError, AuthenticationError):
                if self._listener._listener is None:  # type: ignore[attr-defined]
                    return

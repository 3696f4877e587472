"""The processes that compute, seen from the one that leads them."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context
from typing import Any

from rlap.experiments.store import Claim
from rlap.experiments.worker import News, Place, Task, work


class Hand:
    """One process: what it was given, and the claim it has said to have."""

    def __init__(self, place: Place) -> None:
        context = get_context("spawn")  # a fork would take torch's threads along, broken
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, place))
        with _deaf():
            self.process.start()
        theirs.close()
        self.ready = False
        self.key: str | None = None
        self.claim: Claim | None = None

    def send(self, task: Task) -> None:
        """Give it a run; if it has died, that is heard as of one that died with it."""
        self.key = task.key
        with suppress(OSError):
            self.pipe.send(task)

    def hear(self) -> News | None:
        """Take the next news; None if it has died."""
        try:
            news: News = self.pipe.recv()
        except (EOFError, OSError):
            return None
        self.ready = True
        if news.event == "began":
            self.claim = news.claim
        elif news.event not in ("ready", "step"):
            self.key = self.claim = None
        return news

    def code(self) -> int | None:
        """Say how it ended."""
        self.process.join(5.0)
        return self.process.exitcode


class Crew:
    """All of them. Leaving the block ends those that are left."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._hands: list[Hand] = []

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *problem: object) -> None:
        self.end()

    def grow(self, count: int) -> None:
        """Start so many more."""
        for _ in range(count):
            self._hands.append(Hand(self._place))

    def idle(self) -> list[Hand]:
        """List those who have nothing to do."""
        return [hand for hand in self._hands if hand.key is None]

    def busy(self) -> bool:
        """Say whether somebody has something to do."""
        return any(hand.key is not None for hand in self._hands)

    def news(self, timeout: float) -> Iterator[tuple[Hand, News | None]]:
        """Wait for news, at the most for so long; None is the news of a death."""
        by_pipe: dict[Any, Hand] = {hand.pipe: hand for hand in self._hands}
        for pipe in connection.wait(list(by_pipe), timeout):
            hand = by_pipe[pipe]
            news = hand.hear()
            if news is None:
                self._hands.remove(hand)
                hand.pipe.close()
            yield hand, news

    def stop(self) -> None:
        """Tell all to come to an end."""
        for hand in self._hands:
            with suppress(OSError):  # it has died; that is heard elsewhere
                hand.pipe.send(None)

    def end(self) -> list[Hand]:
        """End all, and list those who had something to do."""
        late = [hand for hand in self._hands if hand.key is not None]
        self.stop()
        for hand in late:
            hand.process.terminate()
        for hand in self._hands:
            hand.process.join(10.0)
            if hand.process.is_alive():
                hand.process.kill()
                hand.process.join()
            hand.pipe.close()
        self._hands = []
        return late


@contextmanager
def _deaf() -> Iterator[None]:
    """Start a process that is deaf to Ctrl-C from its first moment: what is ignored here is ignored there."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

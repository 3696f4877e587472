"""The next steps' views, made in the background while torch works on this one's."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Made = TypeVar("Made")

AHEAD = 2  # one that is ready, and one in the making


@contextmanager
def prefetched(make: Callable[[int], Made], steps: Iterable[int], ahead: int = AHEAD) -> Iterator[Iterator[Made]]:
    """Give `make(step)` for one step after the other, made by one other thread that is at most `ahead` steps ahead.

    What `make` raises is raised where its result is asked for. At the end of the block nothing is left running.

    Example:
        >>> with prefetched(lambda step: step**2, range(3)) as squares:
        ...     list(squares)
        [0, 1, 4]
    """
    pool = ThreadPoolExecutor(1, thread_name_prefix="rlap-views")
    try:
        yield _results(pool, make, iter(steps), ahead)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _results(pool: ThreadPoolExecutor, make: Callable[[int], Made], steps: Iterator[int], ahead: int) -> Iterator[Made]:
    waiting: deque[Future[Made]] = deque()
    while True:
        while len(waiting) < ahead and (step := next(steps, None)) is not None:
            waiting.append(pool.submit(make, step))
        if not waiting:
            return
        yield waiting.popleft().result()

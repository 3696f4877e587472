"""How many threads a call may use."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_sharers: ContextVar[int] = ContextVar("_sharers", default=1)


@contextmanager
def shared_by(calls: int) -> Iterator[None]:
    """Tell calls in this thread that so many of them run at once: "all" threads then means their share.

    Example:
        >>> from rlap.schur.threads import check_num_threads, shared_by
        >>> with shared_by(1024):
        ...     check_num_threads(0)
        1
    """
    token = _sharers.set(_sharers.get() * calls)
    try:
        yield
    finally:
        _sharers.reset(token)


def check_num_threads(num_threads: int) -> int:
    """Turn 0 into the number of processors that this process may use, or the call's share of them."""
    try:
        threads = operator.index(num_threads)
    except TypeError:
        raise TypeError(f"num_threads must be an integer (got {type(num_threads).__name__})") from None
    if not 0 <= threads <= 1024:
        raise ValueError(f"num_threads must lie in [0, 1024], 0 meaning all (got {threads})")
    if threads > 0:
        return threads
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, processors // _sharers.get())

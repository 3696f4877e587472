"""How many threads a call may use."""

from __future__ import annotations

import operator
import os


def check_num_threads(num_threads: int) -> int:
    """Turn 0 into the number of processors that this process may use."""
    try:
        threads = operator.index(num_threads)
    except TypeError:
        raise TypeError(f"num_threads must be an integer (got {type(num_threads).__name__})") from None
    if not 0 <= threads <= 1024:
        raise ValueError(f"num_threads must lie in [0, 1024], 0 meaning all (got {threads})")
    if threads > 0:
        return threads
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

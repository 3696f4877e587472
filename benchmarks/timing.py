"""Times that can be compared: candidates take turns, and the median of each is taken."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from rlap.experiments.overheads.memory import peak_growth

__all__ = ["in_new_process", "medians", "peak_growth"]


def medians(candidates: dict[str, Callable[[], object]], runs: int) -> dict[str, float]:
    """Run all candidates in turn, `runs` times after a warm-up, and give the median seconds of each."""
    seconds: dict[str, list[float]] = {name: [] for name in candidates}
    for turn in range(runs + 1):
        for name, call in candidates.items():
            begin = time.perf_counter()
            call()
            if turn:
                seconds[name].append(time.perf_counter() - begin)
    return {name: statistics.median(values) for name, values in seconds.items()}


def in_new_process(script: str, *arguments: str) -> str:
    """Run a script on its own, so that nothing allocated before hides what it allocates; give what it prints."""
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ.copy()).stdout

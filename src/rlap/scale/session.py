"""A Ray cluster to work on: one that runs already, or one of our own that is gone afterwards."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_QUIET: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
_STARTS = 3


@contextmanager
def cluster(address: str | None = None, num_cpus: int | None = None) -> Iterator[None]:
    """Join the cluster at `address` ("auto" finds one that runs here), or start one on this machine.

    A program that has called `ray.init` itself keeps its cluster. What is started here is shut down at the end; what
    is joined is only left. Workers elsewhere need rlap installed, and see the same paths if files are read or written.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")  # they are raised here, once
    import ray

    if ray.is_initialized():
        yield
        return
    if address is None:
        _start(num_cpus)
    else:
        try:
            ray.init(address=address, **_QUIET)
        except ConnectionError as problem:
            raise RuntimeError(f"address must be that of a running Ray cluster (got {address!r}: {problem})") from None
    try:
        yield
    finally:
        ray.shutdown()


def _start(num_cpus: int | None) -> None:
    """Start Ray on this machine. It gives itself half a minute, which is too short for a machine that is very busy."""
    import ray

    # Ray's workers would let every other program on the machine go first.
    impolite = {"worker_niceness": 0}
    for attempt in range(1, _STARTS + 1):
        try:
            ray.init(address="local", num_cpus=num_cpus, include_dashboard=False, _system_config=impolite, **_QUIET)
            return
        except Exception as problem:
            ray.shutdown()
            if "timed out" not in str(problem) or attempt == _STARTS:
                raise RuntimeError(f"Ray must be able to start on this machine ({problem})") from problem

"""Hostile calls in a process of their own: a crash is a failed test that says what was called, not a dead test run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any


def doing(what: object) -> None:
    """Say in the child what comes next, for the message of a failure."""
    print(what, flush=True)


def run_in_child(module: str, function: str, *arguments: Any, timeout: float = 300) -> None:
    """Call a function of a module, with arguments that their `repr` makes, in a new process that must end well."""
    code = f"import {module} as hostile; hostile.{function}(*{arguments!r})"
    try:
        done = subprocess.run(
            [sys.executable, "-X", "faulthandler", "-c", code],
            capture_output=True,
            text=True,
            timeout=timeout,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
        )
    except subprocess.TimeoutExpired as expired:
        said = (expired.stdout or b"").decode()
        raise AssertionError(f"{function} did not end in {timeout} s, doing: {_last(said)}") from None
    if done.returncode:
        death = signal.Signals(-done.returncode).name if done.returncode < 0 else f"status {done.returncode}"
        raise AssertionError(f"{function} ended with {death}, doing: {_last(done.stdout)}\n{done.stderr[-4000:]}")


def _last(said: str) -> str:
    return (said.strip().splitlines() or ["nothing"])[-1]

"""Processes that may crash, hang or eat memory: asked one line at a time, and started anew when they have died."""

from __future__ import annotations

import os
import resource
import selectors
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence

WAIT = 300  # seconds: a process that sleeps for so long hangs, however busy the machine is


class Child:
    """A process that reads a line and answers with one.

    Args:
        module: a module of Python that calls `serve`.
        arguments: its arguments.
    """

    def __init__(self, module: str, arguments: Sequence[str] = ()) -> None:
        self._command = [sys.executable, "-X", "faulthandler", "-m", module, *arguments]
        self._process: subprocess.Popen[str] | None = None

    def ask(self, line: str) -> str:
        """Return the answer, or the word CRASH or HANG and what is known about it."""
        process = self._process or self._start()
        self._said = os.fstat(self._errors.fileno()).st_size  # before this line
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
        except BrokenPipeError:
            return self._died()
        with selectors.DefaultSelector() as ready:
            ready.register(process.stdout, selectors.EVENT_READ)
            if not ready.select(WAIT):
                process.kill()
                self.close()
                return f"HANG no answer within {WAIT} s"
        return process.stdout.readline().rstrip("\n") or self._died()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.stdin.close()
            self._process.wait()
            self._process.stdout.close()
            self._process = None

    def _start(self) -> subprocess.Popen[str]:
        self._errors = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True
        )
        return self._process

    def _died(self) -> str:
        process = self._process
        code = process.wait()
        self.close()
        self._errors.seek(self._said)
        if code == -signal.SIGPROF:
            return "HANG more processor time than is allowed"
        lines = (line.strip() for line in self._errors.read(100_000).splitlines())
        said = [line for line in lines if line and not line.startswith("Extension modules")]
        how = signal.Signals(-code).name if code < 0 else f"exit status {code}"
        return f"CRASH {how}: {' | '.join(said[:12])}"


def serve(answer: Callable[[str], str], memory: int, seconds: float) -> None:
    """Answer lines from the standard input until it ends.

    Args:
        answer: returns the answer to a line.
        memory: bytes of address space that the process may have.
        seconds: processor time for one answer, after which the process ends; others may keep the machine busy.
    """
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    out, sys.stdout = sys.stdout, sys.stderr  # nothing but answers goes to the one who asks
    for line in sys.stdin:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        print(answer(line.rstrip("\n")).replace("\n", " | "), file=out, flush=True)

"""`Owner`: the process that has claimed a run, and whether it is still there."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Owner:
    """A process: where it runs, its number, and when it started (numbers are used again, start times are not).

    `started` is None where the system does not tell.
    """

    host: str
    pid: int
    started: int | None

    @staticmethod
    def me() -> Owner:
        """Describe the process that calls.

        Example:
            >>> Owner.me().is_alive()
            True
        """
        return Owner(_host(), os.getpid(), _start_time(os.getpid()))

    def is_alive(self) -> bool | None:
        """Say whether the process runs; None if that cannot be known from here.

        A process that is only paused is alive. Whoever waits for it may ask its user; to compute the same twice would
        help nobody.
        """
        if self.started is None or self.host != _host():
            return None
        return _start_time(self.pid) == self.started


def _host() -> str:
    """Name the machine since its last start, and the room in it where process numbers have one meaning."""
    parts = [platform.node()]
    for path, read in (("/proc/sys/kernel/random/boot_id", Path.read_text), ("/proc/self/ns/pid", os.readlink)):
        try:
            parts.append(str(read(Path(path))).strip())
        except OSError:
            parts.append("")
    return " ".join(parts)


def _start_time(pid: int) -> int | None:
    """Give the start of a process in clock ticks since the machine's start; None if it does not run, or is unknown."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    state, *rest = text.rpartition(")")[2].split()  # the name before may hold blanks and brackets
    return None if state in ("Z", "X") else int(rest[18])

"""How much memory a call needs: the peak of the resident size above where it stood before."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from rlap.schur import keep_memory

Result = TypeVar("Result")

_STATUS = Path("/proc/self/status")
_RESET = Path("/proc/self/clear_refs")
_RESET_PEAK = "5"  # see proc(5): sets VmHWM back to VmRSS


def peak_growth(call: Callable[[], Result]) -> tuple[int, Result]:
    """Give the bytes by which the resident size peaks above where it stood before the call, and the call's result.

    Freed memory that the allocator or the core still holds is given back first: a call that reuses it would seem to
    need none. Where the system cannot set its peak back, growth counts only above the highest size that the process
    ever had.

    Example:
        >>> grown, block = peak_growth(lambda: bytearray(b"x" * 50_000_000))
        >>> 99 < grown / 1e6 < 110  # the argument and the copy
        True
    """
    _give_back_freed_memory()
    before = _start_peak()
    result = call()
    return max(0, _peak() - before), result


@contextmanager
def memory_limit(extra: int | None) -> Iterator[None]:
    """Let this process have no more than so many bytes beyond what it has, so that it meets a `MemoryError`.

    Without a limit the system would end the process, or another one. None is no limit, and so is any number where the
    system has no such limits.

    Example:
        >>> with memory_limit(1 << 30):
        ...     block = bytearray(1 << 32)
        Traceback (most recent call last):
        MemoryError
    """
    if extra is None or sys.platform != "linux":
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (_field(_STATUS, "VmData") + extra, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def _give_back_freed_memory() -> None:
    keep_memory(keep_memory(0))
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc has it, musl has not
        if trim is not None:
            trim(0)


def _start_peak() -> int:
    try:
        _RESET.write_text(_RESET_PEAK)
    except OSError:
        return _highest_ever()
    return _field(_STATUS, "VmRSS")


def _peak() -> int:
    return _field(_STATUS, "VmHWM") if os.access(_RESET, os.W_OK) else _highest_ever()


def _highest_ever() -> int:
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _field(path: Path, name: str) -> int:
    for line in path.read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    raise OSError(f"no {name} in {path}")

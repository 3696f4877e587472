"""Whether a view fits in memory, said before the work begins: a system that swaps, or ends processes, says nothing."""

from __future__ import annotations

from pathlib import Path

_GROUPS = Path("/sys/fs/cgroup")
_OWN_GROUP = Path("/proc/self/cgroup")
_SYSTEM = Path("/proc/meminfo")

_SMALL = 2**28  # bytes: asking the system takes as long as a small view
# Bytes for every edge in the list, measured on a million nodes and ten million edges, and rounded up. A view never has
# more edges than its graph: a star of d edges becomes d - 1, and a walk at most one.
_INDEX = 16  # of the view
_ROW = 4  # of the graph
_WEIGHT = 8
_UNSORTED = 24  # for sorting a list, kept for the view
_WORK_ALONE, _WORK_SHARED = 10, 18
_NODE = 40
_VIEW = 2048  # of every view, however small


def bytes_needed(
    edges: int,
    nodes: int,
    *,
    weighted: bool,
    single: bool = False,
    views: int = 1,
    num_threads: int = 1,
    in_order: bool = True,
) -> int:
    """Estimate the memory that views need beside their input; `edges` counts both directions.

    `in_order` says whether the list is sorted in either direction. Reading it alone takes less than a view does.

    Example:
        >>> round(bytes_needed(20_000_000, 1_000_000, weighted=False) / 20_000_000)
        40
    """
    at_once = min(views, num_threads)
    work = at_once * (_WORK_SHARED if num_threads > views else _WORK_ALONE)
    each = _ROW + _WEIGHT * weighted + _UNSORTED * (not in_order) + views * (_INDEX + (4 if single else 8)) + work
    return edges * each + nodes * (_NODE * at_once + views) + _VIEW * views


def check_memory(needed: int) -> None:
    """Refuse what does not fit in the memory that is free, or that this process's control group may still have."""
    if needed < _SMALL:
        return
    available = available_memory()
    if available is not None and needed > available:
        raise MemoryError(
            f"the call needs about {needed / 2**30:.1f} GiB of memory ({available / 2**30:.1f} GiB are available); "
            "rlap.scale makes views of graphs in parts"
        )


def available_memory() -> int | None:
    """Give the bytes that this process can still have without swapping, or None where the system does not say.

    Example:
        >>> available_memory() is None or available_memory() > 0
        True
    """
    limits = [room for room in (_left_in_system(), *_left_in_groups()) if room is not None]
    return min(limits, default=None)


def _left_in_system() -> int | None:
    try:
        lines = _SYSTEM.read_text().splitlines()
    except OSError:
        return None
    kilobytes = (int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    return next((1024 * value for value in kilobytes), None)


def _left_in_groups() -> list[int | None]:
    """Ask the control group of this process, and all above it, in the second version of Linux's control groups."""
    try:
        own = next(line[3:] for line in _OWN_GROUP.read_text().splitlines() if line.startswith("0::"))
    except (OSError, StopIteration):
        return []
    group = _GROUPS / own.lstrip("/")
    above = [group, *(parent for parent in group.parents if parent.is_relative_to(_GROUPS))]
    return [_left_in_group(one) for one in above]


def _left_in_group(group: Path) -> int | None:
    try:
        limit, used = (group / "memory.max").read_text().strip(), (group / "memory.current").read_text()
        if limit == "max":
            return None
        # Files that nobody has touched for a while are given up when memory is short.
        stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        return max(0, int(limit) - int(used) + int(stat.get("inactive_file", 0)))
    except OSError:
        return None

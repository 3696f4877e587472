"""Where a result was made: versions, processor, threads, memory."""

from __future__ import annotations

import os
import platform
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from rlap import __version__

_PACKAGES = {
    "torch": "torch",
    "torch_geometric": "torch-geometric",
    "numpy": "numpy",
    "scipy": "scipy",
    "scikit_learn": "scikit-learn",
}
_PROCESS = Path("/proc/self")


def describe_environment(threads: int, seed: int) -> dict[str, Any]:
    """Give versions, processor, threads and seed, in plain values.

    Example:
        >>> describe_environment(threads=1, seed=0)["python"] == platform.python_version()
        True
    """
    return {
        "python": platform.python_version(),
        "rlap": __version__,
        **{name: _version(package) for name, package in _PACKAGES.items()},
        "system": platform.platform(),
        "processor": processor(),
        "processors": os.cpu_count() or 1,
        "threads": threads,
        "seed": seed,
    }


@cache
def commit() -> str:
    """Say which commit the code is of, as `git describe` has it; empty where it is not in a repository.

    An installed package may lie inside somebody else's repository, which says nothing about it. So the file must be
    under version control itself.
    """
    here = Path(__file__).resolve()
    for command in (
        ["git", "ls-files", "--error-unmatch", here.name],
        ["git", "describe", "--always", "--dirty", "--abbrev=12"],
    ):
        try:
            done = subprocess.run(command, cwd=here.parent, capture_output=True, text=True, timeout=30, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return ""
        if done.returncode != 0:
            return ""
    return done.stdout.strip()


@cache
def processor() -> str:
    """Name the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def start_peak() -> bool:
    """Forget the highest memory so far, so that the next peak is of what comes now; False where that cannot be."""
    try:
        (_PROCESS / "clear_refs").write_text("5")
    except OSError:
        return False
    return True


def peak_memory() -> int:
    """Give the most memory that this process has held since `start_peak`, or since its start, in bytes.

    Example:
        >>> peak_memory() > 10**7
        True
    """
    try:
        for line in (_PROCESS / "status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if platform.system() == "Darwin" else most * 1024


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None

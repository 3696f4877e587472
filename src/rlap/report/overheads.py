"""The overhead tables in words: the cells that are printed, and a Markdown page."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from rlap.experiments.overheads.isolation import OUT_OF_MEMORY
from rlap.experiments.overheads.measure import BATCH, Size
from rlap.experiments.overheads.suite import MEASURED, Overhead
from rlap.report.tables import markdown_table
from rlap.report.units import count, duration, spread, three_digits

TITLES = ("augmentor", "MB", "paper", "time", "spread", "again", "paper, CPU")
FAILED = "failed"


def cells(row: Overhead) -> tuple[str, ...]:
    """Give the cells of a row, under `TITLES`.

    Example:
        >>> cells(Overhead("node", "CORA", "rLap", 0.5, 10, 0, "out of memory", paper_memory_mb=0.38))
        ('rLap', 'out of memory', '0.38', '', '', '', '')
    """
    return (
        row.augmentor,
        three_digits(row.memory_mb) if row.status == MEASURED else problem(row.status),
        three_digits(row.paper_memory_mb),
        duration(row.seconds),
        spread(row.seconds_lower, row.seconds, row.seconds_upper),
        duration(row.cached_seconds),
        duration(row.paper_cpu_seconds),
    )


def problem(status: str) -> str:
    """Say in a word or two why there is no number.

    Example:
        >>> problem("out of memory (the process was ended by signal 9)"), problem("ValueError: x must be dense")
        ('out of memory', 'failed')
    """
    if status == MEASURED:
        return ""
    return OUT_OF_MEMORY if status.startswith(OUT_OF_MEMORY) else FAILED


def heading(name: str, size: Size) -> str:
    """Name a data set and its size.

    Example:
        >>> heading("MUTAG", Size("graph", 188, 3371, 7442))
        'MUTAG: 188 graphs, 3,371 nodes, 7,442 edges'
    """
    many = f"{size.graphs:,} graphs, " if size.level == "graph" else ""
    return f"{name}: {many}{size.nodes:,} nodes, {size.edges:,} edges"


def explanation(rows: Sequence[Overhead]) -> list[str]:
    """Say what the numbers mean, one sentence or two a line."""
    first = rows[0]
    return [
        f"Perturbation {first.perturbation:g}, {count(first.runs, 'run')}, seed {first.seed}, on {machine()}. "
        "Edges count in both directions.",
        "MB: by how much the resident size peaks above where it stood, in the first call of a fresh process.",
        "Time: the median of all runs, with nothing remembered from the run before; spread: from the lower quartile "
        "to the upper, as a share of the median. Again: the median when the same graphs come again, for augmentors "
        "that remember what they computed.",
        f"A graph set is augmented as a whole, in batches of {BATCH} one after the other. The paper does not say so, "
        "but its times grow with the number of graphs.",
        "Paper: its means, on 8 cores of a Xeon Platinum 8268.",
        *(f"{row.augmentor} on {row.dataset}: {row.status}." for row in rows if problem(row.status) == FAILED),
    ]


def markdown(rows: Sequence[Overhead], sizes: dict[str, Size]) -> str:
    """Write the tables of all data sets as a page."""
    lines = ["# What augmentors cost", ""]
    lines += [f"- {line}" for line in explanation(rows)]
    for name, group in groupby(rows, key=lambda row: row.dataset):
        lines += ["", f"## {heading(name, sizes[name])}", ""]
        lines += markdown_table(TITLES, map(cells, group))
    return "\n".join(lines) + "\n"


def machine() -> str:
    """Name the processor and count its cores."""
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        models = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        name = models[0] if models else name
    return f"{count(os.cpu_count() or 1, 'core')} of {name}"

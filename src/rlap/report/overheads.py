"""The overhead tables in words: the cells that are printed, and a Markdown page."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from rlap.experiments.overheads.measure import BATCH, Size
from rlap.experiments.overheads.suite import MEASURED, Overhead
from rlap.report.tables import markdown_table
from rlap.report.units import duration, three_digits

TITLES = ("augmentor", "memory, MB", "paper", "time", "quartiles", "again", "paper, CPU")


def cells(row: Overhead) -> tuple[str, ...]:
    """Give the cells of a row, under `TITLES`.

    Example:
        >>> cells(Overhead("node", "CORA", "rLap", 0.5, 10, 0, "out of memory", paper_memory_mb=0.38))
        ('rLap', 'out of memory', '0.38', '', '', '', '')
    """
    measured = row.status == MEASURED
    spread = f"{duration(row.seconds_lower)} – {duration(row.seconds_upper)}" if measured else ""
    return (
        row.augmentor,
        three_digits(row.memory_mb) if measured else row.status,
        three_digits(row.paper_memory_mb),
        duration(row.seconds),
        spread,
        duration(row.cached_seconds),
        duration(row.paper_cpu_seconds),
    )


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
        f"Perturbation {first.perturbation:g}, {first.runs} runs, seed {first.seed}, on {machine()}. "
        "Edges count in both directions.",
        "Memory: by how much the resident size peaks above where it stood, in the first call of a fresh process.",
        "Time: the median of all runs, with nothing remembered from the run before. "
        "Again: the median when the same graphs come again, for augmentors that remember what they computed.",
        f"A graph set is augmented as a whole, in batches of {BATCH} one after the other. The paper does not say so, "
        "but its times grow with the number of graphs.",
        "Paper: its means, on 8 cores of a Xeon Platinum 8268.",
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
    cores = os.cpu_count() or 1
    return f"{cores} core{'s' if cores > 1 else ''} of {name}"

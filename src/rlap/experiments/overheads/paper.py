"""The paper's own numbers: its two overhead tables, and what it says of PPR."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class PaperOverhead:
    """A row of the paper's overhead tables, without its times on a GPU."""

    memory_mb: float
    cpu_seconds: float


# The paper has figures of its comparison of PPR, and no table. This is what its text says of them.
PAPER_PPR = (
    "The paper on COAUTHOR-PHY, rLap (gamma 0.5) and PPR against PPR alone: about 0.25x reduction in memory, about 10x "
    "reduction in time, about 1.5 times the edges; about 2.5 times the edges on COAUTHOR-CS."
)


@cache
def paper_overheads() -> dict[tuple[str, str], PaperOverhead]:
    """Give the paper's overheads by data set and augmentor.

    Example:
        >>> paper_overheads()["CORA", "rLap"]
        PaperOverhead(memory_mb=0.38, cpu_seconds=0.0037)
    """
    table = files("rlap.experiments.overheads").joinpath("augmentor_overheads.csv")
    with table.open(encoding="utf-8") as lines:
        return {
            (row["dataset"], row["augmentor"]): PaperOverhead(float(row["memory_mb"]), float(row["cpu_seconds"]))
            for row in csv.DictReader(lines)
        }

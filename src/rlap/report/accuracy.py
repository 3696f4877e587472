"""The accuracy tables: what the store has, beside what the paper has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rlap.experiments.paper import PaperAccuracy, paper_accuracy
from rlap.experiments.results import SCORED, Cell, cells, changes
from rlap.experiments.store import Entry
from rlap.experiments.targets import Target

Mark = Literal["", "best", "second"]


@dataclass(frozen=True)
class AccuracyCell:
    """One place of a table: ours, if it has run, the paper's, if it has one, and how each is marked.

    `failed` is how many runs failed.
    """

    ours: Cell | None
    paper: PaperAccuracy | None
    failed: int = 0
    mark: Mark = ""
    paper_mark: Mark = ""

    @property
    def deviations(self) -> float | None:
        """Give ours minus the paper's, in standard deviations of the paper; None where one of them is not there."""
        if self.ours is None or self.paper is None or self.paper.accuracy is None or not self.paper.std:
            return None
        return (100 * self.ours.accuracy.mean - self.paper.accuracy) / self.paper.std


@dataclass(frozen=True)
class AccuracyTable:
    """A table of the paper under one protocol; `grid` has a row an augmentor, a column a data set."""

    target: Target
    protocol: str
    grid: Sequence[Sequence[AccuracyCell]]

    @property
    def ran(self) -> int:
        """Count the cells that have a result."""
        return sum(one.ours is not None for row in self.grid for one in row)

    @property
    def size(self) -> int:
        """Count all cells."""
        return sum(len(row) for row in self.grid)


Place = tuple[str, str, str, str]


def usual_cells(entries: Iterable[Entry]) -> dict[Place, Cell]:
    """Give the cells of the targets by design, data set, augmentor and protocol; trials with other settings are none.

    Where runs are on data of different content, those of the largest number count.
    """
    found: dict[Place, Cell] = {}
    for cell in cells(entries):
        place = (cell.method, cell.dataset, cell.augmentor, cell.protocol)
        if not cell.changes and (place not in found or cell.accuracy.seeds > found[place].accuracy.seeds):
            found[place] = cell
    return found


def failures(entries: Iterable[Entry]) -> dict[Place, list[Entry]]:
    """Give the failed runs of every cell."""
    found: dict[Place, list[Entry]] = {}
    for entry in entries:
        job = entry.job
        if entry.state == "failed" and job.kind in SCORED and not changes(job):
            found.setdefault((job.method, job.dataset, job.augmentor, job.protocol), []).append(entry)
    return found


def accuracy_table(
    target: Target, protocol: str, known: Mapping[Place, Cell], failed: Mapping[Place, Sequence[Entry]]
) -> AccuracyTable:
    """Put a table together."""
    columns = [_column(target, protocol, dataset, known, failed) for dataset in target.datasets]
    return AccuracyTable(target, protocol, list(zip(*columns, strict=True)))


def marks(values: Sequence[float | None]) -> list[Mark]:
    """Mark the best and the second best as printed, with two digits; equal numbers share a mark.

    A number alone is not the best of anything.

    Example:
        >>> marks([83.421, None, 84.1, 83.419, 80.0])
        ['second', '', 'best', 'second', '']
        >>> marks([None, 83.0])
        ['', '']
    """
    printed = [None if value is None else round(value, 2) for value in values]
    there = [value for value in printed if value is not None]
    if len(there) < 2:
        return [""] * len(printed)
    order = sorted(set(there), reverse=True)
    # Two that share the first place leave no second one.
    second = order[1] if len(order) > 1 and there.count(order[0]) == 1 else None
    return [
        "" if value is None else "best" if value == order[0] else "second" if value == second else ""
        for value in printed
    ]


def _column(
    target: Target,
    protocol: str,
    dataset: str,
    known: Mapping[Place, Cell],
    failed: Mapping[Place, Sequence[Entry]],
) -> list[AccuracyCell]:
    places = [(target.method, dataset, target.augmentor(row, protocol), protocol) for row in target.rows]
    ours = [known.get(place) for place in places]
    paper = [paper_accuracy(*target.table, row, dataset) if target.table else None for row in target.rows]
    our_marks = marks([None if one is None else 100 * one.accuracy.mean for one in ours])
    paper_marks = marks([None if one is None else one.accuracy for one in paper])
    return [
        AccuracyCell(one, its, len(failed.get(place, ())), mark, its_mark)
        for place, one, its, mark, its_mark in zip(places, ours, paper, our_marks, paper_marks, strict=True)
    ]

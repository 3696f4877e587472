"""The accuracy tables as blocks of a page."""

from __future__ import annotations

import numpy as np

from rlap.experiments.paper import PaperAccuracy
from rlap.experiments.targets import Target
from rlap.report.accuracy import AccuracyCell, AccuracyTable, Mark
from rlap.report.commands import reproduce
from rlap.report.page import Block, Cell, Code, Folded, Heading, Table, Text

NOT_RUN = "— not run"
READING = (
    "Accuracy in percent on the test part: the mean and the standard deviation over all training seeds and splits. "
    "Below it, the paper's number, ours minus the paper's in standard deviations of the paper (sd), and the number of "
    "seeds if it is not the target's. The best of a column is bold and the second best underlined, as in the paper: "
    "ours among the cells that have run, the paper's among its own. A click on a title sorts. "
    "There are two protocols. Clean is the honest one: it embeds the graph itself and chooses on validation data only. "
    "Paper follows the paper's scripts, warts included, so that its numbers can be met."
)
BASELINES = (
    "The paper takes its numbers of baselines from earlier reports, which split the data in their own ways and had "
    "deviations of their own, some over training seeds alone. Ours have the splits of all other tables here. So a "
    "difference of many deviations is between two ways to measure."
)


def accuracy_blocks(table: AccuracyTable, store: str) -> list[Block]:
    """Show a table, and the command that makes it; one without any run is folded."""
    title = f"{table.protocol.capitalize()} protocol: {table.ran} of {table.size} cells"
    first = "baseline" if table.target.kind == "baseline" else "augmentor"
    shown = Table([first, *table.target.datasets], [_row(table, at) for at in range(len(table.grid))])
    command = Code([reproduce(table.target.name, table.protocol, store)])
    return [Heading(title), shown, command] if table.ran else [Folded(title, [shown, command])]


def target_words(target: Target) -> list[Block]:
    """Say what the tables of a target need to be read, beside `READING`."""
    return [Text(BASELINES)] if target.kind == "baseline" else []


def accuracy_cell(cell: AccuracyCell, seeds: int) -> Cell:
    """Show one place of a table, of which a target wants so many seeds."""
    remarks = [] if cell.deviations is None else [f"{_signed(cell.deviations)} sd"]
    if cell.ours is not None and cell.ours.accuracy.seeds != seeds:
        remarks.append(_seeds(cell.ours.accuracy.seeds))
    if cell.ours is not None and cell.failed:
        remarks.append(f"{cell.failed} failed")
    below = [*_paper(cell.paper, cell.paper_mark), *([Cell(", ".join(remarks))] if remarks else [])]
    if cell.ours is not None:
        return Cell(cell.ours.text, cell.mark, below, 100 * cell.ours.accuracy.mean)
    if cell.failed:
        return Cell(f"failed ({cell.failed})", "failed", below)
    return Cell(NOT_RUN, "absent", below)


def _row(table: AccuracyTable, at: int) -> list[Cell]:
    name = Cell(table.target.rows[at])
    return [name, *(accuracy_cell(cell, table.target.seeds) for cell in table.grid[at])]


def _paper(paper: PaperAccuracy | None, mark: Mark) -> list[Cell]:
    if paper is None:
        return []
    if paper.accuracy is None:
        return [] if paper.note == "-" else [Cell(f"paper {paper.note}")]
    return [Cell(f"paper {paper.accuracy:.2f}" + ("" if paper.std is None else f" ± {paper.std:.2f}"), mark)]


def _signed(value: float) -> str:
    return f"{np.round(value, 1) + 0.0:+.1f}".replace("-", "−").replace("+0.0", "0.0")


def _seeds(number: int) -> str:
    return f"{number} seed{'s' if number > 1 else ''}"

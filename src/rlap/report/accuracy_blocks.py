"""The accuracy tables as blocks of a page."""

from __future__ import annotations

import numpy as np

from rlap.report.accuracy import AccuracyCell, AccuracyTable
from rlap.report.commands import reproduce
from rlap.report.page import Block, Cell, Code, Folded, Heading, Table

NOT_RUN = "— not run"
PROTOCOLS = {
    "clean": "Clean protocol (nothing of the test set is looked at before the end)",
    "paper": "Paper protocol (what the paper's scripts do)",
}
READING = (
    "Accuracy in percent on the test part: the mean and the standard deviation over all training seeds and splits. "
    "Below it, the number of seeds if it is not the target's, the paper's number, and ours minus the paper's in "
    "standard deviations of the paper (sd). The best of a column is bold, the second best underlined, as in the paper, "
    "among the cells that have run; [1] and [2] do the same for the paper's own numbers. A click on a title sorts."
)


def accuracy_blocks(table: AccuracyTable, store: str) -> list[Block]:
    """Show a table, and the command that makes it; one without any run is folded."""
    title = f"{PROTOCOLS.get(table.protocol, table.protocol)}: {table.ran} of {table.size} cells"
    shown = Table(["augmentor", *table.target.datasets], [_row(table, at) for at in range(len(table.grid))])
    command = Code([reproduce(table.target.name, table.protocol, store)])
    return [Heading(title), shown, command] if table.ran else [Folded(title, [shown, command])]


def accuracy_cell(cell: AccuracyCell, seeds: int) -> Cell:
    """Show one place of a table, of which a target wants so many seeds."""
    below = [] if cell.ours is None or cell.ours.accuracy.seeds == seeds else [_seeds(cell.ours.accuracy.seeds)]
    if cell.failed and cell.ours is not None:
        below.append(f"{cell.failed} failed")
    below += _paper(cell)
    if cell.ours is not None:
        return Cell(cell.ours.text, cell.mark, below, 100 * cell.ours.accuracy.mean)
    if cell.failed:
        return Cell(f"failed ({cell.failed})", "failed", below)
    return Cell(NOT_RUN, "absent", below)


def _row(table: AccuracyTable, at: int) -> list[Cell]:
    name = Cell(table.target.rows[at])
    return [name, *(accuracy_cell(cell, table.target.seeds) for cell in table.grid[at])]


def _paper(cell: AccuracyCell) -> list[str]:
    if cell.paper is None:
        return []
    if cell.paper.accuracy is None:
        return [f"paper {cell.paper.note}"]
    spread = "" if cell.paper.std is None else f" ± {cell.paper.std:.2f}"
    place = {"best": " [1]", "second": " [2]", "": ""}[cell.paper_mark]
    line = f"paper {cell.paper.accuracy:.2f}{spread}{place}"
    return [line] if cell.deviations is None else [line, f"{_signed(cell.deviations)} sd"]


def _signed(value: float) -> str:
    return f"{np.round(value, 1) + 0.0:+.1f}".replace("-", "−").replace("+0.0", "0.0")


def _seeds(number: int) -> str:
    return f"{number} seed{'s' if number > 1 else ''}"

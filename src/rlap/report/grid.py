"""The search for hyper-parameters as blocks of a page."""

from __future__ import annotations

from collections.abc import Sequence

from rlap.experiments.search.best import Choice, Found
from rlap.report.commands import reproduce
from rlap.report.page import Block, Cell, Code, Table, Text

READING = (
    "The paper's grid: layers, width, learning rate, and the perturbations of both views. A configuration is chosen by "
    "its mean accuracy on the validation parts alone; trials have no test scores. Each gets a short training first, "
    "and a full one if it is better than the median. The chosen one, and the paper's, are then trained again and "
    "tested. "
    "The splits overlap: a node that validates in one split may be tested in another, so the tested accuracy "
    "of a choice is a little too high, for the paper's as for ours."
)
_TITLES = ("search", "tried", "ours", "validation", "test", "the paper's choice", "validation", "test")


def grid_blocks(found: Sequence[Found], store: str) -> list[Block]:
    """Show what every search has found, beside the paper's choice."""
    command = Code([reproduce("grid", "", store, "--budget", "1h")])
    if not found:
        return [Text("No search has been run yet."), command]
    return [Text(READING), Table(_TITLES, [_row(one) for one in found]), command]


def _row(one: Found) -> list[Cell]:
    title = ", ".join(part for part in (one.method, one.augmentor, one.dataset, one.protocol, one.fixed) if part)
    counts = f"{one.full} in full, {one.given_up} given up" + (f", {one.failed} failed" if one.failed else "")
    return [Cell(title), Cell(counts, value=one.full + one.given_up), *_choice(one.best), *_choice(one.paper)]


def _choice(choice: Choice | None) -> list[Cell]:
    if choice is None:
        return [Cell("—", "absent")] * 3
    value, test = choice.validation, choice.test
    return [
        Cell(choice.text),
        Cell("— not run", "absent") if value is None else Cell(f"{100 * value:.2f}", value=100 * value),
        Cell("— not run", "absent")
        if test is None
        else Cell(test.text, below=[Cell(f"{test.accuracy.seeds} seeds")], value=100 * test.accuracy.mean),
    ]

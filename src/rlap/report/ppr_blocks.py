"""PPR alone and after rLap, from a store, as blocks of a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rlap.experiments.overheads.ppr import GROUNDED, PPR, SHORTCUT, PPRRow
from rlap.experiments.overheads.suite import MEASURED, quartiles
from rlap.experiments.results import changes
from rlap.experiments.store import Entry
from rlap.report.commands import reproduce
from rlap.report.page import Block, Cell, Code, Figure, Heading, Table, Text
from rlap.report.page.figures import draw_panel
from rlap.report.palette import look
from rlap.report.ppr import TITLES, ppr_cells

_WAYS = (GROUNDED, SHORTCUT, PPR)
_QUANTITIES = {"subgraph_edges": "edges of a random sub-graph", "error": "relative error against exact PPR"}
READING = (
    "Shortcut reduces the graph's Laplacian by rLap before PPR, as the paper does; grounded reduces the matrix that "
    "PPR inverts. gamma is the fraction of nodes that are eliminated. Time and memory are of reduction, diffusion and "
    "sub-graph together. The error is against exact PPR on the kept nodes; all ways leave out small entries, and PPR "
    "alone has this error and no other."
)


def ppr_rows(entries: Iterable[Entry]) -> dict[str, list[PPRRow]]:
    """Take the comparison from a store, by data set; trials with other settings are left out."""
    found: dict[str, list[PPRRow]] = {}
    for entry in entries:
        if entry.job.kind == "ppr" and entry.result is not None and not changes(entry.job):
            found.setdefault(entry.job.dataset, []).append(_row(entry, entry.result))
    for rows in found.values():
        rows.sort(key=lambda row: (_WAYS[::-1].index(row.method), row.gamma))
    return found


def ppr_blocks(results: dict[str, list[PPRRow]], store: str) -> list[Block]:
    """Show every data set that the store has; without any, say how to make them."""
    command = Code([reproduce("ppr", "", store)])
    if not results:
        return [Text("The store has no comparison of PPR yet."), command]
    shown: list[Block] = [Text(READING)]
    for dataset, rows in results.items():
        shown += [
            Heading(dataset),
            *_figure(dataset, rows),
            Table(["way, gamma", *TITLES[2:]], list(map(_cells, rows))),
        ]
    return [*shown, command]


def _row(entry: Entry, result: dict[str, Any]) -> PPRRow:
    job, settings = entry.job, entry.job.settings
    row = PPRRow(
        job.dataset,
        settings["way"],
        settings["gamma"],
        settings["alpha"],
        settings["size"],
        settings["columns"],
        settings["runs"],
        job.seed,
        result["status"],
    )
    if row.status != MEASURED:
        return row
    lower, middle, upper = quartiles(result["seconds"])
    same = {name: result[name] for name in ("edges", "subgraph_edges", "error", "absolute_error")}
    measured = replace(row, memory_mb=result["memory"] / 1e6, **same)
    return replace(measured, seconds=middle, seconds_lower=lower, seconds_upper=upper)


def _cells(row: PPRRow) -> list[Cell]:
    way, gamma, *texts = ppr_cells(row)
    spread = None
    values = (row.memory_mb, row.seconds, spread, row.edges, row.subgraph_edges, row.error, row.absolute_error)
    name = Cell(f"{way}, {gamma}" if gamma else way)
    return [name, *(Cell(text, value=value) for text, value in zip(texts, values, strict=True))]


def _figure(dataset: str, rows: Sequence[PPRRow]) -> list[Block]:
    measured = [row for row in rows if row.status == MEASURED]
    if not any(row.method != PPR for row in measured):
        return []
    panels = [
        draw_panel(
            f"ppr-{dataset}-{field}",
            f"{title}: " + "; ".join(f"{row.method} {row.gamma:g} {getattr(row, field):.4g}" for row in measured),
            partial(_draw, rows=measured, field=field, title=title),
            legend=3,
        )
        for field, title in _QUANTITIES.items()
    ]
    return [Figure(f"{dataset}; {rows[0].runs} runs, sub-graphs of {rows[0].size} nodes.", panels)]


def _draw(axes: Any, rows: Sequence[PPRRow], field: str, title: str) -> None:
    for way in _WAYS:
        color, marker = look(way, _WAYS)
        points = [(row.gamma, getattr(row, field)) for row in rows if row.method == way]
        if way == PPR and points:
            axes.axhline(points[0][1], color=color, linestyle="--", label=way)
        elif points:
            axes.plot(*zip(*points, strict=True), color=color, marker=marker, label=way)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("gamma")
    axes.set_title(title)

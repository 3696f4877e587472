"""The spectral figures: four panels for each node set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlap.experiments.targets import find_target
from rlap.report.commands import reproduce
from rlap.report.page import Block, Code, Figure, Folded, Heading, Panel, Text
from rlap.report.page.figures import INK, draw_panel
from rlap.report.palette import look
from rlap.report.spectral import Curve, Runs, above_zero, bias, curve

_WALKS = "WalkSchur"
READING = (
    "gamma is the fraction of nodes that are eliminated. Lines are means over runs, bands one standard deviation. "
    "Deviation: how far the Laplacian along the elimination, with what is eliminated, is from the graph's, in the "
    "spectral norm; dashed, what it stays below with a probability of 0.95 by the paper's bound, evaluated on the "
    "run itself (only for a random node order, which the bound assumes); where it is zero, nothing is drawn. Bias: "
    "the total weight over that of the exact Schur complement onto the same nodes, minus one; where the exact one is "
    "too dense, nothing is drawn. The bars are two standard errors, so those of an unbiased variant cross zero. An "
    "order by degree looks at what was sampled, and what it keeps may then be heavier than the exact one."
)


def spectral_blocks(results: dict[str, Any], store: str) -> list[Block]:
    """Draw every data set that the store has; without any, say how to make them."""
    command = Code([reproduce("spectral", "", store)])
    if not results:
        return [Text("The store has no spectral results yet, so there are no figures."), command]
    wanted = find_target("spectral").datasets
    absent = [name for name in wanted if name not in results]
    shown: list[Block] = [Text(READING)]
    for dataset, runs in results.items():
        shown += _dataset(dataset, runs)
    if absent:
        shown.append(Text(f"Not run: {', '.join(absent)}."))
    return [*shown, command]


def _dataset(dataset: str, runs: Runs) -> list[Block]:
    rows = [row for row in find_target("spectral").rows if row in runs]
    rows += [row for row in runs if row not in rows]
    panels = [
        _lines(dataset, "sigma_max", "sigma_max of the Laplacian", rows, runs),
        _lines(dataset, "edges", "edges", rows, runs),
        _deviation(dataset, rows, runs),
        _bias(dataset, rows, runs),
    ]
    drawn = [panel for panel in panels if panel is not None]
    counts = ", ".join(f"{row} {len(runs[row])}" for row in rows)
    caption = f"{dataset}. Runs: {counts}."
    if panels[3] is None:
        caption += " The exact Schur complement was too dense, so there is no bias."
    adjacency = _lines(dataset, "sigma_max_adjacency", "sigma_max of the adjacency matrix", rows, runs)
    more: list[Block] = (
        [
            Folded(
                "As the paper's scripts plot it: the adjacency matrix without weights",
                [Figure(f"{dataset}.", [adjacency])],
            )
        ]
        if adjacency
        else []
    )
    return [Heading(dataset), Figure(caption, drawn), *more]


def _lines(dataset: str, quantity: str, title: str, rows: Sequence[str], runs: Runs) -> Panel | None:
    curves = {row: found for row in rows if (found := curve(runs[row], quantity)) is not None}

    def draw(axes: Any) -> None:
        for row, found in curves.items():
            draw_curve(axes, row, found)
        axes.set_ylabel(title)

    return _panel(f"spectral-{dataset}-{quantity}", title, curves, draw)


def _deviation(dataset: str, rows: Sequence[str], runs: Runs) -> Panel | None:
    curves = {row: found for row in rows if (found := curve(runs[row], "deviation")) is not None}

    def draw(axes: Any) -> None:
        for row, found in curves.items():
            draw_curve(axes, row, above_zero(found))
            bound = curve(runs[row], "bound")
            if bound is not None:
                drawn = above_zero(bound)
                axes.plot(drawn.x, drawn.mean, "--", color=look(row, find_target("spectral").rows)[0], linewidth=1)
        axes.set_yscale("log")
        axes.set_ylabel("||L_i − L||, and its bound (dashed)")

    return _panel(f"spectral-{dataset}-deviation", "deviation and bound", curves, draw)


def _bias(dataset: str, rows: Sequence[str], runs: Runs) -> Panel | None:
    curves = {row: found for row in rows if (found := bias(runs[row])) is not None}
    if curves and _WALKS not in curves:
        walks = bias([run for row in rows for run in runs[row]], "walks_ratio")
        if walks is not None:
            curves[_WALKS] = walks

    def draw(axes: Any) -> None:
        axes.axhline(0, color=INK, linewidth=0.6)
        for place, (row, found) in enumerate(curves.items()):
            error = 2 * found.std / np.sqrt(found.runs)
            reach = None if np.isnan(error).any() else error
            aside = 0.006 * (place - (len(curves) - 1) / 2)  # so that bars at one fraction stand beside each other
            color, marker = look(row, find_target("spectral").rows)
            axes.errorbar(
                found.x + aside, found.mean, reach, fmt=marker, color=color, markersize=4, linewidth=1, label=row
            )
        axes.set_ylabel("weight / exact weight − 1")

    return _panel(f"spectral-{dataset}-bias", "bias of the total weight", curves, draw)


def _panel(name: str, title: str, curves: dict[str, Curve], draw: Callable[[Any], None]) -> Panel | None:
    if not curves:
        return None

    def finish(axes: Any) -> None:
        draw(axes)
        axes.set_xlabel("gamma")
        axes.set_title(title)

    ends = "; ".join(f"{row} {found.mean[-1]:.4g}" for row, found in curves.items())
    last = max(float(found.x[-1]) for found in curves.values())
    return draw_panel(name, f"{title}, at gamma {last:g}: {ends}", finish, (4.4, 4.1), legend=2)


def draw_curve(axes: Any, row: str, found: Curve) -> None:
    """Draw the mean as a line and the standard deviation as a band."""
    rows = find_target("spectral").rows
    color, marker = look(row, rows)
    turn = rows.index(row) % 4, 4  # many lines coincide, and their markers then take turns
    axes.plot(found.x, found.mean, color=color, linewidth=1.3, marker=marker, markevery=turn, markersize=4.5, label=row)
    if not np.isnan(found.std).any():
        low, high = found.mean - found.std, found.mean + found.std
        axes.fill_between(found.x, low, high, color=color, alpha=0.08, linewidth=0)

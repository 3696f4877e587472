"""The comparison of PPR in words and in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rlap.experiments.overheads.paper import PAPER_PPR
from rlap.experiments.overheads.ppr import GROUNDED, PPR, SAMPLES, SHORTCUT, PPRRow
from rlap.experiments.overheads.suite import MEASURED
from rlap.report.overheads import FAILED, machine, problem
from rlap.report.tables import markdown_table
from rlap.report.units import count, duration, spread, three_digits

TITLES = ("", "gamma", "MB", "time", "spread", "edges", "sub-graph", "error", "absolute")
_COLORS = {PPR: "#7a7a7a", SHORTCUT: "#d98032", GROUNDED: "#1f5fa8"}
_TITLES = {PPR: "PPR alone", SHORTCUT: "rLap, then PPR (shortcut)", GROUNDED: "rLap, then PPR (grounded)"}


def ppr_cells(row: PPRRow) -> tuple[str, ...]:
    """Give the cells of a row, under `TITLES`.

    Example:
        >>> ppr_cells(PPRRow("digits", PPR, 0.0, 0.2, 8192, 64, 3, 0, "out of memory"))
        ('PPR', '', 'out of memory', '', '', '', '', '', '')
    """
    gamma = f"{row.gamma:g}" if row.method != PPR else ""
    if row.status != MEASURED:
        return (row.method, gamma, problem(row.status), *[""] * (len(TITLES) - 3))
    return (
        row.method,
        gamma,
        three_digits(row.memory_mb),
        duration(row.seconds),
        spread(row.seconds_lower, row.seconds, row.seconds_upper),
        f"{row.edges:,.0f}",
        f"{row.subgraph_edges:,.0f}",
        _percent(row.error),
        _percent(row.absolute_error),
    )


def ppr_explanation(rows: Sequence[PPRRow]) -> list[str]:
    """Say what the numbers mean, and what came out at the largest gamma, beside the paper's words."""
    first = rows[0]
    lines = [
        f"{first.dataset}, alpha {first.alpha:g}, sub-graphs of {first.size} nodes, {count(first.runs, 'run')}, seed "
        f"{first.seed}, on {machine()}.",
        "Shortcut and grounded: rLap first. The paper's shortcut reduces the Laplacian, the grounded way the matrix "
        "that PPR inverts.",
        "MB and time: of reduction, diffusion and sub-graph together, with nothing remembered from the run before; the "
        "median, and from the lower quartile to the upper as a share of it.",
        f"Edges: entries of the diffusion matrix, and of a random sub-graph of it (mean of {SAMPLES}).",
        f"Error: against exact PPR restricted to the kept nodes, on {first.columns} random columns of it, each summed "
        "to 1e-10: the Frobenius norm of the difference (error), and its sum of absolute values (absolute), over "
        "those of the exact columns. All ways leave out entries below 1e-4; PPR alone has this error and no other.",
    ]
    lines += _ratios(rows)
    lines += [f"{row.method}, gamma {row.gamma:g}: {row.status}." for row in rows if problem(row.status) == FAILED]
    return [*lines, PAPER_PPR]


def ppr_markdown(rows: Sequence[PPRRow]) -> str:
    """Write the comparison as a page."""
    lines = [f"# PPR after rLap, on {rows[0].dataset}", "", *[f"- {line}" for line in ppr_explanation(rows)], ""]
    return "\n".join([*lines, *markdown_table(TITLES, map(ppr_cells, rows))]) + "\n"


def draw_ppr(rows: Sequence[PPRRow], path: Path) -> None:
    """Draw memory, time, edges and error, and write the picture to a file."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    measured = [row for row in rows if row.status == MEASURED]
    figure, panels = pyplot.subplots(2, 2, figsize=(11, 8), layout="constrained")
    top = max((row.gamma for row in measured), default=0.0)
    bars = [row for row in measured if row.method == PPR or row.gamma == top]
    for panel, title, values in (
        (panels[0, 0], f"Memory, MB (gamma {top:g})", [row.memory_mb for row in bars]),
        (panels[0, 1], f"Time, seconds (gamma {top:g})", [row.seconds for row in bars]),
    ):
        _draw_bars(panel, title, bars, values)
    _draw_lines(panels[1, 0], f"Edges of a sub-graph of {rows[0].size} nodes", measured, "subgraph_edges")
    _draw_lines(panels[1, 1], "Error against exact PPR on the kept nodes (Frobenius, relative)", measured, "error")
    figure.suptitle(f"PPR after rLap, on {rows[0].dataset}")
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def _draw_bars(panel: Any, title: str, rows: Sequence[PPRRow], values: Sequence[float | None]) -> None:
    drawn = panel.bar(
        [row.method.replace(", ", ",\n") for row in rows], values, color=[_COLORS[r.method] for r in rows]
    )
    panel.bar_label(drawn, [three_digits(value) for value in values], fontsize=9)
    panel.set_title(title, fontsize=10)
    panel.spines[["top", "right"]].set_visible(False)


def _draw_lines(panel: Any, title: str, rows: Sequence[PPRRow], field: str) -> None:
    for method, color in _COLORS.items():
        points = [(row.gamma, getattr(row, field)) for row in rows if row.method == method]
        if method == PPR and points:
            panel.axhline(points[0][1], color=color, linestyle="--", label=_TITLES[method])
        elif points:
            panel.plot(*zip(*points, strict=True), color=color, marker="o", label=_TITLES[method])
    panel.set_ylim(bottom=0)
    panel.set_xlabel("gamma")
    panel.set_title(title, fontsize=10)
    panel.legend(frameon=False, fontsize=8)
    panel.spines[["top", "right"]].set_visible(False)


def _ratios(rows: Sequence[PPRRow]) -> list[str]:
    measured = [row for row in rows if row.status == MEASURED]
    alone = next((row for row in measured if row.method == PPR), None)
    top = max((row.gamma for row in measured), default=0.0)
    return [
        f"{row.method} at gamma {row.gamma:g}, against PPR alone: {row.memory_mb / alone.memory_mb:.2f} of the memory, "
        f"{row.seconds / alone.seconds:.2f} of the time, {row.subgraph_edges / alone.subgraph_edges:.2f} of the "
        "sub-graph's edges."
        for row in measured
        if alone is not None and row.method != PPR and row.gamma == top
        if row.memory_mb is not None and row.seconds is not None and row.subgraph_edges is not None
        if alone.memory_mb and alone.seconds and alone.subgraph_edges
    ]


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.3g} %"

"""Bar charts of overheads, one panel a data set, on a logarithmic scale."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

from rlap.experiments.overheads.suite import MEASURED, Overhead
from rlap.report.overheads import problem
from rlap.report.units import duration, three_digits

_OURS, _AGAIN, _PAPER = "#1f5fa8", "#8fbbe8", "#c9c9c9"
_BAR = 0.23  # inches a bar
_FLOOR = {"memory": 0.1, "time": 1e-5}  # bars begin here: a logarithm has no zero


def draw_overheads(rows: Sequence[Overhead], quantity: Literal["memory", "time"], path: Path) -> None:
    """Draw the memory or the time of every augmentor beside the paper's, and write the picture to a file."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    groups = [(name, list(group)) for name, group in groupby(rows, key=lambda row: row.dataset)]
    across = min(2, len(groups))
    down = -(-len(groups) // across)
    tallest = max(len(group) for _, group in groups)
    figure, panels = pyplot.subplots(
        down,
        across,
        figsize=(7.5 * across, down * (tallest * 2 * _BAR + 0.75) + 0.7),
        squeeze=False,
        layout="constrained",
    )
    for panel, (name, group) in zip(panels.flat, groups, strict=False):
        _draw_panel(panel, name, group, quantity)
    for panel in list(panels.flat)[len(groups) :]:
        panel.set_axis_off()
    handles = dict(zip(*reversed(_legend(panels.flat)), strict=True))
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=len(handles), frameon=False)
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def _draw_panel(panel: Any, name: str, rows: Sequence[Overhead], quantity: str) -> None:
    memory = quantity == "memory"
    label = three_digits if memory else duration
    floor = _FLOOR[quantity]
    highest = floor
    for place, row in enumerate(rows):
        paper = row.paper_memory_mb if memory else row.paper_cpu_seconds
        ours = row.memory_mb if memory else row.seconds
        above = place if paper is None else place - 0.2
        bars = [(above, ours, _OURS, "rlap"), (place + 0.2, paper, _PAPER, "the paper")]
        if not memory:
            bars.insert(1, (above, row.cached_seconds, _AGAIN, "rlap, the same graphs again"))
        for at, value, color, title in bars:
            if value is None:
                continue
            width = 0.18 if color == _AGAIN else 0.36
            panel.barh(at, max(value, floor) - floor, width, left=floor, color=color, label=title)
            if color != _AGAIN:
                panel.text(max(value, floor) * 1.15, at, label(value), va="center", fontsize=7, color="#333333")
            highest = max(highest, value)
        if row.status != MEASURED:
            panel.text(floor * 1.3, above, problem(row.status), va="center", fontsize=7, color="#b00020")
    panel.set_xscale("log")
    panel.set_xlim(floor, highest * 12)
    panel.set_yticks(range(len(rows)), [row.augmentor for row in rows], fontsize=8)
    panel.set_ylim(len(rows) - 0.4, -0.6)
    panel.set_title(name, fontsize=10, loc="left")
    panel.set_xlabel("memory, MB" if memory else "time, seconds", fontsize=8)
    panel.tick_params(axis="x", labelsize=8)
    panel.spines[["top", "right"]].set_visible(False)


def _legend(panels: Any) -> tuple[list[Any], list[str]]:
    handles, titles = [], []
    for panel in panels:
        for handle, title in zip(*panel.get_legend_handles_labels(), strict=True):
            handles.append(handle)
            titles.append(title)
    return handles, titles

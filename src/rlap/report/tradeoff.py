"""What accuracy costs: the time of one augmentation against what comes of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from rlap.experiments.overheads.store import ResultFile
from rlap.experiments.overheads.suite import KEY, MEASURED, Overhead
from rlap.experiments.results import Cell as Result
from rlap.experiments.results import changes
from rlap.experiments.store import Entry
from rlap.experiments.targets import Target
from rlap.report.accuracy import Place
from rlap.report.commands import reproduce
from rlap.report.overheads import problem
from rlap.report.page import Block, Cell, Code, Figure, Heading, Panel, Table, Text
from rlap.report.page.figures import draw_panel
from rlap.report.palette import look
from rlap.report.units import duration, three_digits

_HOLLOW = "paper"
_BESIDE = ("WalkSchur", "VertexCoarsening")  # other ways to a Schur complement: their table is another one


def read_costs(path: Path | None) -> dict[tuple[str, str], Overhead]:
    """Read what augmentors cost, by data set and augmentor, from the CSV file of `rlap bench augmentors`.

    Example:
        >>> read_costs(None)
        {}
    """
    if path is None:
        return {}
    results: ResultFile[Overhead] = ResultFile(path, Overhead, key=KEY)
    return {(row.dataset, row.augmentor): row for row in results.rows}


def stored_costs(entries: Iterable[Entry]) -> dict[tuple[str, str], Overhead]:
    """Take what augmentors cost from a store, by data set and augmentor; trials with other settings are left out.

    Example:
        >>> stored_costs([])
        {}
    """
    names = [field.name for field in fields(Overhead)]
    return {
        (entry.job.dataset, entry.job.augmentor): Overhead(**{name: entry.result[name] for name in names})
        for entry in entries
        if entry.job.kind == "overheads" and entry.result is not None and not changes(entry.job)
    }


def tradeoff_blocks(
    targets: Sequence[Target], known: Mapping[Place, Result], costs: Mapping[tuple[str, str], Overhead], store: str
) -> list[Block]:
    """Draw accuracy against cost for every design, and list the costs; without costs, say how to measure them."""
    if not costs:
        why = (
            "The store has no times of augmentations, so there is no figure. This command measures them. Those of "
            "`rlap bench augmentors` count as well: its `augmentors.csv` is found beside the store, or named by "
            "`--overheads`."
        )
        return [Text(why), Code([reproduce("overheads", "", store)])]
    shown: list[Block] = []
    for target in targets:
        panels = [one for dataset in target.datasets if (one := _panel(target, dataset, known, costs)) is not None]
        if panels:
            shown += [Heading(target.title), Figure(_caption(costs), panels)]
    if not shown:
        shown = [Text("No data set has both costs and accuracies of two augmentors, so there is no figure.")]
    words = "Below the time, the paper's on its CPU, and the memory beside the paper's."
    command = Code([reproduce("overheads", "", store)])
    return [*shown, Heading("Time and memory of one augmentation"), Text(words), _table(costs), command]


def _caption(costs: Mapping[tuple[str, str], Overhead]) -> str:
    first = next(iter(costs.values()))
    return (
        f"Up and to the left is better. Time: the median of {first.runs} first calls on the whole data set with the "
        f"perturbation {first.perturbation:g}, measured one after the other. Filled: clean protocol; hollow: paper "
        "protocol."
    )


def _panel(
    target: Target,
    dataset: str,
    known: Mapping[Place, Result],
    costs: Mapping[tuple[str, str], Overhead],
) -> Panel | None:
    rows = (*target.rows, *_BESIDE)
    points = [
        (row, protocol, costs[dataset, augmentor].seconds or 0.0, 100 * cell.accuracy.mean)
        for row in rows
        for protocol in target.protocols
        if (dataset, augmentor := target.augmentor(row)) in costs
        and costs[dataset, augmentor].seconds
        and (cell := known.get((target.method, dataset, augmentor, protocol))) is not None
    ]
    if len({row for row, *_ in points}) < 2:
        return None

    def draw(axes: Any) -> None:
        for row, protocol, seconds, accuracy in points:
            color, marker = look(row, rows)
            fill = "none" if protocol == _HOLLOW else color
            # A name stands in the legend once, whichever protocol came first.
            title = row if row not in axes.get_legend_handles_labels()[1] else None
            size = 90 if row == rows[0] else 40
            axes.scatter(seconds, accuracy, size, facecolor=fill, edgecolor=color, marker=marker, label=title)
        axes.set_xscale("log")
        label_times(axes)
        axes.set_xlabel("time of one augmentation")
        axes.set_ylabel("accuracy, percent")
        axes.set_title(f"{target.method}, {dataset}")

    words = "; ".join(f"{row} ({protocol}): {duration(s)}, {accuracy:.2f} %" for row, protocol, s, accuracy in points)
    return draw_panel(f"tradeoff-{target.name}-{dataset}", f"{target.method} on {dataset}: {words}", draw, legend=2)


def label_times(axes: Any) -> None:
    """Label a logarithmic axis with few times, as `10 ms`: the default writes every digit over its neighbour."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    lowest, highest = axes.get_xlim()
    decades = math.log10(highest / lowest)
    few = MaxNLocator(3) if decades < 1 else LogLocator(subs=(1, 3) if decades < 3 else (1,))
    axes.xaxis.set_major_locator(few)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda seconds, _: duration(seconds)))
    axes.xaxis.set_minor_formatter(NullFormatter())


def _table(costs: Mapping[tuple[str, str], Overhead]) -> Table:
    datasets = list(dict.fromkeys(dataset for dataset, _ in costs))
    augmentors = list(dict.fromkeys(augmentor for _, augmentor in costs))
    return Table(
        ["augmentor", *datasets],
        [[Cell(name), *(_cost(costs.get((dataset, name))) for dataset in datasets)] for name in augmentors],
    )


def _cost(row: Overhead | None) -> Cell:
    if row is None:
        return Cell("— not run", "absent")
    paper = [] if row.paper_cpu_seconds is None else [Cell(f"paper {duration(row.paper_cpu_seconds)}")]
    if row.status != MEASURED:
        return Cell(problem(row.status), "failed", paper)
    beside = "" if row.paper_memory_mb is None else f", paper {three_digits(row.paper_memory_mb)} MB"
    return Cell(
        duration(row.seconds), below=[*paper, Cell(f"{three_digits(row.memory_mb)} MB{beside}")], value=row.seconds
    )

"""Whether the batch leaks the label, from a store, as blocks of a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap.experiments.batches import batch_ceiling, majority
from rlap.experiments.paper import PaperAccuracy, paper_accuracy
from rlap.experiments.results import changes
from rlap.experiments.store import Entry
from rlap.experiments.targets import find_target
from rlap.report.commands import reproduce
from rlap.report.page import Block, Cell, Code, Figure, Panel, Table, Text
from rlap.report.page.figures import INK, draw_panel
from rlap.report.palette import look

# The ways as columns, and what they are called.
WAYS = {
    "reference": "as the scripts",
    "unmasked": "without masks",
    "shuffled": "shuffled",
    "clean": "clean graph",
    "untrained": "untrained, as the scripts",
    "oracle": "batch number alone",
}
_PAPER, _LEAK, _MAJORITY, _CEILING = "paper", "leak", "majority class", "at best from the batch"
READING = (
    "Accuracy in percent of BGRL with rLap: the mean and the standard deviation over splits and seeds. The paper's "
    "scripts embed augmented graphs in the order of the files, and every batch of 128 shares one mask of feature "
    "columns; where files are sorted by label, the mask tells the label. One trained model is embedded in several "
    "ways, on the same splits and with the same probe: as the scripts do; the same without masks; in shuffled batches, "
    "so that a batch says nothing; and the graphs as they are. Leak is what the order of the graphs alone brings: as "
    "the scripts, minus shuffled, in points, with the standard deviation over splits. Untrained is the encoder before "
    "training. The batch number alone sees no graph at all; the last column is the best that it can reach."
)


@dataclass(frozen=True)
class Leak:
    """The accuracies of a data set by way, each with one entry a seed and split; and the classes of its batches."""

    ways: Mapping[str, NDArray[np.float64]]
    batches: list[list[int]]
    seeds: int


def leak_results(entries: Iterable[Entry]) -> dict[str, Leak]:
    """Take the results from a store, by data set, in the target's order; trials with other settings are left out.

    Where runs are on data of different content, those of the largest number count.
    """
    groups: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for entry in entries:
        if entry.job.kind == "leak" and entry.result is not None and not changes(entry.job):
            groups.setdefault(entry.job.dataset, {}).setdefault(entry.checksum, []).append(entry.result)
    target = find_target("leak").datasets
    order = [*(name for name in target if name in groups), *(name for name in groups if name not in target)]
    return {name: _join(max(groups[name].values(), key=len)) for name in order}


def leak_blocks(results: Mapping[str, Leak], store: str) -> list[Block]:
    """Show every data set that the store has; without any, say how to make them."""
    command = Code([reproduce("leak", "", store)])
    if not results:
        return [Text("The store has no results on this yet."), command]
    titles = ["data set", _PAPER, *WAYS.values(), _LEAK, _MAJORITY, _CEILING]
    panels = [_panel(name, found) for name, found in results.items()]
    caption = "Accuracy in percent; bars end at the mean, whiskers are one standard deviation, dashed: majority class."
    seeds = ", ".join(f"{name} {found.seeds}" for name, found in results.items())
    absent = [name for name in find_target("leak").datasets if name not in results]
    return [
        Text(READING),
        Table(titles, [_row(name, found) for name, found in results.items()]),
        Text(f"Training seeds: {seeds}." + (f" Not run: {', '.join(absent)}." if absent else "")),
        Figure(caption, panels),
        command,
    ]


def _join(runs: Sequence[Mapping[str, Any]]) -> Leak:
    ways = {way: np.concatenate([run["ways"][way]["accuracy"] for run in runs]) for way in WAYS}
    return Leak(ways, runs[0]["batches"], len(runs))


def _row(dataset: str, found: Leak) -> list[Cell]:
    paper = _paper(dataset)
    printed = Cell("—") if paper is None or paper.accuracy is None else _numbers(paper.accuracy, paper.std)
    return [
        Cell(dataset),
        printed,
        *(_numbers(*_percent(found.ways[way])) for way in WAYS),
        _numbers(*_percent(found.ways["reference"] - found.ways["shuffled"]), signed=True),
        _numbers(100 * majority(found.batches)),
        _numbers(100 * batch_ceiling(found.batches)),
    ]


def _paper(dataset: str) -> PaperAccuracy | None:
    return paper_accuracy("main", "BGRL", "rLap", dataset)


def _percent(values: NDArray[np.float64]) -> tuple[float, float | None]:
    return 100 * float(values.mean()), 100 * float(values.std(ddof=1)) if len(values) > 1 else None


def _numbers(mean: float, std: float | None = None, *, signed: bool = False) -> Cell:
    text = f"{mean:+.2f}".replace("-", "−") if signed else f"{mean:.2f}"
    return Cell(text if std is None else f"{text} ± {std:.2f}", value=mean)


def _panel(dataset: str, found: Leak) -> Panel:
    bars: list[tuple[str, float, float | None]] = []
    paper = _paper(dataset)
    if paper is not None and paper.accuracy is not None:
        bars.append((_PAPER, paper.accuracy, paper.std))
    bars += [(title, *_percent(found.ways[way])) for way, title in WAYS.items()]
    words = "; ".join(f"{title} {mean:.1f}" for title, mean, _ in bars)
    base = 100 * majority(found.batches)
    return draw_panel(
        f"leak-{dataset}",
        f"{dataset}: {words}; {_MAJORITY} {base:.1f}",
        partial(_draw, dataset=dataset, bars=bars, base=base),
        (4.4, 2.9),
    )


def _draw(axes: Any, dataset: str, bars: Sequence[tuple[str, float, float | None]], base: float) -> None:
    titles = (_PAPER, *WAYS.values())
    names = [title for title, _, _ in bars]
    axes.barh(names, [mean for _, mean, _ in bars], color=[look(name, titles)[0] for name in names])
    for at, (_, mean, std) in enumerate(bars):
        axes.errorbar(mean, at, xerr=std, color=INK, linewidth=1, capsize=2)
    axes.axvline(base, color=INK, linestyle="--", linewidth=1)
    axes.invert_yaxis()
    axes.set_xlim(0, 105)
    axes.set_title(dataset)

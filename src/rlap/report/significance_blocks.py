"""Ranks and tests as blocks of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rlap.evaluation.significance import Ranking
from rlap.experiments.results import Cell as Result
from rlap.experiments.targets import Target
from rlap.report.accuracy import Place
from rlap.report.page import Block, Cell, Figure, Folded, Heading, Notes, Table, Text
from rlap.report.page.figures import INK, draw_panel
from rlap.report.significance import (
    ENOUGH_BLOCKS,
    ENOUGH_PAIRS,
    LEVEL,
    Pair,
    Scoreboard,
    against,
    all_pairs,
    ranking,
    scoreboard,
)

_BAR = "#c8553d"
READING = (
    "A block is one design on one data set, and counts once, with the mean over all seeds and splits. Blocks that "
    "share a data set are not quite independent, so p-values are somewhat too small."
)


def significance_blocks(
    title: str, targets: Sequence[Target], protocol: str, known: Mapping[Place, Result], name: str
) -> list[Block]:
    """Show ranks and tests of targets with the same rows; where there are too few cells, say so."""
    board = scoreboard(targets, protocol, known)
    first = board.rows[0]
    shown: list[Block] = [Heading(f"{title}, {protocol} protocol"), *_ranks(board, name)]
    pairs = against(board, first)
    if not any(pair.test for pair in pairs):
        most = max(pair.blocks for pair in pairs)
        return [
            *shown,
            Text(
                f"Wilcoxon's test needs at least {ENOUGH_PAIRS} blocks that two rows share, to find anything at the "
                f"level {LEVEL:g}. {first} shares at most {most} with another: no test."
            ),
        ]
    untested = [pair.second for pair in pairs if pair.test is None]
    notes = [f"Too few blocks (fewer than {ENOUGH_PAIRS}) for a test: {', '.join(untested)}."] if untested else []
    tested = [pair for pair in all_pairs(board) if pair.test is not None]
    return [
        *shown,
        Text(f"{first} against every other: Wilcoxon's signed-rank test over blocks, Holm's correction over rows."),
        _table(pairs, lambda pair: f"{pair.second}"),
        *([Notes(notes)] if notes else []),
        Folded(
            f"All {len(tested)} pairs, with Holm's correction over all of them",
            [_table(tested, lambda pair: f"{pair.first} − {pair.second}")],
        ),
    ]


def _ranks(board: Scoreboard, name: str) -> list[Block]:
    complete, ranks = board.complete, ranking(board)
    if ranks is None:
        return [
            Text(
                f"Average ranks need at least {ENOUGH_BLOCKS} blocks on which all {len(board.rows)} rows have run; "
                f"there are {len(complete)} of {len(board.blocks)}."
            )
        ]
    where = ", ".join(f"{method} on {dataset}" for method, dataset in (board.blocks[at] for at in complete))
    found = "differ" if ranks.p_value < LEVEL else "cannot be told apart as a whole"
    words = (
        f"Average ranks on {len(complete)} blocks ({where}); 1 is best. Rows that share a bar differ by less than the "
        f"critical difference of Nemenyi's test at {LEVEL:g}, {ranks.critical_difference:.2f}. Friedman's test: "
        f"p = {ranks.p_value:.2g}, so the rows {found}."
    )
    order = np.argsort(ranks.average_ranks, kind="stable")
    listed = "; ".join(f"{board.rows[at]} {ranks.average_ranks[at]:.2f}" for at in order)
    panel = draw_panel(
        name,
        f"Average ranks: {listed}",
        lambda axes: draw_ranks(axes, board.rows, ranks),
        (5.2, 0.9 + 0.3 * len(order)),
    )
    return [Figure(words, [panel])]


def draw_ranks(axes: Any, rows: Sequence[str], ranks: Ranking) -> None:
    """Draw average ranks as points, the best on top, and a bar over every group within the critical difference."""
    order = np.argsort(ranks.average_ranks, kind="stable")
    values = ranks.average_ranks[order]
    places = np.arange(len(order))
    axes.hlines(places, 1, values, color=INK, linewidth=0.5, alpha=0.3)
    axes.plot(values, places, "o", color="#3a7bbf", markersize=6, clip_on=False)
    for place, value in zip(places, values, strict=True):
        axes.annotate(f"{value:.2f}", (value, place), (6, 0), textcoords="offset points", va="center", fontsize=8)
    beside = len(rows) + 1.0  # beyond the number beside the last rank there can be
    for begin, end in groups(values.tolist(), ranks.critical_difference):
        beside += 0.3
        axes.plot([beside, beside], [begin - 0.2, end + 0.2], color=_BAR, linewidth=3, solid_capstyle="butt")
    axes.set_yticks(places, [rows[at] for at in order])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(1, beside + 0.3)
    axes.set_xticks(range(1, len(rows) + 1))
    axes.set_xlabel("average rank")


def groups(values: Sequence[float], difference: float) -> list[tuple[int, int]]:
    """List the largest runs of sorted ranks that differ by less than the critical difference, by first and last.

    Example:
        >>> groups([1.0, 1.5, 2.6, 4.0], 1.5)
        [(0, 1), (1, 2), (2, 3)]
    """
    found: list[tuple[int, int]] = []
    for begin in range(len(values)):
        end = max(at for at in range(begin, len(values)) if at == begin or values[at] - values[begin] < difference)
        if end > begin and (not found or end > found[-1][1]):
            found.append((begin, end))
    return found


def _table(pairs: Sequence[Pair], title: Any) -> Table:
    titles = ["against", "blocks", "won", "difference, points", "p", "p, Holm"]
    return Table(titles, [[Cell(title(pair)), *_numbers(pair)] for pair in pairs])


def _numbers(pair: Pair) -> list[Cell]:
    counts = [Cell(str(value), value=value) for value in (pair.blocks, pair.wins)]
    if pair.test is None:
        return [*counts, *[Cell("— too few", "absent")] * 3]
    test = pair.test
    return [
        *counts,
        Cell(f"{100 * test.difference:+.2f}".replace("-", "−"), value=100 * test.difference),
        Cell(f"{test.p_value:.3g}", value=test.p_value),
        Cell(f"{test.adjusted:.3g}", "best" if test.adjusted < LEVEL else "", value=test.adjusted),
    ]

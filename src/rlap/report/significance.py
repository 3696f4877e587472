"""Which augmentors differ by more than chance, over the data sets of all designs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rlap.evaluation.significance import Comparison, Ranking, compare, rank
from rlap.experiments.results import Cell
from rlap.experiments.targets import Target
from rlap.report.accuracy import Place

LEVEL = 0.05
# Wilcoxon's test is two-sided and exact: n pairs cannot give less than 2 / 2^n, which is below 0.05 from here on.
ENOUGH_PAIRS = 6
ENOUGH_BLOCKS = 2


@dataclass(frozen=True, eq=False)
class Scoreboard:
    """Mean accuracies of rows on blocks, a block being a design on a data set; NaN where nothing has run."""

    rows: Sequence[str]
    blocks: Sequence[tuple[str, str]]
    means: NDArray[np.float64]

    @property
    def complete(self) -> list[int]:
        """List the blocks on which every row has run."""
        return np.flatnonzero(np.isfinite(self.means).all(axis=1)).tolist()


@dataclass(frozen=True)
class Pair:
    """Two rows over the blocks that both have; `test` is None where these are too few to say anything."""

    first: str
    second: str
    blocks: int
    wins: int
    test: Comparison | None


def scoreboard(targets: Sequence[Target], protocol: str, known: Mapping[Place, Cell]) -> Scoreboard:
    """Gather the means of targets that have the same rows."""
    rows = targets[0].rows
    blocks = [(target.method, dataset) for target in targets for dataset in target.datasets]
    means = np.full((len(blocks), len(rows)), np.nan)
    for at, (method, dataset) in enumerate(blocks):
        for column, row in enumerate(rows):
            cell = known.get((method, dataset, targets[0].augmentor(row), protocol))
            if cell is not None:
                means[at, column] = cell.accuracy.mean
    return Scoreboard(rows, blocks, means)


def ranking(board: Scoreboard) -> Ranking | None:
    """Rank all rows on the blocks that are complete; None if these are fewer than two."""
    complete = board.complete
    return rank(board.means[complete], LEVEL) if len(complete) >= ENOUGH_BLOCKS else None


def against(board: Scoreboard, first: str) -> list[Pair]:
    """Test one row against every other, with Holm's correction over these tests."""
    return _tested(board, [(first, other) for other in board.rows if other != first])


def all_pairs(board: Scoreboard) -> list[Pair]:
    """Test every row against every other, with Holm's correction over all of these tests."""
    return _tested(board, list(combinations(board.rows, 2)))


def _tested(board: Scoreboard, pairs: Sequence[tuple[str, str]]) -> list[Pair]:
    scores = {pair: _both(board, *pair) for pair in pairs}
    names = {
        f"{one} and {two}": (one, two) for (one, two), (values, _) in scores.items() if len(values) >= ENOUGH_PAIRS
    }
    tests = compare({name: scores[pair] for name, pair in names.items()}) if names else {}
    found = {pair: tests[name] for name, pair in names.items()}
    return [
        Pair(*pair, len(values), int((values > others).sum()), found.get(pair))
        for pair, (values, others) in scores.items()
    ]


def _both(board: Scoreboard, first: str, second: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    one, two = (board.means[:, list(board.rows).index(name)] for name in (first, second))
    there = np.isfinite(one) & np.isfinite(two)
    return one[there], two[there]

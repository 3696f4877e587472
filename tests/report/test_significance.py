"""Ranks and tests of a report, against SciPy and against ranks counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import friedmanchisquare, wilcoxon

from rlap.experiments.store import Store
from rlap.experiments.targets import find_target
from rlap.report.accuracy import usual_cells
from rlap.report.page import Figure, Folded, Table, Text
from rlap.report.significance import against, all_pairs, ranking, scoreboard
from rlap.report.significance_blocks import groups, significance_blocks
from tests.report.stores import put_cell

TARGETS = [find_target("grace"), find_target("mvgrl")]


@pytest.fixture(scope="module")
def made(full):
    folder, values = full
    store = Store(folder / "store.sqlite")
    known = usual_cells(store.entries())
    store.close()
    return values, known


def means_of(values, protocol):
    return np.array(
        [
            [values[target.name, dataset, row, protocol].mean() for row in target.rows]
            for target in TARGETS
            for dataset in target.datasets
            if (target.name, dataset, "rLap", protocol) in values
        ]
    )


@pytest.mark.parametrize(("protocol", "blocks"), [("clean", 10), ("paper", 9)])
def test_ranks_are_over_complete_blocks(made, protocol, blocks):
    values, known = made
    means = means_of(values, protocol)
    assert len(means) == blocks
    expected = np.mean([[1 + (row > one).sum() for one in row] for row in means], axis=0)  # no two are equal
    found = ranking(scoreboard(TARGETS, protocol, known))
    np.testing.assert_allclose(found.average_ranks, expected, rtol=1e-12)
    assert found.p_value == pytest.approx(friedmanchisquare(*means.T).pvalue, rel=1e-12)


@pytest.mark.parametrize("protocol", ["clean", "paper"])
def test_pairs_are_tested_over_blocks_with_holms_correction(made, protocol):
    values, known = made
    means = means_of(values, protocol)
    rows = list(TARGETS[0].rows)
    pairs = against(scoreboard(TARGETS, protocol, known), "rLap")
    raw = np.array([wilcoxon(means[:, 0], means[:, at]).pvalue for at in range(1, len(rows))])
    assert [pair.second for pair in pairs] == rows[1:]
    np.testing.assert_allclose([pair.test.p_value for pair in pairs], raw, rtol=1e-12)
    # Holm by its definition: the k-th smallest of m counts m - k + 1 times, and none may be below a smaller one's.
    for pair, p in zip(pairs, raw, strict=True):
        expected = max(min(1.0, one * (raw >= one).sum()) for one in raw[raw <= p])
        assert pair.test.adjusted == pytest.approx(expected, rel=1e-12)
    assert [pair.wins for pair in pairs] == [(means[:, 0] > means[:, at]).sum() for at in range(1, len(rows))]
    assert len(all_pairs(scoreboard(TARGETS, protocol, known))) == 45


def test_pairs_use_the_blocks_that_both_have(made):
    values, known = made
    fewer = {place: cell for place, cell in known.items() if place[1] != "PUBMED" or place[2] != "EdgeDropping"}
    board = scoreboard(TARGETS, "clean", fewer)
    counts = {pair.second: pair.blocks for pair in against(board, "rLap")}
    assert counts == dict.fromkeys(TARGETS[0].rows[1:], 10) | {"EdgeDropping": 8}
    assert len(board.complete) == 8
    first, second = (
        np.array([values[t.name, d, row, "clean"].mean() for t in TARGETS for d in t.datasets if d != "PUBMED"])
        for row in ("rLap", "EdgeDropping")
    )
    [pair] = [pair for pair in against(board, "rLap") if pair.second == "EdgeDropping"]
    assert pair.test.difference == pytest.approx((first - second).mean(), rel=1e-9)


def test_too_few_cells_are_said_to_be_too_few(tmp_path):
    store = Store(tmp_path / "store.sqlite")
    rng = np.random.default_rng(0)
    for row in ("rLap", "EdgeDropping"):
        put_cell(store, "grace", "CORA", row, "clean", 0.8, rng)
    blocks = significance_blocks("Augmentors", TARGETS, "clean", usual_cells(store.entries()), "ranks")
    words = " ".join(block.text for block in blocks if isinstance(block, Text))
    assert "all 10 rows have run; there are 0 of 10" in words
    assert "rLap shares at most 1 with another: no test" in words
    assert not any(isinstance(block, Figure | Table | Folded) for block in blocks)


def test_groups_are_the_largest_within_the_critical_difference():
    ranks = np.sort(np.random.default_rng(0).uniform(1, 10, 12))
    for difference in (0.5, 2.0, 20.0):
        every = [(i, j) for i in range(12) for j in range(i + 1, 12) if ranks[j] - ranks[i] < difference]
        largest = [(i, j) for i, j in every if not any((a, b) != (i, j) and a <= i and j <= b for a, b in every)]
        assert groups(ranks.tolist(), difference) == largest

"""The figures of a report: spectra and costs."""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise

import numpy as np
import pytest

from rlap.evaluation.significance import Ranking
from rlap.experiments.overhead_jobs import overhead_job, ppr_job
from rlap.experiments.overheads.suite import Overhead
from rlap.experiments.store import Store
from rlap.experiments.targets import find_target
from rlap.report.accuracy import usual_cells
from rlap.report.page import Code, Figure, Folded, Table, Text
from rlap.report.palette import look
from rlap.report.ppr_blocks import ppr_blocks, ppr_rows
from rlap.report.significance_blocks import draw_ranks
from rlap.report.spectral import Curve, bias, curve, spectral_runs
from rlap.report.spectral_blocks import draw_curve, spectral_blocks
from rlap.report.tradeoff import label_times, read_costs, stored_costs, tradeoff_blocks
from tests.report.stores import put, put_cell, put_spectral, write_costs

VARIANTS = ("rLap-rand-asc", "rLap-deg-asc", "VertexCoarsening", "WalkSchur")


@pytest.fixture
def store(tmp_path):
    opened = Store(tmp_path / "store.sqlite")
    yield opened
    opened.close()


def test_curves_are_means_and_deviations_over_runs(store):
    made = put_spectral(store, "CORA", VARIANTS, 4, np.random.default_rng(0))
    runs = spectral_runs(store.entries())["CORA"]
    for quantity in ("edges", "sigma_max", "sigma_max_adjacency"):
        for variant in VARIANTS:
            table = np.array([one[quantity] for one in made[variant]])
            found = curve(runs[variant], quantity)
            np.testing.assert_allclose(found.mean, table.mean(axis=0), rtol=1e-12)
            np.testing.assert_allclose(found.std, table.std(axis=0, ddof=1), rtol=1e-9, atol=1e-12)
    assert curve(runs["rLap-rand-asc"], "bound") is not None
    assert curve(runs["rLap-deg-asc"], "bound") is None
    assert curve(runs["WalkSchur"], "deviation") is None


@pytest.mark.parametrize(
    "alike",
    [
        ("rLap-rand-asc", "rLap-rand-desc", "rLap-rand-rand", "WalkSchur"),
        ("rLap-deg-asc", "rLap-deg-desc", "rLap-deg-rand"),
    ],
)
def test_lines_that_coincide_have_their_markers_at_different_places(alike):
    from matplotlib import pyplot

    x = np.linspace(0, 0.5, 11)
    figure, axes = pyplot.subplots()
    for row in alike:
        draw_curve(axes, row, Curve(x, 1 - x, np.zeros(11), 10))
    places = []
    for line in axes.get_lines():
        first, step = line.get_markevery()
        places += list(range(first, len(x), step))
    pyplot.close(figure)
    assert len(places) == len(set(places)) >= 8


def test_bias_is_the_mean_of_what_is_there(store):
    made = put_spectral(store, "CORA", VARIANTS, 4, np.random.default_rng(0))
    runs = spectral_runs(store.entries())["CORA"]["rLap-rand-asc"]
    ratios = np.array([[one["ratio"] for one in run["exact"]] for run in made["rLap-rand-asc"]])
    np.testing.assert_allclose(bias(runs).mean, ratios.mean(axis=0) - 1, atol=1e-12)
    dense = [{"exact": [{"fraction": 0.1, "ratio": None, "walks_ratio": None}]}]
    assert bias(dense) is None


def test_every_data_set_has_four_panels(store):
    for dataset in ("CORA", "PUBMED"):
        put_spectral(store, dataset, VARIANTS, 2, np.random.default_rng(0))
    blocks = spectral_blocks(spectral_runs(store.entries()), "store.sqlite")
    figures = [block for block in blocks if isinstance(block, Figure)]
    assert [[panel.name.split("-")[-1] for panel in figure.panels] for figure in figures] == [
        ["sigma_max", "edges", "deviation", "bias"]
    ] * 2
    assert any(isinstance(block, Text) and "Not run: AMAZON-PHOTO" in block.text for block in blocks)
    assert sum(isinstance(block, Folded) for block in blocks) == 2


def test_without_spectra_the_command_is_given():
    [words, command] = spectral_blocks({}, "store.sqlite")
    assert "no spectral results" in words.text
    assert command.lines == ["rlap reproduce spectral --store store.sqlite"]


def test_costs_and_accuracies_meet_in_a_scatter(store, tmp_path):
    target = find_target("grace")
    rng = np.random.default_rng(0)
    means = {
        row: 100 * put_cell(store, "grace", "CORA", row, "clean", 0.8, rng).mean() for row in ("rLap", "EdgeDropping")
    }
    put_cell(store, "grace", "PUBMED", "rLap", "clean", 0.8, rng)
    means["WalkSchur"] = 100 * put_cell(store, "grace", "CORA", "WalkSchur", "paper", 0.8, rng).mean()
    path = tmp_path / "augmentors.csv"
    write_costs(path, ["CORA", "PUBMED"], ["rLap", "EdgeDropping", "WalkSchur"])
    blocks = tradeoff_blocks([target], usual_cells(store.entries()), read_costs(path), "store.sqlite")
    [figure] = [block for block in blocks if isinstance(block, Figure)]
    [panel] = figure.panels  # PUBMED has one augmentor alone
    expected = (
        f"rLap (clean): 1 ms, {means['rLap']:.2f} %; EdgeDropping (clean): 2 ms, {means['EdgeDropping']:.2f} %; "
        f"WalkSchur (paper): 3 ms, {means['WalkSchur']:.2f} %"
    )
    assert panel.words == f"grace on CORA: {expected}"


def test_no_two_rows_of_a_figure_look_alike():
    rows = [*find_target("grace").rows, "WalkSchur", "VertexCoarsening"]
    colors, markers = zip(*(look(row, rows) for row in rows), strict=True)
    assert len({*colors}) == len({*markers}) == len(rows) == 12


def test_costs_come_from_the_store(store):
    measured = Overhead("node", "CORA", "rLap", 0.5, 10, 0, "measured", 1.5, 0.25, 0.2, 0.3, paper_cpu_seconds=0.5)
    lost = Overhead("node", "CORA", "PPRDiffusion", 0.5, 10, 0, "out of memory", paper_memory_mb=9.0)
    for row in (measured, lost):
        put(store, overhead_job("CORA", row.augmentor, 0), asdict(row) | {"all_seconds": [0.25]})
    put(store, overhead_job("PUBMED", "rLap", 0, {"runs": 1}), asdict(measured))
    costs = stored_costs(store.entries())
    assert costs == {("CORA", "rLap"): measured, ("CORA", "PPRDiffusion"): lost}
    blocks = tradeoff_blocks([find_target("grace")], {}, costs, "store.sqlite")
    [table] = [block for block in blocks if isinstance(block, Table)]
    (_, first), (_, second) = table.rows
    assert (first.text, first.value) == ("250 ms", 0.25)
    assert [line.text for line in first.below] == ["paper 500 ms", "1.5 MB"]
    assert (second.text, second.mark) == ("out of memory", "failed")


def test_ppr_comes_from_the_store(store):
    found = {"edges": 900, "subgraph_edges": 90.0, "error": 0.01, "absolute_error": 0.02}
    for row, seconds in (("grounded-0.5", [3.0, 1.0, 2.0]), ("PPR", [4.0, 4.0, 4.0]), ("shortcut-0.1", [1.0] * 3)):
        result = {"status": "measured", **found, "memory": 2_000_000, "seconds": seconds}
        put(store, ppr_job("CORA", row, 0), result)
    put(store, ppr_job("CORA", "grounded-0.1", 0), {"status": "out of memory"})
    put(store, ppr_job("CORA", "grounded-0.2", 0, {"runs": 1}), {"status": "out of memory"})
    blocks = ppr_blocks(ppr_rows(store.entries()), "store.sqlite")
    [table] = [block for block in blocks if isinstance(block, Table)]
    names = ["PPR", "shortcut, 0.1", "grounded, 0.1", "grounded, 0.5"]
    assert [row[0].text for row in table.rows] == names
    assert [row[2].text for row in table.rows] == ["4 s", "1 s", "", "2 s"]  # medians
    assert table.rows[2][1].text == "out of memory"
    assert table.titles[1:3] == ["MB", "time"]
    assert [cell.value for cell in table.rows[3][1:]] == [2.0, 2.0, None, 900, 90.0, 0.01, 0.02]
    [figure] = [block for block in blocks if isinstance(block, Figure)]
    assert [panel.name for panel in figure.panels] == ["ppr-CORA-subgraph_edges", "ppr-CORA-error"]
    [words, command] = ppr_blocks({}, "store.sqlite")
    assert "no comparison of PPR" in words.text
    assert command.lines == ["rlap reproduce ppr --store store.sqlite"]


def test_without_costs_there_is_no_figure_and_it_says_so(store):
    blocks = tradeoff_blocks([find_target("grace")], {}, {}, "store.sqlite")
    assert "no times of augmentations" in blocks[0].text
    assert isinstance(blocks[1], Code)
    assert len(blocks) == 2


@pytest.mark.parametrize("slowest", [0.0015, 0.004, 0.01, 0.02, 0.3, 5.0, 700.0])
def test_times_below_a_scatter_do_not_touch(slowest):
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(4.2, 2.4))
    axes.scatter([0.0013, slowest], [80, 90])
    axes.set_xscale("log")
    label_times(axes)
    figure.canvas.draw()
    lowest, highest = axes.get_xlim()
    shown = [
        label
        for at, label in zip(axes.get_xticks(), axes.get_xticklabels(), strict=True)
        if lowest <= at <= highest and label.get_text()
    ]
    boxes = [label.get_window_extent() for label in shown]
    pyplot.close(figure)
    assert len(shown) >= 2
    assert all(left.x1 < right.x0 for left, right in pairwise(boxes))
    assert all(label.get_text().endswith((" ms", " s")) for label in shown)


def test_bars_stand_beside_the_ranks():
    from matplotlib import pyplot

    rows = [f"VertexCoarsening {at}" for at in range(8)]
    figure, axes = pyplot.subplots(figsize=(5.2, 3.3), layout="constrained")
    draw_ranks(axes, rows, Ranking(np.arange(1.0, 9.0), 0.1, 7.42))
    figure.canvas.draw()
    bars = [line.get_window_extent().x0 for line in axes.lines if line.get_xdata()[0] == line.get_xdata()[-1]]
    numbers = [text.get_window_extent().x1 for text in axes.texts]
    pyplot.close(figure)
    assert bars
    assert max(numbers) < min(bars)

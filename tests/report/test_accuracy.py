"""The accuracy tables of a report, against pandas and against the paper's file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from rlap.experiments.baseline_job import baseline_job
from rlap.experiments.method_job import method_job
from rlap.experiments.paper import PaperAccuracy, paper_accuracy
from rlap.experiments.search.trial_job import as_run, trial_job
from rlap.experiments.store import Store
from rlap.experiments.targets import find_target
from rlap.report.accuracy import AccuracyCell, accuracy_table, failures, marks, usual_cells
from rlap.report.accuracy_blocks import NOT_RUN, accuracy_blocks, accuracy_cell
from rlap.report.page import Folded, Heading, Table
from rlap.report.report import report_sections
from tests.report.stores import put, put_cell, scores

TARGET = find_target("grace")
ROWS = ("rLap", "EdgeDropping", "NodeDropping")


@pytest.fixture
def store(tmp_path):
    opened = Store(tmp_path / "store.sqlite")
    yield opened
    opened.close()


def table_of(store, protocol="clean", target=TARGET):
    entries = list(store.entries())
    return accuracy_table(target, protocol, usual_cells(entries), failures(entries))


def shown(table):
    """Give the cells that a page shows, by row and column."""
    [found] = [block for block in accuracy_blocks(table, "store.sqlite") if isinstance(block, Table)]
    return {(row[0].text, title): cell for row in found.rows for title, cell in zip(found.titles, row, strict=True)}


def fill(store, seeds=2):
    rng = np.random.default_rng(0)
    records = []
    for row, level in zip(ROWS, (0.84, 0.80, 0.88), strict=True):
        for protocol, bonus in (("clean", 0.0), ("paper", 0.05)):
            values = put_cell(store, "grace", "CORA", row, protocol, level + bonus, rng, seeds)
            records += [(row, protocol, seed, value) for seed in range(seeds) for value in values[seed]]
    return pd.DataFrame(records, columns=["row", "protocol", "seed", "accuracy"])


@pytest.mark.parametrize("protocol", ["clean", "paper"])
def test_cells_have_the_mean_and_deviation_over_seeds_and_splits(store, protocol):
    frame = fill(store)
    expected = 100 * frame[frame.protocol == protocol].groupby("row").accuracy.agg(["mean", "std"])
    cells = shown(table_of(store, protocol))
    for row in ROWS:
        mean, std = expected.loc[row]
        assert cells[row, "CORA"].text == f"{mean:.2f} ± {std:.2f}"
        assert cells[row, "CORA"].value == pytest.approx(mean, abs=1e-9)  # the same sum in another order
        paper = paper_accuracy("main", "GRACE", row, "CORA")
        assert cells[row, "CORA"].below[0].text == f"paper {paper.accuracy:.2f} ± {paper.std:.2f}"
        sign = f"{(mean - paper.accuracy) / paper.std:+.1f}".replace("-", "−")
        assert cells[row, "CORA"].below[1].text == f"{sign} sd, 2 seeds"


def test_best_and_second_best_of_ours_and_of_the_paper(store):
    fill(store)
    cells = shown(table_of(store))
    assert [cells[row, "CORA"].mark for row in ROWS] == ["second", "", "best"]
    paper = {row: cells[row, "CORA"].below[0].mark for row in TARGET.rows}
    assert {row: mark for row, mark in paper.items() if mark} == {"rLap": "best", "EdgeDroppingDegree": "second"}


def test_what_has_not_run_is_shown_as_such(store):
    fill(store)
    cells = shown(table_of(store))
    absent = [place for place, cell in cells.items() if cell.text == NOT_RUN]
    assert len(absent) == 10 * 5 - len(ROWS)
    assert all(cells[place].mark == "absent" and cells[place].value is None for place in absent)
    assert cells["rLap", "PUBMED"].below[0].text == "paper 84.56 ± 0.71"


def test_a_full_number_of_seeds_is_not_mentioned(store):
    fill(store, seeds=TARGET.seeds)
    assert "seed" not in shown(table_of(store))["rLap", "CORA"].below[1].text


def test_failed_runs_are_named(store):
    put(store, method_job("grace", "CORA", "rLap", "clean", 0), error="Traceback\nMemoryError: no room")
    put(store, method_job("grace", "CORA", "NodeDropping", "clean", 0), scores([0.8, 0.9]))
    put(store, method_job("grace", "CORA", "NodeDropping", "clean", 1), error="ValueError: no")
    cells = shown(table_of(store))
    assert (cells["rLap", "CORA"].text, cells["rLap", "CORA"].mark) == ("failed (1)", "failed")
    assert cells["NodeDropping", "CORA"].below[1].text.endswith("1 seed, 1 failed")
    _, sections = report_sections(store.entries(), "store.sqlite", {})
    [failed] = [section for section in sections if section.name == "failed"]
    assert failed.blocks[0].lines == [
        "grace, rLap, CORA, clean, seed 0: MemoryError: no room",
        "grace, NodeDropping, CORA, clean, seed 1: ValueError: no",
    ]


def test_trials_and_other_versions_are_in_no_table(store):
    put(store, method_job("grace", "CORA", "rLap", "clean", 0, ["epochs=2"]), scores([0.5, 0.5]))
    put(store, method_job("grace", "CORA", "EdgeDropping", "clean", 0), scores([0.6, 0.7]))
    entries = [
        replace(entry, version=entry.version + 1) if entry.job.augmentor == "EdgeDropping" else entry
        for entry in store.entries()
    ]
    lead, sections = report_sections(entries, "store.sqlite", {})
    assert any("1 runs are trials" in line for line in lead)
    assert any("1 runs of other results versions" in line for line in lead)
    [grace] = [section for section in sections if section.name == "grace"]
    assert [block.title for block in grace.blocks] == [f"{name} protocol: 0 of 50 cells" for name in ("Clean", "Paper")]


def test_a_table_without_any_run_is_folded(store):
    [only] = accuracy_blocks(table_of(store), "store.sqlite")
    assert isinstance(only, Folded)
    fill(store)
    assert isinstance(accuracy_blocks(table_of(store), "store.sqlite")[0], Heading)


def test_an_ablation_takes_the_row_that_both_tables_share(store):
    fill(store)
    main = shown(table_of(store))["rLap", "CORA"]
    ablation = shown(table_of(store, target=find_target("ablation-grace")))["rLap-rand-asc", "CORA"]
    assert ablation.text == main.text
    assert ablation.mark == ""  # alone in its column


def test_data_of_other_content_is_not_mixed_in(store):
    rng = np.random.default_rng(1)
    values = put_cell(store, "grace", "CORA", "rLap", "clean", 0.8, rng, seeds=3)
    put(store, method_job("grace", "CORA", "rLap", "clean", 0), scores([0.1, 0.1, 0.1]), checksum="another")
    assert shown(table_of(store))["rLap", "CORA"].value == pytest.approx(100 * values.mean(), abs=1e-9)


def test_marks_share_places_as_printed():
    assert marks([1.0, 1.001, 0.5]) == ["best", "best", ""]
    assert marks([3.0, 2.0, 2.0, 1.0]) == ["best", "second", "second", ""]
    assert marks([2.0, 2.0]) == ["best", "best"]
    assert marks([None, None]) == ["", ""]


def test_a_paper_cell_without_a_number_shows_its_note(store):
    fill(store)
    ours = usual_cells(store.entries())["grace", "CORA", "rLap", "clean"]
    cell = AccuracyCell(ours, PaperAccuracy(None, None, "OOM"))
    assert cell.deviations is None
    assert [line.text for line in accuracy_cell(cell, TARGET.seeds).below] == ["paper OOM", "2 seeds"]


def test_a_dash_of_the_paper_is_no_number():
    cell = AccuracyCell(None, PaperAccuracy(None, None, "-"))
    assert accuracy_cell(cell, TARGET.seeds).below == []


def test_baselines_and_searches_are_on_the_page(store):
    values = [0.5, 0.6]
    put(store, baseline_job("Cora", "RawFeatures", "clean", 0), scores(values))
    put(store, baseline_job("MUTAG", "WL", "clean", 0), error="ImportError: no GraKeL")
    for layers, value in ((2, 0.7), (4, 0.8)):
        job = trial_job("grace", "CORA", "rLap", "clean", {"layers": layers})
        put(store, job, {"validation": scores([value])["scores"], "stopped": "patience"})
    put(store, as_run(trial_job("grace", "CORA", "rLap", "clean", {"layers": 4}), 0), scores([0.25, 0.35]))
    _, sections = report_sections(store.entries(), "store.sqlite", {})
    by_name = {section.name: section.blocks for section in sections}
    table = next(block for block in by_name["baselines-node"] if isinstance(block, Table))
    assert table.titles[0] == "baseline"
    raw = next(row for row in table.rows if row[0].text == "Raw Feat")[1]
    assert raw.text == f"55.00 ± {100 * np.std(values, ddof=1):.2f}"
    assert raw.below[0].text == "paper 47.90 ± 0.40"
    [folded] = [block for block in by_name["baselines-graph"] if isinstance(block, Folded) and "Clean" in block.title]
    for name in ("baselines-node", "baselines-graph"):
        assert "splits" in by_name[name][0].text  # why the paper's numbers of baselines are far from ours
    kernel = next(row for row in folded.blocks[0].rows if row[0].text == "WL")
    assert [cell.text for cell in kernel[1:3]] == ["failed (1)", NOT_RUN]
    [grid] = [block for block in by_name["grid"] if isinstance(block, Table)]
    [row] = grid.rows
    assert [cell.text for cell in row][1:5] == [
        "2 in full, 0 given up",
        "layers 4, hidden 256, lr 0.0001, gamma1 0.5, gamma2 0.4",
        "80.00",
        f"30.00 ± {100 * np.std([0.25, 0.35], ddof=1):.2f}",
    ]
    assert [row[6].text, row[7].text] == ["70.00", "— not run"]  # the paper's choice has two layers

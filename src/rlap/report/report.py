"""The report: all tables and figures of a store on one page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from rlap.experiments.overheads.suite import Overhead
from rlap.experiments.results import changes, describable
from rlap.experiments.search.best import found_best
from rlap.experiments.store import Entry, Store
from rlap.experiments.targets import find_target, target_names
from rlap.report.accuracy import accuracy_table, failures, usual_cells
from rlap.report.accuracy_blocks import READING, accuracy_blocks, target_words
from rlap.report.grid import grid_blocks
from rlap.report.leak_blocks import leak_blocks, leak_results
from rlap.report.page import Block, Notes, Section, Text, to_html, to_markdown
from rlap.report.page.blocks import panels
from rlap.report.page.figures import alone
from rlap.report.page.markdown import FIGURES
from rlap.report.ppr_blocks import ppr_blocks, ppr_rows
from rlap.report.provenance import environment_blocks, failure_lines, provenance_blocks
from rlap.report.significance_blocks import READING as TESTS
from rlap.report.significance_blocks import significance_blocks
from rlap.report.spectral import spectral_runs
from rlap.report.spectral_blocks import spectral_blocks
from rlap.report.tradeoff import read_costs, stored_costs, tradeoff_blocks

TITLE = "rlap: the paper's experiments, made again"
_FIGURES = ("ranks", "tradeoff", "spectral", "ppr", "leak")  # how the names of figures begin
_GROUPS = {"main": "Augmentors", "ablation": "Variants of rLap"}


def write_report(store: Path, out: Path, overheads: Path | None = None) -> list[Path]:
    """Write report.html, report.md and the figures of the latter into a folder, and list the first two.

    Args:
        store: the file of results.
        out: the folder; an earlier report in it is replaced, with all its figures.
        overheads: the CSV file of `rlap bench augmentors`, if there is one.
    """
    opened = Store(store)
    try:
        entries = list(opened.entries())
    finally:
        opened.close()
    lead, sections = report_sections(entries, store.name, read_costs(overheads))
    figures = out / FIGURES
    figures.mkdir(parents=True, exist_ok=True)
    for kind in _FIGURES:
        for old in figures.glob(f"{kind}-*.svg"):
            old.unlink()
    drawn = {f"{panel.name}.svg": alone(panel) for section in sections for panel in panels(section.blocks)}
    for name, text in drawn.items():
        (figures / name).write_text(text, encoding="utf-8")
    written = {
        out / "report.html": to_html(TITLE, lead, sections),
        out / "report.md": to_markdown(TITLE, lead, sections),
    }
    for path, text in written.items():
        path.write_text(text, encoding="utf-8")
    return list(written)


def report_sections(
    entries: Iterable[Entry], store: str, costs: Mapping[tuple[str, str], Overhead]
) -> tuple[list[str], list[Section]]:
    """Give the first words and all sections of the page, from the runs of a store that the code still gives.

    `costs` are those that are not in the store.
    """
    every = list(entries)
    current, left_out = describable(entry for entry in every if entry.is_current)
    known, failed = usual_cells(current), failures(current)
    tables = [target for target in map(find_target, target_names()) if target.table is not None]
    sections = [Section("reading", "How to read the tables", [Text(READING)], "reading")]
    for target in tables:
        blocks = target_words(target)
        for protocol in target.protocols:
            blocks += accuracy_blocks(accuracy_table(target, protocol, known, failed), store)
        sections.append(Section(target.name, target.title, blocks, target.name))
    tests: list[Block] = [Text(TESTS)]
    groups = {name: [one for one in tables if (one.table or ("",))[0] == name] for name in _GROUPS}
    for group, targets in groups.items():
        for protocol in targets[0].protocols:
            tests += significance_blocks(_GROUPS[group], targets, protocol, known, f"ranks-{group}-{protocol}")
    errors = failure_lines(current)
    sections += [
        Section("significance", "Ranks and tests", tests),
        Section(
            "cost",
            "Accuracy against cost",
            tradeoff_blocks(groups["main"], known, {**costs, **stored_costs(current)}, store),
        ),
        Section("spectral", "Along the elimination", spectral_blocks(spectral_runs(current), store)),
        Section("ppr", "PPR after rLap", ppr_blocks(ppr_rows(current), store)),
        Section("leak", "Does the batch leak the label?", leak_blocks(leak_results(current), store)),
        Section("grid", "Hyper-parameters", grid_blocks(found_best(current), store)),
        Section("failed", "Failed runs", [Notes(errors) if errors else Text("None.")]),
        Section("how", "How the numbers were made", provenance_blocks(current, store)),
        Section("environment", "Where", environment_blocks(current)),
    ]
    return _lead(every, current, store) + [f"{line}." for line in left_out], sections


def _lead(every: Sequence[Entry], current: Sequence[Entry], store: str) -> list[str]:
    states = Counter(entry.state for entry in current)
    counted = ", ".join(f"{states[state]} {state}" for state in ("done", "running", "open", "failed") if states[state])
    finished = max((entry.finished for entry in current if entry.finished), default=None)
    day = "" if finished is None else f" The last was finished on {datetime.fromtimestamp(finished, UTC):%Y-%m-%d}."
    lines = [f"From the store `{store}`: {len(current)} runs ({counted or 'none'}).{day}"]
    trials = sum(bool(changes(entry.job)) for entry in current if entry.job.kind != "trial")
    if trials:
        lines.append(f"{trials} runs are trials with other settings than the targets'; they are in no table.")
    old = sum(not entry.is_current for entry in every)
    if old:
        lines.append(f"{old} runs of other results versions than the present are left out.")
    return lines

"""How the numbers were made: settings, runs, machines, and what is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rlap.experiments.results import SCORED, rows
from rlap.experiments.store import Entry
from rlap.report.page import Block, Cell, Code, Folded, Heading, Notes, Table, Text
from rlap.report.units import duration, three_digits

_MACHINE = ("processor", "processors", "threads", "system")
_VERSIONS = ("python", "rlap", "torch", "torch_geometric", "numpy", "scipy", "scikit_learn")
_NAMES = ("augmentor", "dataset", "protocol", "seed", "method")  # these say which run it is


def provenance_blocks(entries: Sequence[Entry], store: str) -> list[Block]:
    """Say for every number with which settings it was made, at what cost, by which commit."""
    done = [entry for entry in entries if entry.state == "done"]
    blocks: list[Block] = [
        Text(
            "Every number above is read from the store; nothing is typed in by hand but the paper's. A run is one "
            "training seed: train, embed, evaluate on all splits. It is kept under a digest of its configuration, "
            "the data set's content and the results' version, and never computed again. The commands below each table "
            "go on where the store stands; `--datasets`, `--augmentors` and `--seeds` choose parts. In a new store "
            "they make everything again."
        ),
        Code(
            [
                f"rlap reproduce all --store {store} --budget 6h",
                f"rlap results --store {store} --format csv --out runs.csv",
                f"rlap report --store {store} --out report",
            ]
        ),
    ]
    if not done:
        return blocks
    return [*blocks, *_settings(done), Folded(f"All {len(done)} finished runs, by cell", [_runs(done)])]


def environment_blocks(entries: Iterable[Entry]) -> list[Block]:
    """Sum up where runs were made."""
    made = [entry for entry in entries if entry.environment]
    if not made:
        return [Text("Nothing has been run yet.")]
    places = Counter(tuple(_plain(entry.environment, name) for name in (*_MACHINE, *_VERSIONS)) for entry in made)
    lines = []
    for values, count in places.most_common():
        machine, versions = values[: len(_MACHINE)], values[len(_MACHINE) :]
        processor, processors, threads, system = machine
        parts = [processor, f"processors: {processors}", f"threads a run: {threads}", system]
        parts += [f"{name} {value}" for name, value in zip(_VERSIONS, versions, strict=True) if value]
        lines.append(f"{count} runs: {', '.join(part for part in parts if part)}.")
    commits = Counter(entry.code or "unknown" for entry in made)
    lines.append("Commits: " + ", ".join(f"{name} ({count} runs)" for name, count in commits.most_common()) + ".")
    lines.append(f"Computing time: {sum(entry.seconds or 0.0 for entry in made) / 3600:.1f} hours in all.")
    return [Notes(lines)]


def failure_lines(entries: Iterable[Entry]) -> list[str]:
    """Name every failed run, with the last line of its error.

    Example:
        >>> failure_lines([])
        []
    """
    failed = [entry for entry in entries if entry.state == "failed"]
    return [f"{entry.job.title}: {_last_line(entry.error)}" for entry in failed]


def _settings(done: Sequence[Entry]) -> list[Block]:
    """Show what differs between designs and data sets as a table, and what all share as a list."""
    groups: dict[tuple[str, str, str], dict[str, set[str]]] = {}
    for entry in done:
        job = entry.job
        if job.kind not in SCORED:
            continue
        group = groups.setdefault(
            (job.method if job.kind == "method" else job.augmentor, job.dataset, job.protocol), {}
        )
        for key, value in _flat(job.settings).items():
            group.setdefault(key, set()).add(str(value))
    if not groups:
        return []
    keys = sorted({key for group in groups.values() for key in group} - set(_NAMES))
    texts = {name: {key: " or ".join(sorted(group.get(key, {"—"}))) for key in keys} for name, group in groups.items()}
    varying = [key for key in keys if len({text[key] for text in texts.values()}) > 1]
    shared = [f"{key} = {next(iter(texts.values()))[key]}" for key in keys if key not in varying]
    table = [
        [Cell(f"{method}, {dataset}, {protocol}"), *(_value(text[key]) for key in varying)]
        for (method, dataset, protocol), text in texts.items()
    ]
    return [
        Heading("Settings"),
        Text(f"The same in all: {', '.join(f'`{one}`' for one in shared)}."),
        *([Folded("What differs between designs and data sets", [Table(["", *varying], table)])] if varying else []),
    ]


def _runs(done: Sequence[Entry]) -> Table:
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in rows(done):
        name = (row["method"], row["dataset"], row["augmentor"], row["protocol"], row["changes"])
        groups.setdefault(name, []).append(row)
    titles = ["cell", "seeds", "splits", "epochs", "time a run", "peak MB", "commit", "data"]
    return Table(
        titles, [[Cell(", ".join(part for part in name if part)), *_run(found)] for name, found in groups.items()]
    )


def _run(found: Sequence[Mapping[str, Any]]) -> list[Cell]:
    seeds = ", ".join(str(row["seed"]) for row in sorted(found, key=lambda row: row["seed"]))
    seconds = float(np.mean([row["seconds"] for row in found]))
    peaks = [row["peak_memory"] for row in found if row["peak_memory"]]
    peak = max(peaks) / 1e6 if peaks else None
    return [
        Cell(seeds, value=len(found)),
        *(_some(found, key) for key in ("splits", "epochs")),
        Cell(duration(seconds), value=seconds),
        Cell(three_digits(peak) or "—", value=peak),
        Cell(", ".join(sorted({row["commit"] or "unknown" for row in found}))),
        Cell(", ".join(sorted({row["data_checksum"][:8] for row in found}))),
    ]


def _some(found: Sequence[Mapping[str, Any]], key: str) -> Cell:
    values = sorted({row[key] for row in found if row[key] is not None})
    if not values:
        return Cell("—")
    return Cell(str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}", value=values[0])


def _value(text: str) -> Cell:
    try:
        return Cell(text, value=float(text))
    except ValueError:
        return Cell(text)


def _flat(settings: Mapping[str, Any]) -> dict[str, Any]:
    inner = {key: value for name in ("method", "train") for key, value in settings.get(name, {}).items()}
    return {key: value for key, value in settings.items() if key not in ("method", "train")} | inner


def _plain(environment: Mapping[str, Any] | None, name: str) -> str:
    value = (environment or {}).get(name)
    return "" if value is None else str(value)


def _last_line(error: str | None) -> str:
    lines = (error or "").strip().splitlines()
    return lines[-1] if lines else "no word of why"

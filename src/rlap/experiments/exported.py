"""Runs out of an exported file: the reverse of `rlap.experiments.results.rows`."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rlap.experiments.job import Job
from rlap.experiments.store import Entry

_STATES = ("open", "running", "done", "failed")
_NEEDED = (
    *("key", "kind", "method", "dataset", "augmentor", "protocol", "seed", "state", "seconds", "commit"),
    *("results_version", "data_checksum", "settings", "result", "environment", "finished", "error"),
)


def read_entries(path: Path) -> list[Entry]:
    """Read a file that `rlap results` has written as csv, parquet or jsonl; its ending says which.

    Raises:
        ValueError: when it is none of these, or was written by something else.
    """
    readers: Mapping[str, Callable[[Path], list[dict[str, Any]]]] = {
        ".csv": _read_csv,
        ".parquet": _read_parquet,
        ".jsonl": _read_lines,
    }
    if path.suffix not in readers:
        raise ValueError(f"the file must end in {', '.join(readers)} (got {str(path)!r})")
    if not path.is_file():
        raise ValueError(f"what is imported must be a file (got {str(path)!r})")
    try:
        return [_entry(row, number) for number, row in enumerate(readers[path.suffix](path), 1)]
    except (ValueError, TypeError) as problem:
        raise ValueError(f"{path}: {problem}") from None


def _entry(row: Mapping[str, Any], number: int) -> Entry:
    missing = [name for name in _NEEDED if name not in row]
    if missing:
        raise ValueError(f"a row must have the columns of an export (row {number} has no {', '.join(missing)})")
    if row["state"] not in _STATES:
        raise ValueError(f"state must be one of {', '.join(_STATES)} (got {row['state']!r} in row {number})")
    done = row["state"] == "done"
    names = ("kind", "dataset", "method", "augmentor", "protocol")
    job = Job(**{name: row[name] or "" for name in names}, seed=int(row["seed"]), settings=json.loads(row["settings"]))
    return Entry(
        key=row["key"],
        job=job,
        state=row["state"],
        checksum=row["data_checksum"] or "",
        version=int(row["results_version"]),
        error=row["error"],
        result=json.loads(row["result"]) if done else None,
        environment=json.loads(row["environment"]) if done else None,
        code=(row["commit"] or "") if done else None,
        seconds=float(row["seconds"]) if done else None,
        finished=float(row["finished"]) if done else None,
    )


def _read_csv(path: Path) -> list[dict[str, Any]]:
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # a result is one field, and may be long
    with path.open(encoding="utf-8", newline="") as file:
        # An empty field is what is not there.
        return [{name: value or None for name, value in row.items()} for row in csv.DictReader(file)]


def _read_parquet(path: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    rows: Sequence[dict[str, Any]] = pq.read_table(path).to_pylist()
    return list(rows)


def _read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]

"""What `rlap results` shows and writes."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from rlap.experiments.pivot import pivot
from rlap.experiments.results import cells, rows
from rlap.experiments.store import Entry


def show(entries: Sequence[Entry]) -> None:
    """Print tables, and how many runs are in which state."""
    print_tables(entries, Console(highlight=False))


def print_tables(entries: Sequence[Entry], console: Console) -> None:
    """Print tables on a console."""
    for one in pivot(cells(entries)):
        table = Table(title=one.title, title_justify="left", box=None, pad_edge=False, header_style="bold")
        for column in ("", *one.columns):
            table.add_column(column, justify="right" if column else "left", no_wrap=True)
        for row in one.rows:
            table.add_row(*row)
        console.print(table)
        console.print()
    states = Counter(entry.state for entry in entries)
    console.print(f"{len(entries)} runs" + "".join(f", {count} {state}" for state, count in states.items()))


def print_errors(entries: Sequence[Entry]) -> None:
    """Print why runs failed."""
    for entry in entries:
        if entry.error is not None:
            typer.echo(f"{entry.job.title} ({entry.key}):\n{entry.error}")


def render(entries: Sequence[Entry], format: str) -> str:
    """Write results as text: table, csv, jsonl, latex or markdown."""
    if format == "csv":
        return _csv(entries)
    if format == "jsonl":
        return "".join(f"{json.dumps(row)}\n" for row in rows(entries))
    if format == "table":
        text = io.StringIO()
        print_tables(entries, Console(file=text, width=200))
        return text.getvalue()
    tables = pivot(cells(entries))
    return "\n".join(table.to_latex() if format == "latex" else table.to_markdown() for table in tables)


def write_parquet(entries: Sequence[Entry], path: Path) -> None:
    """Write a row for every run as Parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist(list(rows(entries))), path, compression="zstd")


def _csv(entries: Sequence[Entry]) -> str:
    text = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in rows(entries):
        if writer is None:
            writer = csv.DictWriter(text, list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)
    return text.getvalue()

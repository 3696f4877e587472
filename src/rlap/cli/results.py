"""`rlap results`: what a store has, as a table or a file."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rlap.cli import reproduce_options as option
from rlap.cli.refusal import refusal


class Format(StrEnum):
    """How results are written."""

    table = "table"
    csv = "csv"
    parquet = "parquet"
    jsonl = "jsonl"
    latex = "latex"
    markdown = "markdown"


_FORMAT = "table, markdown and latex have a cell for all seeds; csv, parquet and jsonl a row for every run."
_OUT = "Write to this file; it is replaced. Without, to the standard output."
OneFormat = Annotated[Format, typer.Option("--format", "-f", help=_FORMAT, show_default=False)]
Out = Annotated[Path | None, typer.Option("--out", "-o", help=_OUT, metavar="FILE")]
Files = Annotated[
    list[Path],
    typer.Argument(
        help="Files of `rlap results --format csv`, parquet or jsonl.", metavar="FILE...", show_default=False
    ),
]
Errors = Annotated[bool, typer.Option("--errors", help="Print the errors of failed runs instead.")]


def build_results() -> typer.Typer:
    """Assemble `rlap results` and `rlap results import`."""
    app = typer.Typer(invoke_without_command=True)
    app.callback()(results)
    app.command("import")(import_results)
    return app


def import_results(
    files: Files,
    store: option.StoreFile = option.DEFAULT_STORE,
) -> None:
    """Take runs out of exported files (csv, parquet, jsonl) into a store, so that they are not computed again.

    Example: `rlap results import results/runs.csv --store rlap-results.sqlite`
    """
    with refusal():
        from rlap.experiments.exported import read_entries
        from rlap.experiments.store import Store

        found = {file: read_entries(file) for file in files}
        kept = Store(store)
        for file, entries in found.items():
            came = kept.take_over(entries)
            typer.echo(f"{file}: {came} of {len(entries)} runs are new in {store}")


def results(
    context: typer.Context,
    methods: option.Methods = None,
    datasets: option.Datasets = None,
    augmentors: option.Augmentors = None,
    protocol: option.Protocol = option.Protocols.both,
    store: option.StoreFile = option.DEFAULT_STORE,
    format: OneFormat = Format.table,
    out: Out = None,
    errors: Errors = False,
) -> None:
    """Print and export results.

    Example: `rlap results --methods grace --datasets Cora --format markdown --out grace.md`
    """
    if context.invoked_subcommand is not None:
        return
    with refusal():
        if not store.is_file():
            raise ValueError(f"the store must be a file (got {str(store)!r})")
        if format is Format.parquet and out is None:
            raise ValueError("parquet needs --out FILE")
        from rlap.cli.results_report import print_errors, render, show, write_parquet
        from rlap.experiments.results import Filter, describable
        from rlap.experiments.store import Store

        wanted = Filter(option.split(methods), option.split(datasets), option.split(augmentors), protocol.value)
        entries = [entry for entry in Store(store).entries() if wanted.takes(entry)]
        if errors:
            print_errors(entries)
            return
        if format not in (Format.csv, Format.parquet, Format.jsonl):
            entries, left_out = describable(entries)
            for line in left_out:
                typer.echo(line, err=True)
        if format is Format.parquet and out is not None:
            write_parquet(entries, out)
        elif format is Format.table and out is None:
            show(entries)
        else:
            text = render(entries, format.value)
            if out is None:
                typer.echo(text, nl=False)
            else:
                out.write_text(text, encoding="utf-8")

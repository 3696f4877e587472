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
    latex = "latex"
    markdown = "markdown"


_FORMAT = "table, markdown and latex have a cell for all seeds; csv and parquet a row for every run."
_OUT = "Write to this file; it is replaced. Without, to the standard output."
OneFormat = Annotated[Format, typer.Option("--format", "-f", help=_FORMAT, show_default=False)]
Out = Annotated[Path | None, typer.Option("--out", "-o", help=_OUT, metavar="FILE")]
Errors = Annotated[bool, typer.Option("--errors", help="Print the errors of failed runs instead.")]


def results(
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
    with refusal():
        if not store.is_file():
            raise ValueError(f"the store must be a file (got {str(store)!r})")
        if format is Format.parquet and out is None:
            raise ValueError("parquet needs --out FILE")
        from rlap.cli.results_report import print_errors, render, show, write_parquet
        from rlap.experiments.results import Filter
        from rlap.experiments.store import Store

        wanted = Filter(option.split(methods), option.split(datasets), option.split(augmentors), protocol.value)
        entries = [entry for entry in Store(store).entries() if wanted.takes(entry)]
        if errors:
            print_errors(entries)
        elif format is Format.parquet and out is not None:
            write_parquet(entries, out)
        elif format is Format.table and out is None:
            show(entries)
        else:
            text = render(entries, format.value)
            if out is None:
                typer.echo(text, nl=False)
            else:
                out.write_text(text, encoding="utf-8")

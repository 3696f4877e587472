"""`rlap report`: the tables and figures of a store as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rlap.cli import reproduce_options as option
from rlap.cli.refusal import refusal

_OUT = "The folder for report.html, report.md and figures."
_OVERHEADS = "What augmentors cost, from rlap bench augmentors; augmentors.csv beside the store unless said."
Out = Annotated[Path, typer.Option("--out", "-o", help=_OUT, metavar="DIR")]
Overheads = Annotated[Path | None, typer.Option("--overheads", help=_OVERHEADS, metavar="FILE", show_default=False)]


def report(
    store: option.StoreFile = option.DEFAULT_STORE, out: Out = Path("report"), overheads: Overheads = None
) -> None:
    """Write results beside the paper's: one HTML page that needs nothing else, and Markdown.

    Example: `rlap report --store rlap-results.sqlite --out report`
    """
    with refusal():
        if not store.is_file():
            raise ValueError(f"the store must be a file (got {str(store)!r})")
        if overheads is not None and not overheads.is_file():
            raise ValueError(f"the overheads must be a file (got {str(overheads)!r})")
        from rlap.report.report import write_report

        beside = store.with_name("augmentors.csv")
        for path in write_report(store, out, overheads or (beside if beside.is_file() else None)):
            typer.echo(path)

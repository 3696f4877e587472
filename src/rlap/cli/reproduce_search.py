"""What `rlap reproduce` shows of searches."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from rlap.experiments.search import Search
from rlap.experiments.search.best import Choice, Found, found_best
from rlap.experiments.search.history import history
from rlap.experiments.store import Entry, Store


def list_searches(searches: Sequence[Search], path: Path) -> None:
    """Print how far searches are; nothing is written."""
    entries: list[Entry] = list(Store(path).entries()) if path.exists() else []
    for search in searches:
        tried = len(history(search, entries))
        typer.echo(f"search   {search.title}: {tried} of {search.limit} configurations tried")


def say_found(searches: Sequence[Search], store: Store) -> None:
    """Print the best configuration of every search beside the paper's."""
    wanted = {(one.method, one.dataset, one.augmentor, one.protocol) for one in searches}
    found = [
        one for one in found_best(store.entries()) if (one.method, one.dataset, one.augmentor, one.protocol) in wanted
    ]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("search", "tried", "choice", "hyper-parameters", "validation", "test (seeds)"):
        table.add_column(title, no_wrap=True)
    for one in found:
        title = ", ".join(part for part in (one.method, one.augmentor, one.dataset, one.protocol, one.fixed) if part)
        table.add_row(title, tried_text(one), "ours", *_cells(one.best))
        if one.paper is not None:
            table.add_row("", "", "paper's", *_cells(one.paper))
    if found:
        Console(highlight=False).print(table)


def tried_text(found: Found) -> str:
    """Say how many configurations were tried."""
    failed = f", {found.failed} failed" if found.failed else ""
    return f"{found.full} in full, {found.given_up} given up{failed}"


def _cells(choice: Choice) -> tuple[str, str, str]:
    validation = "not run" if choice.validation is None else f"{100 * choice.validation:.2f}"
    test = "not run" if choice.test is None else f"{choice.test.text} ({choice.test.accuracy.seeds})"
    return choice.text, validation, test

"""What the benchmarks show: a bar while they measure, and tables at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table


def prepare_folder(out: Path | None) -> Path | None:
    """Make the folder for results, and see that pictures can be drawn: better now than after an hour."""
    if out is not None:
        import matplotlib  # noqa: F401

        out.mkdir(parents=True, exist_ok=True)
    return out


def show_table(title: str, titles: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table whose first column is words and the others numbers."""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="bold")
    for number, one in enumerate(titles):
        table.add_column(one, justify="right" if number else "left", no_wrap=True)
    for row in rows:
        table.add_row(*map(escape, row))
    console = Console(highlight=False)
    console.print(table)
    console.print()


def show_notes(lines: Iterable[str]) -> None:
    """Print explanations."""
    console = Console(highlight=False)
    for line in lines:
        console.print(line, style="dim", markup=False)


@contextmanager
def measuring_bar(total: int, quiet: bool) -> Iterator[tuple[Callable[[str], None], Callable[[], None]]]:
    """Show what is measured, how much is done and the time since the start, on a terminal only.

    Gives a function that says what comes now, and one that says that it is done.
    """
    console = Console(stderr=True)
    columns = BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}")
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as bars:
        bar = bars.add_task("", total=total)
        yield lambda words: bars.update(bar, description=words), lambda: bars.advance(bar)

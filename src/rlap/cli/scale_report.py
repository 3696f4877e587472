"""What `rlap scale view` shows: a bar while it works, and what it took at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

if TYPE_CHECKING:
    from rlap.scale import Summary
    from rlap.scale.tasks import Watch


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Watch]:
    """Show the tasks of the stage at hand, on a terminal only."""
    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as bars:
        task = bars.add_task("starting Ray", total=None)

        def watch(stage: str, done: int, total: int) -> None:
            bars.update(task, description=stage, completed=done, total=total)

        yield watch


def show(summary: Summary, out: Path) -> None:
    """Print the levels and the totals."""
    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    first = "round" if summary.method == "walks" else "level"
    titles = (first, "parts", "edges", "largest", "gone", "boundary", "moved", "memory")
    for title in titles:
        table.add_column(title, justify="right", no_wrap=True)
    for number, level in enumerate(summary.levels, start=1):
        table.add_row(
            str(number),
            str(level.parts),
            f"{level.edges:,}",
            f"{level.largest_part:,}",
            f"{level.eliminated:,}",
            f"{level.boundary:.1%}",
            size(level.bytes_moved),
            size(level.peak_memory),
        )
    console.print(table)
    console.print(f"{summary.kept:,} of {summary.num_nodes:,} nodes and {summary.edges:,} edges are in {out}")
    spent = ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in summary.seconds.items())
    memory = f"at most {size(summary.peak_memory)} in a worker, {size(summary.bytes_moved)} moved"
    console.print(f"seed {summary.seed}, {spent}, {memory}", style="dim", soft_wrap=True)


def size(count: int) -> str:
    """Write a number of bytes.

    Example:
        >>> size(1536), size(3 << 30)
        ('1.5 KiB', '3.0 GiB')
    """
    value, unit = float(count), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if value < 1024:
            break
        value, unit = value / 1024, larger
    return f"{value:.0f} B" if unit == "B" else f"{value:.1f} {unit}"

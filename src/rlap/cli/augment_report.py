"""What `rlap augment` shows: bars while it works on a large file, and a table at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from rlap.adapters.files import EdgeFile

LARGE = 8 << 20  # files of fewer bytes are done before a bar can be read


@dataclass
class Report:
    """Collects the rows of the table and the time of every stage."""

    rows: list[tuple[str, ...]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=lambda: {"reading": 0.0, "making": 0.0, "writing": 0.0})

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the time of the block to a stage."""
        begin = perf_counter()
        yield
        self.seconds[stage] += perf_counter() - begin

    def add(self, title: str, graph: EdgeFile, kept: int, path: Path) -> None:
        """Add a row for a graph and its file."""
        weight = f"{graph.total_weight:,.6g}" if graph.total_weight < 1e6 else f"{graph.total_weight:,.0f}"
        self.rows.append((title, f"{graph.num_nodes:,}", f"{kept:,}", f"{graph.num_edges:,}", weight, str(path)))

    def show(self, seed: int, self_loops: int) -> None:
        """Print the table."""
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("")
        for title in ("nodes", "kept", "edges", "total weight"):
            table.add_column(title, justify="right", no_wrap=True)
        table.add_column("file", overflow="fold")
        for row in self.rows:
            table.add_row(*row)
        console = Console(highlight=False)
        console.print(table)
        spent = ", ".join(f"{stage} {seconds:.2f} s" for stage, seconds in self.seconds.items())
        loops = f", {self_loops:,} self-loops dropped" if self_loops else ""
        console.print(f"seed {seed}, {spent}{loops}", style="dim")


@contextmanager
def progress_bars(path: Path, views: int, quiet: bool) -> Iterator[tuple[Callable[[int], None], Callable[[], None]]]:
    """Show a bar of bytes read and one of views written, on a terminal and for a large file only."""
    console = Console(stderr=True)
    size = path.stat().st_size if path.is_file() else 0
    hidden = quiet or size < LARGE or not console.is_terminal
    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True, disable=hidden) as bars:
        reading = bars.add_task("reading", total=size)
        making = bars.add_task("making views", total=views, start=False)

        def read(count: int) -> None:
            bars.update(reading, completed=count)
            if count >= size:
                bars.start_task(making)

        yield read, lambda: bars.advance(making)

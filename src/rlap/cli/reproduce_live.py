"""What `rlap reproduce` shows."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from rlap.datasets import Folder
from rlap.experiments.duration import format_duration
from rlap.experiments.job import Job, job_key
from rlap.experiments.runner import Progress
from rlap.experiments.runner.prepare import checksum, features_of, in_order
from rlap.experiments.store import Store

STATES = ("done", "running", "open", "failed", "elsewhere")
_TITLES = {"open": "left"}


REDRAWN, TOLD = 0.2, 60.0  # seconds between two tables on a terminal, and between two reports elsewhere


class Board:
    """A live table on a terminal; elsewhere a line for every run that ends, and now and then where the others are."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._shown = time.monotonic()

    def __enter__(self) -> Board:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def refresh(self, progress: Progress) -> None:
        """Show where the runs stand, if it is time."""
        terminal = self._console.is_terminal
        if time.monotonic() - self._shown < (REDRAWN if terminal else TOLD):
            return
        self._shown = time.monotonic()
        if terminal:
            self._live.update(draw(progress), refresh=True)
        else:
            for line in (*describe_running(progress), _rest(progress)):
                self.say(line)

    def say(self, text: str) -> None:
        """Print a line above the table."""
        self._console.print(text, markup=False, soft_wrap=True)


def draw(progress: Progress) -> Group:
    """Draw the numbers of runs by method and protocol, those that run, and the time left."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("", "protocol", *(_TITLES.get(state, state) for state in STATES)):
        table.add_column(title, justify="left" if title in ("", "protocol") else "right", no_wrap=True)
    for (method, protocol), count in progress.groups():
        table.add_row(method, protocol, *(str(count[state] or "") for state in STATES))
    lines = [Text(line, style="dim", no_wrap=True, overflow="ellipsis") for line in describe_running(progress)]
    return Group(table, *lines, Text(_rest(progress), style="bold"))


def describe_running(progress: Progress) -> list[str]:
    """Say of every run that is being computed how far it is."""
    return [f"{progress.jobs[key].title}: {run.words or 'begins'}" for key, run in progress.running.items()]


def _rest(progress: Progress) -> str:
    if progress.stopping:
        return f"stopping: {progress.stopping}"
    seconds = progress.seconds_left()
    return "time left: not known yet" if seconds is None else f"time left: about {format_duration(seconds)}"


def say_outcome(progress: Progress, store: Path) -> None:
    """Print in one line where the runs stand."""
    count = progress.count()
    parts = [f"{count[state]} {_TITLES.get(state, state)}" for state in STATES if count[state]]
    why = f" ({progress.stopping})" if progress.stopping and not progress.problem else ""
    typer.echo(f"{', '.join(parts)}{why}; results are in {store}")


def say_left_out(left_out: Mapping[str, str]) -> None:
    """Print which data sets were not there, and why."""
    for name, why in left_out.items():
        typer.echo(f"left out {name}: {why}", err=True)


def list_runs(jobs: Sequence[Job], path: Path, folder: Folder) -> None:
    """Print all runs in their order, with their states in the store; nothing is written."""
    states = Store(path).states() if path.exists() else {}
    checksums: dict[tuple[str, str], str | None] = {}
    for job in in_order(jobs):
        place = (job.dataset, features_of(job))
        if place not in checksums:
            try:
                checksums[place] = checksum(*place, folder)
            except FileNotFoundError:
                checksums[place] = None
        digest = checksums[place]
        state = "no data" if digest is None else states.get(job_key(job, digest), "new")
        typer.echo(f"{state:8} {job.title}")
    typer.echo(f"{len(jobs)} runs")

"""What is shown while a method is trained."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Epoch:
    """An epoch that has just ended; `number` counts from 1, `accuracy` is the last one that was asked for."""

    number: int
    epochs: int
    loss: float
    best_loss: float
    patience_left: int
    accuracy: float | None


Watcher: TypeAlias = Callable[[Epoch], None]


class StopTraining(Exception):
    """Raised by a watcher to leave a run as it is; its checkpoint is written first."""


@contextmanager
def progress_bar(epochs: int, title: str = "training") -> Iterator[Watcher]:
    """Show a bar with the loss, the accuracy and the time left, on a terminal; elsewhere nothing.

    The time is what all epochs would take. Training may stop before, so the patience that is left is shown too.

    Example:
        >>> with progress_bar(10) as watch:
        ...     watch(Epoch(1, 10, loss=2.5, best_loss=2.5, patience_left=50, accuracy=None))
    """
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    except ModuleNotFoundError:
        raise ValueError('a progress bar needs rich: pip install "rlap[cli]", or ask for none') from None

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[words]}"),
        TextColumn("at most"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=epochs, words="")
        yield lambda epoch: bar.update(task, completed=epoch.number, words=describe(epoch))


def describe(epoch: Epoch) -> str:
    """Say the numbers of an epoch in one line.

    Example:
        >>> describe(Epoch(7, 10, loss=2.5, best_loss=2.25, patience_left=3, accuracy=0.5))
        'loss 2.5000 (best 2.2500), patience 3, accuracy 50.0 %'
    """
    best = f" (best {epoch.best_loss:.4f})" if math.isfinite(epoch.best_loss) else ""
    accuracy = "" if epoch.accuracy is None else f", accuracy {100 * epoch.accuracy:.1f} %"
    return f"loss {epoch.loss:.4f}{best}, patience {epoch.patience_left}{accuracy}"

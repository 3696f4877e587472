"""Supervised training, split after split: the epoch is chosen on validation, and test labels are read at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from rlap.baselines.task import Outcome, Task, score_tests
from rlap.datasets import Split
from rlap.evaluation import Scores
from rlap.schur import derive_seed
from rlap.training.checkpoint import from_checkpoint, load_latest, save_state

_STREAM = 103


class Problem(Protocol):
    """Nodes or graphs to be told apart."""

    def build(self) -> nn.Module:
        """Make a network, with weights from torch's generator."""

    def learn(self, model: Any, optimizer: Any, rows: Tensor) -> None:
        """Go through the training part once."""

    def outputs(self, model: Any, rows: Tensor) -> Tensor:
        """Give the outputs for some rows; what is random is drawn from torch's generator."""


@dataclass(frozen=True)
class Fit:
    """The optimiser's numbers. Training ends when validation has not been better for `patience` epochs."""

    lr: float
    weight_decay: float
    epochs: int
    patience: int

    def __post_init__(self) -> None:
        for name in ("epochs", "patience"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1 (got {getattr(self, name)})")


def fit_splits(task: Task, problem: Problem, fit: Fit) -> Outcome:
    """Train a network for every split; those that the task's checkpoint has are done."""
    classes, parts = task.classes(), task.parts()
    kept = _read(task.checkpoint)
    for number in range(len(kept), len(parts)):

        def watch(epoch: int, number: int = number) -> None:
            share = (number + epoch / fit.epochs) / len(parts)
            task.watch(share, f"split {number + 1} of {len(parts)}, epoch {epoch}")

        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(derive_seed(task.seed, view=number, graph=_STREAM))
            predicted, epochs = fit_one(problem, classes, parts[number], fit, watch)
        [scores] = score_tests([predicted], classes, [parts[number]])
        kept.append([*scores, epochs])
        if task.checkpoint is not None:
            task.checkpoint.parent.mkdir(parents=True, exist_ok=True)
            save_state(task.checkpoint, {"splits": kept})
    table = np.array(kept, dtype=np.float64)
    return Outcome(Scores(*table[:, :3].T), {"epochs": round(float(table[:, 3].mean()))})


def fit_one(
    problem: Problem, classes: NDArray[np.int64], split: Split, fit: Fit, watch: Callable[[int], None]
) -> tuple[NDArray[np.int64], int]:
    """Train on one split. Give the predictions for its test part in the best epoch, and how many epochs there were.

    The best epoch has the highest accuracy on validation, and of equal ones the lowest loss there.
    """
    target = torch.from_numpy(classes)
    model = problem.build()
    optimizer = torch.optim.Adam(model.parameters(), lr=fit.lr, weight_decay=fit.weight_decay)
    best, best_epoch, epoch = (-1.0, -float("inf")), 0, 0
    predicted = np.zeros(len(split.test), dtype=np.int64)
    for epoch in range(1, fit.epochs + 1):
        model.train()
        problem.learn(model, optimizer, split.train)
        model.eval()
        with torch.no_grad():
            outputs = problem.outputs(model, split.val)
            accuracy = float((outputs.argmax(dim=1) == target[split.val]).double().mean())
            now = (accuracy, -float(cross_entropy(outputs, target[split.val])))
            if now > best:
                best, best_epoch = now, epoch
                predicted = problem.outputs(model, split.test).argmax(dim=1).numpy()
        watch(epoch)
        if epoch - best_epoch >= fit.patience:
            break
    return predicted, epoch


def _read(path: Path | None) -> list[list[float]]:
    if path is None:
        return []
    state = from_checkpoint(path, partial(load_latest, path))
    return [] if state is None else list(state["splits"])

"""Baselines that are contrastive designs themselves, with the graph for both views."""

from __future__ import annotations

from collections.abc import Callable

import torch

from rlap.baselines.probe import probe
from rlap.baselines.task import Outcome, Task
from rlap.methods import Blueprint
from rlap.schur import derive_seed
from rlap.training import Epoch, StopTraining, TrainConfig, embed, train
from rlap.training.checkpoint import from_checkpoint
from rlap.training.progress import describe

_STREAM = 102


def train_and_probe(task: Task, build: Callable[[], Blueprint], config: TrainConfig) -> Outcome:
    """Build a design, train it, go on from the task's checkpoint where there is one, and evaluate its embedding.

    Training is that of the protocol "clean" in either: there is no script of the paper to follow.
    """

    def watch(epoch: Epoch) -> None:
        try:
            task.watch(0.9 * epoch.number / epoch.epochs, f"epoch {epoch.number}: {describe(epoch)}")
        except Exception as reason:
            raise StopTraining from reason  # training writes its checkpoint for this one alone

    def attempt() -> Outcome:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(derive_seed(task.seed, graph=_STREAM))
            method = build()
        training = train(method, task.dataset, config, checkpoint=task.checkpoint, resume=True, progress=watch)
        return probe(
            task,
            embed(method, task.dataset, config),
            epochs=training.epochs,
            best_epoch=training.best_epoch,
            stopped=training.stopped,
            last_loss=training.losses[-1],
        )

    try:
        return from_checkpoint(task.checkpoint, attempt)
    except StopTraining as stop:
        if stop.__cause__ is None:
            raise
        raise stop.__cause__ from None

"""One run: train, embed, evaluate."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor

from rlap import datasets, methods
from rlap.datasets import Folder
from rlap.evaluation import Scores, evaluate, evaluate_each
from rlap.experiments.config import RunConfig
from rlap.methods import Blueprint, MethodConfig
from rlap.training import TrainResult, embed, embed_draw, train
from rlap.training.progress import Watcher


@dataclass(frozen=True)
class RunResult:
    """What came out of a run."""

    config: RunConfig
    method: Blueprint
    training: TrainResult
    embedding: Tensor
    scores: Scores


def run(
    config: RunConfig,
    *,
    folder: Folder = None,
    download: bool = False,
    checkpoint: Path | None = None,
    resume: bool = False,
    progress: bool | Watcher = False,
    accuracy_every: int | None = None,
    part: Literal["test", "val"] = "test",
) -> RunResult:
    """Train a method on a data set, embed the set with it, and evaluate the embedding.

    Of several processes, the first calls this, and the others `follow`.

    Args:
        config: what to do; see `make_config`.
        folder: where the raw files of data sets are; see `rlap.datasets.load`.
        download: fetch them where they are missing.
        checkpoint: keep the state of training in this file.
        resume: go on from it where it exists.
        progress: show a bar, or call this with every epoch.
        accuracy_every: evaluate on the way, every so many epochs, for the bar and `training.accuracies`.
        part: what is scored, "test" or "val"; see `rlap.evaluation.evaluate`.

    Example:
        >>> from rlap.experiments import make_config, run
        >>> result = run(make_config("grace", "digits", words=["hidden=16", "epochs=2"], splits=2))
        >>> result.embedding.shape
        torch.Size([1797, 16])
    """
    dataset, method = _prepare(config, folder, download)

    def accuracy(trained: Any) -> float:
        return float(_score(trained, embed(trained, dataset, config.train), dataset, config, part).accuracy.mean())

    training = train(
        method,
        dataset,
        config.train,
        checkpoint=checkpoint,
        resume=resume,
        progress=progress,
        evaluate=None if accuracy_every is None else accuracy,
        evaluate_every=accuracy_every or 1,
    )
    embedding = embed(method, dataset, config.train)
    return RunResult(config, method, training, embedding, _score(method, embedding, dataset, config, part))


def follow(config: RunConfig, *, folder: Folder = None, checkpoint: Path | None = None, resume: bool = False) -> None:
    """Train with the process that calls `run` with the same arguments; it alone embeds, evaluates and writes."""
    dataset, method = _prepare(config, folder, download=False)
    train(method, dataset, config.train, checkpoint=checkpoint, resume=resume)


def _score(
    method: Blueprint, embedding: Tensor, dataset: Any, config: RunConfig, part: Literal["test", "val"]
) -> Scores:
    """Score an embedding on all splits, or where views are embedded a new one on each, as the paper's scripts do."""
    train = config.train
    if method.embedding == "clean":
        return evaluate(
            embedding, dataset.labels, dataset.level, config.protocol, config.splits, seed=train.seed, part=part
        )
    drawn = [embedding, *(embed_draw(method, dataset, train, split) for split in range(1, config.splits))]
    return evaluate_each(drawn, dataset.labels, dataset.level, config.protocol, seed=train.seed, part=part)


def _prepare(config: RunConfig, folder: Folder, download: bool) -> tuple[Any, Blueprint]:
    dataset = datasets.load(config.dataset, folder, features=config.features, sparse_features=True, download=download)
    return dataset, build(config.method, dataset.num_features, config.train.seed)


def build(config: MethodConfig, num_features: int, seed: int) -> Blueprint:
    """Build a method with weights that follow from a seed; torch's generator is left as it was.

    Example:
        >>> from rlap.methods import MethodConfig
        >>> build(MethodConfig("grace"), 64, seed=0).level
        'node'
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return methods.build(config, num_features)

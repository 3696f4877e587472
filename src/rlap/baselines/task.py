"""What a baseline is given, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rlap.datasets import GraphSet, NodeSet, Split, graph_splits, node_splits
from rlap.evaluation import Scores
from rlap.evaluation.scores import score

Watch: TypeAlias = Callable[[float, str], None]


def unwatched(fraction: float, words: str) -> None:
    """Do nothing."""


@dataclass(frozen=True)
class Task:
    """A data set, and how a baseline is tried on it.

    Args:
        dataset: what `rlap.datasets.load` gives.
        protocol: "clean" or "paper": the splits, and the probe of an embedding.
        splits: how many.
        seed: of everything random.
        watch: is called now and then with a fraction in [0, 1] and a few words; it may raise, to stop.
        checkpoint: a file to go on from, if it is there; None keeps nothing.
    """

    dataset: NodeSet | GraphSet
    protocol: Literal["clean", "paper"] = "clean"
    splits: int = 10
    seed: int = 0
    watch: Watch = unwatched
    checkpoint: Path | None = None

    def parts(self) -> list[Split]:
        """Give the splits: the same as `rlap.evaluation.evaluate` takes for an embedding."""
        cut = node_splits if self.dataset.level == "node" else graph_splits
        return cut(self.classes(), self.protocol, self.splits, self.seed)

    def classes(self) -> NDArray[np.int64]:
        """Number the labels from 0."""
        found = np.unique(self.dataset.labels.numpy(), return_inverse=True)[1]
        return found.reshape(-1).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Outcome:
    """The scores on the test parts, and remarks in values that JSON knows."""

    scores: Scores
    notes: dict[str, Any] = field(default_factory=dict)


def score_tests(
    predicted: Sequence[NDArray[np.int64]], classes: NDArray[np.int64], parts: Sequence[Split]
) -> list[tuple[float, float, float]]:
    """Score what was predicted for the test part of every split."""
    return [score(found, classes[part.test.numpy()]) for found, part in zip(predicted, parts, strict=False)]

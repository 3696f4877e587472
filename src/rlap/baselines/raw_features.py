"""The features of the nodes, as they are."""

from __future__ import annotations

from rlap.baselines.probe import dense, probe
from rlap.baselines.task import Outcome, Task


def raw_features(task: Task) -> Outcome:
    """Evaluate the features without any graph."""
    return probe(task, dense(task.dataset.data.x))  # type: ignore[union-attr]

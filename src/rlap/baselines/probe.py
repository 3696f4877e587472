"""From an embedding to an outcome, by the probe that contrastive designs have too."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from rlap.baselines.task import Outcome, Task
from rlap.evaluation import evaluate


def probe(task: Task, embedding: Tensor, **notes: Any) -> Outcome:
    """Evaluate an embedding of all nodes or graphs of a task's set."""
    task.watch(0.9, "evaluation")
    scores = evaluate(
        embedding, task.dataset.labels, task.dataset.level, protocol=task.protocol, splits=task.splits, seed=task.seed
    )
    return Outcome(scores, {"width": int(embedding.shape[1]), **notes})


def dense(x: Tensor) -> Tensor:
    """Give features as a dense matrix, whatever form they are in.

    Example:
        >>> import torch
        >>> dense(torch.eye(2).to_sparse_csr()).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """
    return x if not (x.is_sparse or x.is_sparse_csr) else x.to_dense()

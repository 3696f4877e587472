"""What the batch of a graph says about its class, when nothing is known of the graph."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import one_hot


def one_hot_batches(count: int, size: int) -> Tensor:
    """Embed graphs by the number of their batch, and by nothing else.

    Example:
        >>> one_hot_batches(3, 2).tolist()
        [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    """
    return one_hot(torch.arange(count) // size).to(torch.float32)


def count_batches(labels: Tensor, size: int) -> list[list[int]]:
    """Count the graphs of every class in every batch.

    Example:
        >>> count_batches(torch.tensor([0, 0, 1]), 2)
        [[2, 0], [0, 1]]
    """
    classes = one_hot(labels)
    return [part.sum(dim=0).tolist() for part in classes.split(size)]


def batch_ceiling(batches: Sequence[Sequence[int]]) -> float:
    """Give the accuracy of whoever knows the commonest class of every batch, and nothing of the graphs.

    Example:
        >>> batch_ceiling([[128, 0], [20, 52]])
        0.9
    """
    counts = np.array(batches)
    return float(counts.max(axis=1).sum() / counts.sum())


def majority(batches: Sequence[Sequence[int]]) -> float:
    """Give the share of the commonest class.

    Example:
        >>> majority([[128, 0], [20, 52]])
        0.74
    """
    counts = np.array(batches).sum(axis=0)
    return float(counts.max() / counts.sum())


def mask_ceiling(
    batches: Sequence[Sequence[int]], columns: int, p: float = 0.3, *, draws: int = 2000, seed: int = 0
) -> tuple[float, float]:
    """Give the accuracy of whoever sees which columns are masked in the two views of a batch, and nothing else.

    Batches with equal masks cannot be told apart: together they have one commonest class. Masks are drawn at random, so
    this is the mean over many draws, and the standard deviation between them.

    Example:
        >>> mean, std = mask_ceiling([[128, 0], [0, 128]], columns=40)
        >>> mean, std
        (1.0, 0.0)
    """
    counts, random, found = np.array(batches), np.random.default_rng(seed), np.empty(draws)
    for draw in range(draws):
        masks = random.random((len(counts), 2 * columns)) < p
        _, group = np.unique(masks, axis=0, return_inverse=True)
        together = np.zeros((len(counts), counts.shape[1]))
        np.add.at(together, group.reshape(-1), counts)
        found[draw] = together.max(axis=1).sum() / counts.sum()
    return float(found.mean()), float(found.std())

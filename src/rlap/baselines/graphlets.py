"""The graphlet kernel (Shervashidze et al. 2009)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap.baselines.kernel import classify
from rlap.baselines.task import Outcome, Task


def graphlets(task: Task, *, size: int = 4, samples: int = 1000) -> Outcome:
    """Compare graphs by their small sub-graphs, whatever the features."""
    task.watch(0.0, "kernel")
    return classify(task, graphlet_kernel(task.dataset.graphs, size, samples, task.seed))  # type: ignore[union-attr]


def graphlet_kernel(graphs: Sequence[Any], size: int, samples: int, seed: int = 0) -> NDArray[np.float64]:
    """Draw so many sub-graphs of a size from each graph, and give the cosines between the shares of their kinds.

    GraKeL has this kernel too, but needs a millisecond for every sub-graph. A graph that is smaller than the size has
    0 with all.

    Example:
        >>> from rlap import datasets
        >>> graphlet_kernel(datasets.load("families").graphs[:2], 3, 20).diagonal().round(12).tolist()
        [1.0, 1.0]
    """
    if size not in (3, 4):
        raise ValueError(f"size must be 3 or 4 (got {size})")
    if samples < 1:
        raise ValueError(f"samples must be at least 1 (got {samples})")
    rows = [_count(graph, size, samples, np.random.default_rng([seed, at])) for at, graph in enumerate(graphs)]
    table = np.stack(rows).astype(np.float64)
    length = np.linalg.norm(table, axis=1, keepdims=True)
    table /= np.where(length > 0, length, 1.0)
    product: NDArray[np.float64] = table @ table.T
    return product


def _count(graph: Any, size: int, samples: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Count the kinds among sub-graphs on random nodes. Up to 4 nodes, the degrees in it say which graph one is."""
    number = graph.num_nodes
    kinds = size**size
    if number < size:
        return np.zeros(kinds, dtype=np.int64)
    matrix = np.zeros((number, number), dtype=np.int64)
    matrix[graph.edge_index[0].numpy(), graph.edge_index[1].numpy()] = 1
    np.fill_diagonal(matrix, 0)
    chosen = random.random((samples, number)).argpartition(size - 1, axis=1)[:, :size]
    inside = matrix[chosen[:, :, None], chosen[:, None, :]]
    degrees = np.sort(inside.sum(axis=2), axis=1)
    return np.bincount(degrees @ size ** np.arange(size), minlength=kinds)

"""The graphlet kernel (Shervashidze et al. 2009)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap.baselines.kernel import classify, grakel_graphs
from rlap.baselines.task import Outcome, Task


def graphlets(task: Task, *, size: int = 4, samples: int = 100) -> Outcome:
    """Compare graphs by their small sub-graphs, whatever the features."""
    task.watch(0.0, "kernel")
    return classify(task, graphlet_kernel(task.dataset.graphs, size, samples, task.seed))  # type: ignore[union-attr]


def graphlet_kernel(
    graphs: Sequence[Any], size: int, samples: int, seed: int = 0, *, normalized: bool = True
) -> NDArray[np.float64]:
    """Draw so many sub-graphs of a size from each graph, and compare how often each kind comes.

    Example:
        >>> from rlap import datasets
        >>> graphlet_kernel(datasets.load("families").graphs[:2], 3, 20).shape
        (2, 2)
    """
    from grakel.kernels import GraphletSampling

    if not 3 <= size <= 5:
        raise ValueError(f"size must lie in [3, 5] (got {size})")
    if samples < 1:
        raise ValueError(f"samples must be at least 1 (got {samples})")
    kernel = GraphletSampling(k=size, sampling={"n_samples": samples}, random_state=seed % 2**32, normalize=normalized)
    return np.asarray(kernel.fit_transform(grakel_graphs(graphs)), dtype=np.float64)

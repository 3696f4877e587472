"""The Weisfeiler-Lehman kernel (Shervashidze et al. 2011)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap.baselines.kernel import classify, grakel_graphs
from rlap.baselines.task import Outcome, Task


def weisfeiler_lehman(task: Task, *, rounds: int = 4) -> Outcome:
    """Compare graphs by the sub-trees that they have in common."""
    task.watch(0.0, "kernel")
    return classify(task, subtree_kernel(task.dataset.graphs, rounds))  # type: ignore[union-attr]


def subtree_kernel(graphs: Sequence[Any], rounds: int, *, normalized: bool = True) -> NDArray[np.float64]:
    """Count the pairs of equal labels of two graphs, over all rounds of refinement, the first labels included.

    Normalised, a graph has 1 with itself.

    Example:
        >>> from rlap import datasets
        >>> subtree_kernel(datasets.load("families").graphs[:2], 2).diagonal().tolist()
        [1.0, 1.0]
    """
    from grakel.kernels import VertexHistogram, WeisfeilerLehman

    if rounds < 1:
        raise ValueError(f"rounds must be at least 1 (got {rounds})")
    kernel = WeisfeilerLehman(n_iter=rounds, base_graph_kernel=VertexHistogram, normalize=normalized)
    return np.asarray(kernel.fit_transform(grakel_graphs(graphs)), dtype=np.float64)

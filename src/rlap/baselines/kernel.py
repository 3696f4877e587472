"""Graphs as GraKeL wants them, and the support vector machine on kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap.baselines.task import Outcome, Task, score_tests
from rlap.datasets import Split
from rlap.evaluation import Scores

STRENGTHS = tuple(10.0**power for power in range(-3, 4))  # of C


def grakel_graphs(graphs: Sequence[Any]) -> list[Any]:
    """Give graphs to GraKeL, each node labelled by its features: equal features, equal labels.

    Example:
        >>> from rlap import datasets
        >>> len(grakel_graphs(datasets.load("families").graphs))
        300
    """
    from grakel import Graph

    known: dict[bytes, int] = {}
    found = []
    for graph in graphs:
        labels = {node: known.setdefault(row.tobytes(), len(known)) for node, row in enumerate(graph.x.numpy())}
        # GraKeL finds no nodes in an empty list of edges, but those of a matrix are always there.
        matrix = np.zeros((graph.num_nodes, graph.num_nodes), dtype=np.int64)
        matrix[graph.edge_index[0].numpy(), graph.edge_index[1].numpy()] = 1
        found.append(Graph(matrix, node_labels=labels))
    return found


def classify(task: Task, kernel: NDArray[np.float64]) -> Outcome:
    """Train a support vector machine on a kernel for every split; C is the one that is best on validation."""
    classes, parts = task.classes(), task.parts()
    predicted = []
    for number, part in enumerate(parts):
        task.watch(0.5 + 0.5 * number / len(parts), f"split {number + 1} of {len(parts)}")
        predicted.append(_predict(kernel, classes, part))
    return Outcome(Scores(*np.array(score_tests(predicted, classes, parts)).T))


def _predict(kernel: NDArray[np.float64], classes: NDArray[np.int64], part: Split) -> NDArray[np.int64]:
    from sklearn.svm import SVC

    train, val, test = part.train.numpy(), part.val.numpy(), part.test.numpy()
    best, found = -1, np.zeros(len(test), dtype=np.int64)
    for strength in STRENGTHS:
        model = SVC(C=strength, kernel="precomputed").fit(kernel[np.ix_(train, train)], classes[train])
        hits = int((model.predict(kernel[np.ix_(val, train)]) == classes[val]).sum())
        if hits > best:
            best, found = hits, model.predict(kernel[np.ix_(test, train)])
    return found

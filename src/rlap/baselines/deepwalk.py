"""DeepWalk: nodes that meet on random walks lie close together (Perozzi et al. 2014)."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import NDArray
from torch import Tensor

from rlap.baselines.probe import dense, probe
from rlap.baselines.task import Outcome, Task, Watch, unwatched
from rlap.walks import random_walks

_ROUNDS = 7  # of the randomized singular value decomposition


def deepwalk(task: Task, *, walks: int = 10, length: int = 40, window: int = 5, width: int = 128) -> Outcome:
    """Evaluate the embedding of walks alone."""
    return probe(task, _embed(task, walks, length, window, width))


def deepwalk_features(task: Task, *, walks: int = 10, length: int = 40, window: int = 5, width: int = 128) -> Outcome:
    """Evaluate the embedding of walks beside the features."""
    walked = _embed(task, walks, length, window, width)
    return probe(task, torch.cat([walked, dense(task.dataset.data.x)], dim=1))  # type: ignore[union-attr]


def embed_walks(
    edge_index: NDArray[np.int64],
    num_nodes: int,
    *,
    walks: int,
    length: int,
    window: int,
    width: int,
    seed: int = 0,
    watch: Watch = unwatched,
) -> NDArray[np.float32]:
    """Embed the nodes of a graph.

    Skip-gram with negative sampling factorises the matrix of positive pointwise mutual information between a node and
    those around it on a walk (Levy and Goldberg 2014). So this matrix is counted and factorised, which has one answer
    and no learning rate, and takes seconds.

    Args:
        edge_index: (2, E), both directions of every edge.
        num_nodes: how many there are.
        walks: from every node.
        length: steps of a walk.
        window: a pair is counted when it is at most so many steps apart.
        width: of the embedding; a graph with fewer nodes has zeros behind.
        seed: of the walks and the factorisation.
        watch: as in `Task`.

    Example:
        >>> pair = np.array([[0, 1], [1, 0]])
        >>> embed_walks(pair, 2, walks=1, length=4, window=1, width=4).shape
        (2, 4)
    """
    from sklearn.utils.extmath import randomized_svd

    for name, value in {"walks": walks, "length": length, "window": window, "width": width}.items():
        if value < 1:
            raise ValueError(f"{name} must be at least 1 (got {value})")
    counts = sp.csr_array((num_nodes, num_nodes), dtype=np.float64)
    for number in range(walks):
        watch(0.6 * number / walks, f"walk {number + 1} of {walks}")
        start = np.arange(num_nodes)
        # One seed for each round; they may be any, as long as they differ.
        met = random_walks(edge_index, num_nodes=num_nodes, start=start, length=length, seed=seed * walks + number)
        counts = counts + _pairs(met, window, num_nodes)
    information = _mutual_information(counts)
    watch(0.6, "factorisation")
    rank = min(width, num_nodes)
    left, values, _ = randomized_svd(information, rank, n_iter=_ROUNDS, random_state=seed % 2**32)
    embedding = np.zeros((num_nodes, width), dtype=np.float32)
    embedding[:, :rank] = left * np.sqrt(values)
    return embedding


def _embed(task: Task, walks: int, length: int, window: int, width: int) -> Tensor:
    data = task.dataset.data  # type: ignore[union-attr]
    found = embed_walks(
        data.edge_index.numpy(),
        data.num_nodes,
        walks=walks,
        length=length,
        window=window,
        width=width,
        seed=task.seed,
        watch=task.watch,
    )
    return torch.from_numpy(found)


def _pairs(met: NDArray[np.int64], window: int, num_nodes: int) -> sp.csr_array:
    """Count the pairs of nodes that are at most a window apart on walks, both ways."""
    total = sp.csr_array((num_nodes, num_nodes), dtype=np.float64)
    for step in range(1, min(window, met.shape[1] - 1) + 1):
        one, other = met[:, :-step].ravel(), met[:, step:].ravel()
        total = total + sp.coo_array((np.ones(len(one)), (one, other)), shape=total.shape).tocsr()
    return total + total.T.tocsr()


def _mutual_information(counts: sp.csr_array) -> sp.csr_array:
    """Give max(log(p(i, j) / (p(i) p(j))), 0), which is sparse as the counts are."""
    pairs = counts.tocoo()
    share = np.asarray(counts.sum(axis=1)).ravel()
    rows, columns = pairs.coords
    values = np.log(pairs.data * share.sum() / (share[rows] * share[columns]))
    kept = values > 0
    return sp.coo_array((values[kept], (rows[kept], columns[kept])), shape=counts.shape).tocsr()

"""`diffuse_edges`: edge arrays in, edge arrays out, for one graph or a batch."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rlap.diffusion.sparse import Series, diffuse
from rlap.schur.prepared import PreparedGraph, prepare


def diffuse_edges(
    edge_index: ArrayLike | PreparedGraph,
    edge_weight: ArrayLike | None = None,
    *,
    num_nodes: int | None = None,
    series: Series,
    eps: float = 1e-4,
    tol: float | None = None,
    transition: str = "random-walk",
    self_loops: bool = False,
    ptr: ArrayLike | None = None,
    batch: ArrayLike | None = None,
    symmetrize: bool = False,
    num_threads: int = 0,
) -> tuple[NDArray[np.int64], NDArray[np.floating]]:
    """Diffuse every graph of a batch on its own.

    A graph has the same result in a batch as alone, bit for bit.

    Args:
        edge_index: node numbers, of the shape (2, E), both directions of every edge; or a graph that `rlap.prepare`
            has read.
        edge_weight: positive weights, (E,); None means 1.
        num_nodes: how many nodes there are.
        series: `PPR(alpha)`, `Heat(t)`, `Markov(alpha, steps)` or `Grounded(ground, scale)`.
        eps: entries below are not kept.
        tol: the largest error of an entry; None means eps / 10.
        transition: "random-walk", T = A D^-1, or "symmetric", T = D^-1/2 A D^-1/2.
        self_loops: add an edge of weight 1 from every node to itself first. Those of the input are dropped.
        ptr: offsets of the graphs of a batch, (G + 1,).
        batch: or the graph of every node, (N,), sorted.
        symmetrize: give an edge without its reverse one, and take the mean of weights that differ by direction.
        num_threads: 0 means all. It does not change the result.

    Returns:
        The rows, columns and values of the diffusion matrix S, as (2, E') and (E',), sorted by (row, column). The
        diagonal is among them.

    Example:
        >>> import numpy as np
        >>> from rlap.diffusion import Markov, diffuse_edges
        >>> pairs = np.array([[0, 1, 2, 3], [1, 0, 3, 2]])
        >>> index, weight = diffuse_edges(pairs, num_nodes=4, ptr=[0, 2, 4], series=Markov(alpha=0.2, steps=1))
        >>> index.tolist(), weight.round(4).tolist()[:2]
        ([[0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 0, 1, 2, 3, 2, 3]], [0.20000000298023224, 0.800000011920929])
    """
    source = prepare(
        edge_index, edge_weight, num_nodes=num_nodes, ptr=ptr, batch=batch, symmetrize=symmetrize, num_threads=1
    )
    matrix = diffuse(
        source.graph,
        series,
        eps=eps,
        tol=tol,
        transition=transition,
        self_loops=self_loops,
        num_threads=num_threads,
    )
    index = np.empty((2, matrix.nnz), dtype=np.int64)
    index[0] = np.repeat(np.arange(source.num_nodes), np.diff(matrix.indptr))
    index[1] = matrix.indices
    return index, matrix.data

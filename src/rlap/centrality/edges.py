"""`centrality_of_edges`: edge arrays in, one value a node out, for one graph or a batch."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rlap import _core
from rlap.centrality.pagerank import pagerank_of
from rlap.schur.prepared import PreparedGraph, prepare

KINDS = {"degree": _core.degrees, "eigenvector": _core.eigenvector_centrality, "pagerank": pagerank_of}


def centrality_of_edges(
    edge_index: ArrayLike | PreparedGraph,
    edge_weight: ArrayLike | None = None,
    *,
    num_nodes: int | None = None,
    kind: str,
    ptr: ArrayLike | None = None,
    batch: ArrayLike | None = None,
    symmetrize: bool = False,
) -> NDArray[np.float64]:
    """Compute a centrality in every graph of a batch on its own.

    A graph has the same values in a batch as alone, bit for bit.

    Args:
        edge_index: node numbers, of the shape (2, E), both directions of every edge; or a graph that `rlap.prepare`
            has read.
        edge_weight: positive weights, (E,); None means 1.
        num_nodes: how many nodes there are.
        kind: "degree", "eigenvector" or "pagerank", as the functions of these names with their defaults.
        ptr: offsets of the graphs of a batch, (G + 1,).
        batch: or the graph of every node, (N,), sorted.
        symmetrize: give an edge without its reverse one, and take the mean of weights that differ by direction.

    Returns:
        One value for every node.

    Example:
        >>> import numpy as np
        >>> from rlap.centrality import centrality_of_edges
        >>> pairs = np.array([[0, 1, 2, 3], [1, 0, 3, 2]])
        >>> centrality_of_edges(pairs, num_nodes=4, ptr=[0, 2, 4], kind="pagerank").round(6).tolist()
        [0.5, 0.5, 0.5, 0.5]
    """
    if kind not in KINDS:
        words = ", ".join(f'"{word}"' for word in KINDS)
        raise ValueError(f"kind must be one of {words} (got {kind!r})")
    source = prepare(
        edge_index, edge_weight, num_nodes=num_nodes, ptr=ptr, batch=batch, symmetrize=symmetrize, num_threads=1
    )
    return KINDS[kind](source.graph)

"""`pagerank`: where a surfer is who sometimes jumps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rlap import _core
from rlap.schur.matrix import Sparse, read_adjacency


def pagerank(
    adjacency: Sparse, alpha: float = 0.85, *, tol: float = 1e-10, symmetrize: bool = False
) -> NDArray[np.float64]:
    """Compute PageRank as NetworkX defines it.

    With the probability alpha the surfer follows an edge, chosen by weight, else she jumps to a node chosen at random;
    from a node without edges she always jumps. The values are positive and sum to 1. Self-loops are dropped.

    Args:
        adjacency: a sparse, symmetric matrix of positive weights, or a NetworkX graph.
        alpha: the probability of following an edge, in [0, 1).
        tol: a bound on the sum of all errors, unless rounding does not allow it.
        symmetrize: give an edge without its reverse one, and take the mean of weights that differ by direction.

    Returns:
        One value for every node, in the order of the rows or of the graph's nodes.

    Example:
        >>> import numpy as np, scipy.sparse as sp
        >>> from rlap.centrality import pagerank
        >>> path = sp.csr_array(np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
        >>> pagerank(path).round(4).tolist()
        [0.2568, 0.4865, 0.2568]
    """
    return pagerank_of(read_adjacency(adjacency, symmetrize).graph, alpha, tol)


def pagerank_of(graph: _core.Graph, alpha: float = 0.85, tol: float = 1e-10) -> NDArray[np.float64]:
    """Compute PageRank in every graph on its own."""
    if not 0 <= alpha < 1:
        raise ValueError(f"alpha must lie in [0, 1) (got {alpha})")
    if not tol > 0:
        raise ValueError(f"tol must be positive (got {tol})")
    return _core.pagerank(graph, alpha, tol)

"""`degree`: the sum of a node's weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rlap import _core
from rlap.schur.matrix import Sparse, read_adjacency


def degree(adjacency: Sparse, *, symmetrize: bool = False) -> NDArray[np.float64]:
    """Sum the weights of every node's edges. Self-loops are dropped.

    Args:
        adjacency: a sparse, symmetric matrix of positive weights, or a NetworkX graph.
        symmetrize: give an edge without its reverse one, and take the mean of weights that differ by direction.

    Returns:
        One value for every node, in the order of the rows or of the graph's nodes.

    Example:
        >>> import numpy as np, scipy.sparse as sp
        >>> from rlap.centrality import degree
        >>> degree(sp.csr_array(np.array([[0.0, 2.0, 0.5], [2.0, 0.0, 0.0], [0.5, 0.0, 0.0]]))).tolist()
        [2.5, 2.0, 0.5]
    """
    return _core.degrees(read_adjacency(adjacency, symmetrize).graph)

"""`eigenvector`: the leading eigenvector of the adjacency matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rlap import _core
from rlap.schur.matrix import Sparse, read_adjacency


def eigenvector(adjacency: Sparse, *, symmetrize: bool = False) -> NDArray[np.float64]:
    """Compute eigenvector centrality: u with A u = lambda_max u, of the norm 1, no value negative.

    On a connected graph u is unique. On others, it lives on the component with the largest eigenvalue, and all other
    nodes have 0. When several components have the same largest eigenvalue, u is the projection of the vector of ones
    onto their eigenspace: what power iteration from equal values ends in. The residual |A u - lambda u| is below
    1e-11 lambda; where two eigenvalues are that close to each other, so are their vectors to any mixture of them.
    Self-loops are dropped.

    Args:
        adjacency: a sparse, symmetric matrix of positive weights, or a NetworkX graph.
        symmetrize: give an edge without its reverse one, and take the mean of weights that differ by direction.

    Returns:
        One value for every node, in the order of the rows or of the graph's nodes.

    Example:
        >>> import numpy as np, scipy.sparse as sp
        >>> from rlap.centrality import eigenvector
        >>> path = sp.csr_array(np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
        >>> eigenvector(path).round(4).tolist()
        [0.5, 0.7071, 0.5]
    """
    return _core.eigenvector_centrality(read_adjacency(adjacency, symmetrize).graph)

"""`pagerank`: where a surfer is who sometimes jumps."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from rlap import _core
from rlap.centrality.weights import Weights
from rlap.schur.matrix import Sparse, read_adjacency


def pagerank(
    adjacency: Sparse, alpha: float = 0.85, *, tol: float = 1e-10, symmetrize: bool = False
) -> NDArray[np.float64]:
    """Compute PageRank as NetworkX defines it.

    With the probability alpha the surfer follows an edge, chosen by weight, else she jumps to a node chosen at random;
    from a node without edges she always jumps. The values are positive and sum to 1.

    Args:
        adjacency: a sparse, symmetric matrix of positive weights, or a NetworkX graph.
        alpha: the probability of following an edge, in [0, 1).
        tol: a bound on the sum of all errors.
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
    """Compute PageRank in every graph on its own.

    All isolated nodes of a graph have the same value y, what jumps bring: of n nodes, m of them isolated,
    y = (alpha m y + 1 - alpha) / n. As all others get y from jumps, too, PageRank is y (I - alpha A D^-1)^-1 1.
    """
    if not 0 <= alpha < 1:
        raise ValueError(f"alpha must lie in [0, 1) (got {alpha})")
    if not tol > 0:
        raise ValueError(f"tol must be positive (got {tol})")
    weights = Weights.of(graph)
    degree, owner = weights.degree, weights.graph
    graphs = weights.ptr.size - 1
    nodes, isolated = np.diff(weights.ptr), np.bincount(owner[degree == 0], minlength=graphs)
    jumps = ((1 - alpha) / np.where(nodes > 0, nodes - alpha * isolated, 1))[owner]
    if alpha == 0:
        return np.asarray(jumps)
    inverse = np.divide(1.0, degree, out=np.zeros_like(degree), where=degree > 0)
    return _solve(weights.matrix @ sp.diags_array(inverse), alpha, jumps, tol)


def _solve(step: sp.csr_array, alpha: float, jumps: NDArray[np.float64], tol: float) -> NDArray[np.float64]:
    """Solve x = alpha step x + jumps by Chebyshev's iteration: step has real eigenvalues in [-1, 1].

    Columns of step sum to at most 1, so that the sum of the errors is at most that of the residuals / (1 - alpha).
    """
    # Rounding leaves a residual of about 1e-16 times the sum, 1 a graph.
    enough = max((1 - alpha) * tol, 1e-14 * float(jumps.sum()))
    before, now = np.zeros_like(jumps), jumps
    ratio = alpha  # of consecutive Chebyshev polynomials at 1 / alpha
    while True:
        fresh = alpha * (step @ now) + jumps
        if np.abs(fresh - now).sum() <= enough:
            return np.asarray(fresh)
        ratio = 1 / (2 / alpha - ratio)
        mix = 2 / alpha * ratio
        before, now = now, mix * fresh + (1 - mix) * before

"""How central the nodes of one graph are, by degree, leading eigenvector or PageRank."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import eigsh

CENTRALITIES = ("degree", "eigenvector", "pagerank")
_DAMPING = 0.85
_TIE = 1e-9  # relative; leading eigenvalues of components that are as near as this count as equal
_DENSE = 48  # below this many nodes LAPACK is quicker than ARPACK


def centrality(
    name: str, edge_index: NDArray[np.int64], edge_weight: NDArray[Any] | None, num_nodes: int
) -> NDArray[np.float64]:
    """Compute a centrality of all nodes; edges lead from row 0 to row 1, repeated ones add up.

    "degree" is the number of edges that end in a node. "eigenvector" is the leading eigenvector of the weighted
    adjacency matrix, of unit length and not negative; where several components of the graph have the same leading
    eigenvalue, it is the projection of the vector of ones onto all leading eigenvectors, and it is zero in components
    with a lesser one. "pagerank" has the damping 0.85 and sums to one.
    """
    if name == "degree":
        return np.bincount(edge_index[1], minlength=num_nodes).astype(np.float64)
    weight = np.ones(edge_index.shape[1]) if edge_weight is None else np.asarray(edge_weight, dtype=np.float64)
    matrix = sp.csr_array((weight, (edge_index[0], edge_index[1])), shape=(num_nodes, num_nodes))
    return _eigenvector(matrix) if name == "eigenvector" else _pagerank(matrix)


def _eigenvector(matrix: Any) -> NDArray[np.float64]:
    size = matrix.shape[0]
    if size == 0 or matrix.nnz == 0:
        return np.full(size, 1 / np.sqrt(max(size, 1)))
    matrix = (matrix + matrix.T) / 2
    _, component = connected_components(matrix, directed=False)
    order = np.argsort(component, kind="stable")
    bounds = np.searchsorted(component[order], np.arange(component.max() + 2))
    # No component has a leading eigenvalue above its largest row sum: most small ones need not be looked at.
    highest = np.maximum.reduceat(matrix.sum(axis=1)[order], bounds[:-1])
    best, found = 0.0, []
    for one in np.argsort(-np.diff(bounds), kind="stable"):
        if highest[one] < best * (1 - _TIE):
            continue
        nodes = order[bounds[one] : bounds[one + 1]]
        value, vector = _leading(matrix if len(nodes) == size else matrix[nodes][:, nodes])
        best = max(best, value)
        found.append((value, nodes, vector))
    result = np.zeros(size)
    for value, nodes, vector in found:
        if value >= best * (1 - _TIE):
            result[nodes] = vector * vector.sum()
    result /= np.linalg.norm(result)
    return result


def _leading(matrix: Any) -> tuple[float, NDArray[np.float64]]:
    """Give the leading eigenvalue of a connected graph and its positive vector of unit length."""
    size = matrix.shape[0]
    if size <= _DENSE:
        values, vectors = np.linalg.eigh(matrix.toarray())
        return float(values[-1]), np.abs(vectors[:, -1])
    # Started from the degrees, which are near it, and never from random numbers. Few vectors at once: to keep them
    # orthogonal costs more than the products with the matrix.
    values, vectors = eigsh(matrix, k=1, which="LA", v0=np.asarray(matrix.sum(axis=1)), tol=1e-10, ncv=10)
    return float(values[0]), np.abs(vectors[:, 0])


def _pagerank(matrix: Any) -> NDArray[np.float64]:
    size = matrix.shape[0]
    total = np.asarray(matrix.sum(axis=1))
    dangling = total == 0
    step = (sp.diags_array(1 / np.where(dangling, 1, total)) @ matrix).T.tocsr() * _DAMPING
    rank: NDArray[np.float64] = np.full(size, 1 / max(size, 1))
    while True:  # an error shrinks by the damping at least, so this ends
        following = step @ rank
        following += (1 - following.sum()) / max(size, 1)
        change = np.abs(following - rank).sum()
        rank = following
        if change <= 1e-12:
            return rank

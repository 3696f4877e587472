"""`laplacian_solver`: linear systems in a graph's Laplacian."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from rlap.schur.factor import approximate_factor
from rlap.schur.matrix import Sparse, read_adjacency
from rlap.schur.seeds import Seed


@dataclass(frozen=True)
class Solution:
    """The solution `x`, how many iterations it took, and the norm of what is left, relative to that of `b`."""

    x: NDArray[np.float64]
    iterations: int
    residual: float
    converged: bool


class LaplacianSolver:
    """Conjugate gradients on a graph's Laplacian, preconditioned by its approximate Cholesky factor.

    Make it with `laplacian_solver`; call it with a right-hand side.
    """

    def __init__(self, laplacian: sp.csr_array, precondition: Any, component: NDArray[np.int32] | None) -> None:
        self.laplacian = laplacian
        self._precondition = precondition
        self._component = component  # None: the matrix has an inverse
        self._sizes = None if component is None else np.bincount(component)

    def __repr__(self) -> str:
        parts = 1 if self._sizes is None else self._sizes.size
        return f"LaplacianSolver(nodes={self.laplacian.shape[0]}, edges={self.laplacian.nnz}, components={parts})"

    def __call__(self, b: ArrayLike, *, rtol: float = 1e-8, maxiter: int = 1000) -> Solution:
        """Solve L x = b in the sense of the pseudo-inverse.

        The part of `b` that no solution can reach, its mean on every connected component, is taken off first; `x` has
        the mean zero on every component. Stops when the residual is `rtol` times what is left of `b`, or after
        `maxiter` iterations, and says in `converged` which it was.
        """
        from scipy.sparse.linalg import LinearOperator, cg  # slow to import, and rarely needed

        wanted = np.asarray(b, dtype=np.float64)
        nodes = self.laplacian.shape[0]
        if wanted.shape != (nodes,):
            raise ValueError(f"b must have one value for every node, the shape ({nodes},) (got {wanted.shape})")
        if not np.isfinite(wanted).all():
            raise ValueError(f"b must be finite (got {wanted[~np.isfinite(wanted)][0]})")
        wanted = self._center(wanted)
        norm = float(np.linalg.norm(wanted))
        if norm == 0:
            return Solution(np.zeros(nodes), 0, 0.0, True)
        iterations = 0

        def count(_: object) -> None:
            nonlocal iterations
            iterations += 1

        preconditioner = LinearOperator((nodes, nodes), matvec=self._apply, dtype=np.float64)
        x, status = cg(self.laplacian, wanted, rtol=rtol, atol=0.0, maxiter=maxiter, M=preconditioner, callback=count)
        x = self._center(x)
        residual = float(np.linalg.norm(wanted - self.laplacian @ x)) / norm
        return Solution(x, iterations, residual, status == 0)

    def _apply(self, residual: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._center(self._precondition(self._center(residual.ravel())))

    def _center(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        if self._component is None or self._sizes is None:
            return values
        means: NDArray[np.float64] = np.bincount(self._component, values, minlength=self._sizes.size) / self._sizes
        return values - means[self._component]


def laplacian_solver(
    adjacency: Sparse,
    *,
    ground: ArrayLike | None = None,
    node_order: str | ArrayLike = "degree",
    neighbor_order: str = "asc",
    rng: Seed = 0,
) -> LaplacianSolver:
    """Prepare to solve systems in the Laplacian of a graph, connected or not.

    With `ground`, the matrix is the Laplacian plus diag(ground); every component needs some ground then.

    Example:
        >>> import numpy as np, scipy.sparse as sp, rlap
        >>> path = sp.csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=float))
        >>> solution = rlap.laplacian_solver(path)([1.0, 0.0, -1.0])
        >>> solution.x.round(6).tolist(), solution.converged
        ([1.0, 0.0, -1.0], True)
    """
    from scipy.sparse.csgraph import connected_components

    factor = approximate_factor(adjacency, node_order=node_order, neighbor_order=neighbor_order, ground=ground, rng=rng)
    source = read_adjacency(adjacency)
    weights = source.weights()
    parts, component = connected_components(weights, directed=False)
    degree = np.asarray(weights.sum(axis=1)).ravel()
    leak = source.check_ground(ground)
    if leak is None:
        return LaplacianSolver(sp.csr_array(sp.diags_array(degree) - weights), factor.solve, component)
    reached = np.bincount(component, leak, minlength=parts) > 0
    if not reached.all():
        node = int(np.flatnonzero(~reached[component])[0])
        raise ValueError(f"ground must be positive somewhere on every component (got none on that of node {node})")
    return LaplacianSolver(sp.csr_array(sp.diags_array(degree + leak) - weights), factor.solve, None)

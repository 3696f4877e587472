"""The largest singular value of a Laplacian, and of the difference of two."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, aslinearoperator, eigsh

from rlap.schur.matrix import Sparse, read_adjacency

_DENSE = 200  # below, all eigenvalues at once are quicker than a Lanczos iteration
_BASIS = 64  # Lanczos vectors; a large basis pays when the largest eigenvalues lie close together, as on a path
_RESTARTS = 50
_NOISE = 1e-14  # relative to the matrices whose difference is taken; below, it is rounding


def sigma_max(adjacency: Sparse, ground: ArrayLike | None = None) -> float:
    """Give the largest singular value of the weighted Laplacian of a graph, by Lanczos.

    With `ground`, the matrix is the Laplacian plus diag(ground). The start vector is fixed, so the same graph gives the
    same number. The relative error is at most 1e-9; if the largest eigenvalues lie too close together for that (paths
    of thousands of nodes), it is at most 1e-4, the value is too small rather than too large, and a RuntimeWarning says
    so.

    Raises:
        RuntimeError: when not even 1e-4 is reached.

    Example:
        >>> import numpy as np, scipy.sparse as sp
        >>> from rlap.schur.deviation import sigma_max
        >>> round(sigma_max(sp.csr_array(1.0 - np.eye(5))), 9)
        5.0
    """
    source = read_adjacency(adjacency)
    matrix = laplacian(source.weights(), source.check_ground(ground))
    return spectral_norm(aslinearoperator(matrix), matrix.diagonal().max(initial=0.0))


def laplacian(weights: sp.csr_array, ground: NDArray[np.float64] | None) -> sp.csr_array:
    """Build D - A + diag(ground)."""
    degree = np.asarray(weights.sum(axis=1)).ravel()
    return sp.csr_array(sp.diags_array(degree if ground is None else degree + ground) - weights)


def spectral_norm(operator: Any, scale: float) -> float:
    """Give the largest absolute eigenvalue of a symmetric operator.

    `scale` is the size of the numbers that the operator adds and subtracts: a result that is rounding beside it is 0.
    """
    nodes = operator.shape[0]
    start = np.random.default_rng(0).standard_normal(nodes)
    start /= np.linalg.norm(start) or 1.0
    # A random vector sees the Frobenius norm over sqrt(nodes). Lanczos would never converge on noise.
    if np.linalg.norm(operator @ start) <= _NOISE * scale:
        return 0.0
    if nodes <= _DENSE:
        return float(np.abs(np.linalg.eigvalsh(operator @ np.eye(nodes))).max())
    try:
        return _lanczos(operator, start, 1e-9)
    except ArpackNoConvergence:
        warnings.warn("the largest eigenvalues lie too close together: accurate to 1e-4 only", RuntimeWarning, 3)
    try:
        return _lanczos(operator, start, 1e-4)
    except ArpackNoConvergence as failure:
        raise RuntimeError(
            f"Lanczos must reach a relative residual of 1e-4 within {_RESTARTS} restarts of {_BASIS} vectors "
            f"(it did not, on {nodes} nodes)"
        ) from failure


def _lanczos(operator: LinearOperator, start: NDArray[np.float64], tolerance: float) -> float:
    value = eigsh(
        operator,
        k=1,
        which="LM",
        v0=start,
        ncv=_BASIS,
        maxiter=_RESTARTS,
        tol=tolerance,
        return_eigenvectors=False,
    )
    return float(abs(value[0]))

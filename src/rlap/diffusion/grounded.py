"""`grounded`: the inverse of a Laplacian with a ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rlap import _core
from rlap.diffusion.sparse import SINGLE, diffuse_matrix
from rlap.schur.matrix import Sparse


@dataclass(frozen=True, eq=False)
class Grounded:
    """The matrix diag(scale) (D - A + diag(ground))^-1. It has no transition matrix, and no self-loops."""

    ground: NDArray[np.float64]
    scale: NDArray[np.float64]

    def run(self, graph: _core.Graph, diffusion: _core.Diffusion, tol: float, single: bool) -> _core.Rows:
        """Compute the rows of all nodes of the graph."""
        ground = _check_values(self.ground, "ground", graph.num_nodes)
        scale = _check_values(self.scale, "scale", graph.num_nodes)
        return _core.diffuse_grounded(graph, ground, scale, diffusion, SINGLE)


def grounded(
    adjacency: Sparse,
    ground: ArrayLike,
    scale: ArrayLike,
    eps: float = 1e-4,
    tol: float | None = None,
    *,
    symmetrize: bool = False,
    num_threads: int = 0,
) -> Any:
    """Compute S = diag(scale) (D - A + diag(ground))^-1 and keep the entries that are at least `eps`.

    This is personalised PageRank on a graph that has been reduced together with its ground. For a graph A' with degrees
    d, PPR is alpha D (D - (1 - alpha) A')^-1, and D - (1 - alpha) A' is the Laplacian of (1 - alpha) A' with the
    ground alpha d. Its Schur complement onto some nodes (`rlap.exact_schur`, `rlap.randomized_schur` with `ground=`)
    and `scale = alpha d` there give PPR restricted to these nodes: exactly for the exact complement.

    Args:
        adjacency: a sparse, symmetric matrix of positive weights, or a NetworkX graph (rows in the order of its nodes).
        ground: the weight of every node to the ground; positive where a node has an edge. The smaller it is beside the
            degree, the longer this takes. A node without edges and without a ground has an empty row.
        scale: what row i is multiplied with; not negative.
        eps: entries below are not kept.
        tol: the largest error of an entry; None means eps / 10. Entries kept are right to `tol`, those above eps + tol
            are kept, those below eps - tol are not.
        symmetrize: give an edge without its reverse one, and take the mean of weights that differ by direction.
        num_threads: 0 means all. It does not change the result.

    Returns:
        A `csr_array`, of single precision when `tol` is at least 1e-6, and that part of the largest scale / ground,
        else of double precision.

    Example:
        >>> import numpy as np, scipy.sparse as sp
        >>> from rlap.diffusion import grounded
        >>> pair = sp.csr_array(np.array([[0.0, 0.8], [0.8, 0.0]]))
        >>> grounded(pair, ground=[0.2, 0.2], scale=[0.2, 0.2], tol=1e-9).toarray().round(4)
        array([[0.5556, 0.4444],
               [0.4444, 0.5556]])
    """
    return diffuse_matrix(
        adjacency,
        Grounded(np.asarray(ground), np.asarray(scale)),
        symmetrize,
        eps=eps,
        tol=tol,
        num_threads=num_threads,
    )


def _check_values(given: ArrayLike, name: str, num_nodes: int) -> NDArray[np.float64]:
    values = np.asarray(given)
    if values.dtype.kind not in "fiub":
        raise TypeError(f"{name} must hold real numbers (got {values.dtype})")
    if values.shape != (num_nodes,):
        raise ValueError(f"{name} must have one value for every node, the shape ({num_nodes},) (got {values.shape})")
    values = np.ascontiguousarray(values, dtype=np.float64)
    bad = ~((values >= 0) & np.isfinite(values))
    if bad.any():
        at = int(bad.argmax())
        raise ValueError(f"{name} must be finite and not negative (got {values[at]} at node {at})")
    return values

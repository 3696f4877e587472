"""`ppr`: personalised PageRank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rlap import _core
from rlap.diffusion.sparse import check_share, diffuse_matrix
from rlap.schur.matrix import Sparse


@dataclass(frozen=True)
class PPR:
    """The series alpha (I - (1 - alpha) T)^-1, the sum of alpha (1 - alpha)^k T^k."""

    alpha: float = 0.2

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", check_share(self.alpha, "alpha"))

    def run(self, graph: _core.Graph, diffusion: _core.Diffusion, tol: float, single: bool) -> _core.Rows:
        """Sum the series for every node of the graph."""
        return _core.diffuse_ppr(graph, self.alpha, diffusion, single)


def ppr(
    adjacency: Sparse,
    alpha: float = 0.2,
    eps: float = 1e-4,
    tol: float | None = None,
    *,
    transition: str = "random-walk",
    self_loops: bool = False,
    symmetrize: bool = False,
    num_threads: int = 0,
) -> Any:
    """Compute S = alpha (I - (1 - alpha) T)^-1 and keep the entries that are at least `eps`.

    Column j is the stationary distribution of a walk that returns to node j with the probability alpha at every step.
    An isolated node has nothing but alpha on the diagonal. No dense matrix is built: blocks of columns are solved for
    by a polynomial iteration until their residuals prove that no entry is off by more than `tol`.

    Args:
        adjacency: a sparse, symmetric matrix of positive weights, or a NetworkX graph (rows in the order of its nodes).
        alpha: the probability of a return, between 0 and 1.
        eps: entries below are not kept.
        tol: the largest error of an entry; None means eps / 10. Entries kept are right to `tol`, those above eps + tol
            are kept, those below eps - tol are not.
        transition: "random-walk", T = A D^-1, or "symmetric", T = D^-1/2 A D^-1/2.
        self_loops: add an edge of weight 1 from every node to itself first. Those of the input are dropped.
        symmetrize: give an edge without its reverse one, and take the mean of weights that differ by direction.
        num_threads: 0 means all. It does not change the result.

    Returns:
        A `csr_array`, of single precision when `tol` is at least 1e-6, else of double precision.

    Example:
        >>> import numpy as np, scipy.sparse as sp
        >>> from rlap.diffusion import ppr
        >>> pair = sp.csr_array(np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))
        >>> ppr(pair, alpha=0.2, tol=1e-9).toarray().round(4)
        array([[0.5556, 0.4444, 0.    ],
               [0.4444, 0.5556, 0.    ],
               [0.    , 0.    , 0.2   ]])
    """
    return diffuse_matrix(
        adjacency,
        PPR(alpha),
        symmetrize,
        eps=eps,
        tol=tol,
        transition=transition,
        self_loops=self_loops,
        num_threads=num_threads,
    )

"""`markov`: Markov diffusion."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

from rlap import _core
from rlap.diffusion.sparse import MOST_STEPS, check_share, diffuse_matrix
from rlap.schur.matrix import Sparse


@dataclass(frozen=True)
class Markov:
    """The mean of alpha I + (1 - alpha) T^k over k = 1, ..., steps."""

    alpha: float = 0.2
    steps: int = 10

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", check_share(self.alpha, "alpha"))
        try:
            object.__setattr__(self, "steps", operator.index(self.steps))
        except TypeError:
            raise TypeError(f"steps must be an integer (got {type(self.steps).__name__})") from None
        if self.steps < 1:
            raise ValueError(f"steps must be at least 1 (got {self.steps})")
        if self.steps > MOST_STEPS:
            raise ValueError(f"steps must be at most {MOST_STEPS} (got {self.steps})")

    def run(self, graph: _core.Graph, diffusion: _core.Diffusion, tol: float, single: bool) -> _core.Rows:
        """Sum the series for every node of the graph."""
        coefficient = [self.alpha] + [(1 - self.alpha) / self.steps] * self.steps
        return _core.diffuse_series(graph, coefficient, 0.0, diffusion, single)


def markov(
    adjacency: Sparse,
    alpha: float = 0.2,
    steps: int = 10,
    eps: float = 1e-4,
    tol: float | None = None,
    *,
    transition: str = "random-walk",
    self_loops: bool = False,
    symmetrize: bool = False,
    num_threads: int = 0,
) -> Any:
    """Compute S = 1/K sum_{k=1..K} (alpha I + (1 - alpha) T^k) and keep the entries that are at least `eps`.

    Column j is where a walk from node j is after one of the first K steps, mixed with where it began. An isolated node
    has nothing but alpha on the diagonal.

    Args:
        adjacency: a sparse, symmetric matrix of positive weights, or a NetworkX graph (rows in the order of its nodes).
        alpha: the share of the identity, between 0 and 1.
        steps: K, at least 1.
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
        >>> from rlap.diffusion import markov
        >>> pair = sp.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
        >>> markov(pair, alpha=0.2, steps=2, tol=1e-9).toarray().round(4)
        array([[0.6, 0.4],
               [0.4, 0.6]])
    """
    return diffuse_matrix(
        adjacency,
        Markov(alpha, steps),
        symmetrize,
        eps=eps,
        tol=tol,
        transition=transition,
        self_loops=self_loops,
        num_threads=num_threads,
    )

"""`heat`: the heat kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap import _core
from rlap.diffusion.sparse import MOST_STEPS, check_positive, diffuse_matrix
from rlap.schur.matrix import Sparse


@dataclass(frozen=True)
class Heat:
    """The series exp(t T - t I), the sum of exp(-t) t^k / k! T^k."""

    t: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "t", check_positive(self.t, "t"))
        if self.t > MOST_STEPS:
            raise ValueError(f"t must be at most {MOST_STEPS} (got {self.t})")

    def run(self, graph: _core.Graph, diffusion: _core.Diffusion, tol: float, single: bool) -> _core.Rows:
        """Sum the series for every node of the graph.

        Powers of T have no entry above 1, so that what is left out is at most the rest of the coefficients, which gets
        half of the tolerance. The other half is for rounding.
        """
        coefficient = self.coefficients()
        rest = coefficient[::-1].cumsum()[::-1]  # small ones first
        kept = max(1, int(np.searchsorted(-rest, -tol / 2)))
        tail = float(rest[kept]) if kept < rest.size else 0.0
        return _core.diffuse_series(graph, coefficient[:kept].tolist(), tail, diffusion, single)

    def coefficients(self) -> NDArray[np.float64]:
        """Give the weights of T^0, T^1, ..., until they vanish in double precision."""
        most = int(self.t + 40 * np.sqrt(self.t) + 60)
        steps = np.arange(1, most)
        logs = np.concatenate([[0.0], np.cumsum(np.log(self.t / steps))]) - self.t
        return np.asarray(np.exp(logs))


def heat(
    adjacency: Sparse,
    t: float,
    eps: float = 1e-4,
    tol: float | None = None,
    *,
    transition: str = "random-walk",
    self_loops: bool = False,
    symmetrize: bool = False,
    num_threads: int = 0,
) -> Any:
    """Compute S = exp(t T - t I) and keep the entries that are at least `eps`.

    Column j is where a walk from node j is after a number of steps that is Poisson distributed with the mean t. An
    isolated node has nothing but exp(-t) on the diagonal.

    Args:
        adjacency: a sparse, symmetric matrix of positive weights, or a NetworkX graph (rows in the order of its nodes).
        t: how long heat flows; positive.
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
        >>> from rlap.diffusion import heat
        >>> pair = sp.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
        >>> heat(pair, t=1.0, tol=1e-9).toarray().round(4)
        array([[0.5677, 0.4323],
               [0.4323, 0.5677]])
    """
    return diffuse_matrix(
        adjacency,
        Heat(t),
        symmetrize,
        eps=eps,
        tol=tol,
        transition=transition,
        self_loops=self_loops,
        num_threads=num_threads,
    )

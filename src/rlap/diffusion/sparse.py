"""`diffuse`: one series of a graph's transition matrix, thresholded."""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from rlap import _core
from rlap.schur.matrix import Sparse, read_adjacency
from rlap.schur.threads import check_num_threads

TRANSITIONS = {"random-walk": False, "symmetric": True}
SINGLE = 1e-6  # from this tolerance on, single precision holds the result
MOST_STEPS = 10_000_000  # of a series; the core takes no more for PPR, either


class Series(Protocol):
    """A function of the transition matrix T that the core can sum."""

    def run(self, graph: _core.Graph, diffusion: _core.Diffusion, tol: float, single: bool) -> _core.Rows:
        """Sum the series for every node of the graph."""
        ...


def diffuse(
    graph: _core.Graph,
    series: Series,
    *,
    eps: float = 1e-4,
    tol: float | None = None,
    transition: str = "random-walk",
    self_loops: bool = False,
    num_threads: int = 0,
) -> sp.csr_array:
    """Diffuse a graph, or a batch of graphs one by one, that the core has read.

    Args:
        graph: what `rlap.schur.edges.read_edges` or `rlap.schur.matrix.read_adjacency` have read.
        series: `PPR(alpha)`, `Heat(t)`, `Markov(alpha, steps)` or `Grounded(ground, scale)`.
        eps: entries below are not kept.
        tol: the largest error of an entry; None means eps / 10. Against the exact matrix, entries kept are right to
            `tol`, those above eps + tol are kept, those below eps - tol are not.
        transition: "random-walk", T = A D^-1, or "symmetric", T = D^-1/2 A D^-1/2. Isolated nodes have an empty column
            in T. The second kind of result is symmetric to the last bit.
        self_loops: add an edge of weight 1 from every node to itself first. Those of the input are dropped.
        num_threads: threads over blocks of columns; 0 means all. It does not change the result.

    Returns:
        The matrix S, whose column j holds where the diffusion from node j arrives. Values are of single precision when
        `tol` is at least 1e-6, else of double precision.

    Example:
        >>> import numpy as np
        >>> from rlap.diffusion import PPR, diffuse
        >>> from rlap.schur.edges import read_edges
        >>> path = read_edges(np.array([[0, 1, 1, 2], [1, 0, 2, 1]]), None, 3)
        >>> diffuse(path, PPR(0.2), tol=1e-9).toarray().round(3)
        array([[0.378, 0.222, 0.178],
               [0.444, 0.556, 0.444],
               [0.178, 0.222, 0.378]])
    """
    threshold, error = check_threshold(eps, tol)
    check_transition(transition)
    threads = check_num_threads(num_threads)
    shared = _core.Diffusion(TRANSITIONS[transition], bool(self_loops), threshold, error, threads)
    indptr, indices, data = series.run(graph, shared, error, error >= SINGLE)
    width = np.int32 if data.size <= np.iinfo(np.int32).max else np.int64
    matrix = sp.csr_array(
        (data, indices.astype(width, copy=False), indptr.astype(width)), shape=(graph.num_nodes, graph.num_nodes)
    )
    matrix.has_canonical_format = True
    return matrix


def diffuse_matrix(adjacency: Sparse, series: Series, symmetrize: bool, **options: Any) -> Any:
    """Diffuse an adjacency matrix; the result is SciPy's array, or matrix if that is what came."""
    source = read_adjacency(adjacency, symmetrize)
    result = diffuse(source.graph, series, **options)
    return sp.csr_matrix(result) if source.legacy else result


def check_threshold(eps: float, tol: float | None) -> tuple[float, float]:
    """Require a threshold, and an error that is not larger; without one it is a tenth."""
    threshold = check_positive(eps, "eps")
    error = threshold / 10 if tol is None else check_positive(tol, "tol")
    if error > threshold:
        raise ValueError(f"tol must not be larger than eps = {threshold} (got {error})")
    return threshold, error


def check_transition(transition: str) -> str:
    """Require the name of a transition matrix."""
    if transition not in TRANSITIONS:
        words = " or ".join(f'"{word}"' for word in TRANSITIONS)
        raise ValueError(f"transition must be {words} (got {transition!r})")
    return transition


def check_positive(value: float, name: str) -> float:
    """Require a positive, finite number."""
    number = check_number(value, name)
    if not (number > 0 and math.isfinite(number)):
        raise ValueError(f"{name} must be positive and finite (got {number})")
    return number


def check_share(value: float, name: str) -> float:
    """Require a number between 0 and 1, both excluded."""
    number = check_number(value, name)
    if not 0 < number < 1:
        raise ValueError(f"{name} must lie between 0 and 1, both excluded (got {number})")
    return number


def check_number(value: float, name: str) -> float:
    """Require a real number."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number (got {type(value).__name__})") from None

"""`tail_bound`: how probable a large deviation can be at the most."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from rlap.schur.deviation.run import Deviation

Corrector: TypeAlias = Literal["composite", "edgewise"]

_LARGEST = 50.0  # exponents above are never worth while, and would overflow


def composite_corrector(run: Deviation, theta: float) -> float:
    """Bound the norm of the paper's composite corrector process of a run, at theta.

    The process is sum_j g_j(theta) R_{j-1}; its norm is at most sum_j g_j(theta) B_R, where

        g_j(theta) = 2 / (B_R |V|) (exp(B_R B_C theta^2 / (2 (1 - B_U theta / 3))) - 1)

    with the numbers of step j in `run.bounds`. Infinite from theta = 3 / max B_U on.
    """
    if not theta >= 0:
        raise ValueError(f"theta must not be negative (got {theta})")
    quadratic, pole = _exponents(run)
    if theta * pole.max(initial=0.0) >= 1:
        return float("inf")
    with np.errstate(over="ignore"):
        terms = np.expm1(quadratic * theta**2 / (1 - pole * theta))
        return float(np.sum(2 / run.bounds.choices * terms))


def tail_bound(run: Deviation, epsilon: float, *, corrector: Corrector = "composite") -> float:
    """Bound the probability that ||L_i - L|| reaches epsilon at some step i of an elimination like `run`.

    "composite" is the paper's bound (its appendix, "Deviation bound"), evaluated numerically:

        min(1, 2 N inf_theta exp(-epsilon theta + sum_j g_j(theta) B_R)),    g_j as in `composite_corrector`.

    What it assumes:

    - The node that goes is drawn uniformly from those that may go: only then is the mean clique at most (2 / |V|) R.
      For other node orders a ValueError is raised.
    - The neighbour order and the draws are those of `randomized_schur`: given the past, C_j has the clique as its mean.
    - B_R, B_C, B_U and |V| are known before step j, and hold for every node that could go and all it could sample. Here
      they come from R_{j-1}; between the steps that were looked at, from the last one seen and the worst that can have
      happened since. They belong to the one run that was tracked: another run has other ones. For a theta that is fixed
      beforehand this loses nothing, for the theorem is true of corrector processes that are random:
      P(||L_i - L|| >= (log(2 N / delta) + corrector) / theta for some i) <= delta. Choosing theta after the run, as the
      infimum does, is not covered; nor is reading the result as a statement on all runs.
    - sigma_max is computed by Lanczos, to a relative error of 1e-9, and arithmetic is in double precision.

    It is loose. On Cora with half the nodes gone, runs stray by 5.5 on average and 9.3 at the most of 20, while the
    bound at a probability of 0.05 is 1,700: ten times the norm of L itself (the page "Bias and deviation" has the
    measurements). Every step has to allow for the elimination of the largest hub, and the norms of all steps are added.

    "edgewise" is the matrix Freedman inequality on the same martingale, one sampled edge a step:

        min(1, 2 N exp(-epsilon^2 / (2 (V + B epsilon / 3)))),    V and B: `variance` and `edge` of `run.bounds`.

    It takes the nodes as they went, so it holds for every node order (V and B say what happened, and the order may look
    at the past). It bounds the probability that a run reaches epsilon while its own variance and edges stay within V
    and B; here these are the tracked run's. On Cora it is twenty times tighter: 75 in the case above.

    Example:
        >>> import numpy as np, scipy.sparse as sp
        >>> from rlap.schur.deviation import tail_bound, track_deviation
        >>> run = track_deviation(sp.csr_array(1.0 - np.eye(20)), fraction=0.5, rng=0)
        >>> 0 < tail_bound(run, 300.0) < 1e-3, tail_bound(run, 1.0)
        (True, 1.0)
    """
    if not epsilon >= 0:
        raise ValueError(f"epsilon must not be negative (got {epsilon})")
    if epsilon == 0 or run.num_nodes == 0:
        return 1.0 if run.num_nodes else 0.0
    offset = np.log(2 * run.num_nodes)
    if _is_edgewise(run, corrector):
        spread = 2 * (run.bounds.variance + run.bounds.edge * epsilon / 3)
        exponent = -np.inf if spread == 0 else -epsilon * (epsilon / spread)
    elif not run.bounds.clique.any():
        exponent = -np.inf
    else:
        exponent = _least(run, lambda theta: composite_corrector(run, theta) - epsilon * theta)
    return float(np.exp(min(0.0, offset + exponent)))


def deviation_bound(run: Deviation, probability: float, *, corrector: Corrector = "composite") -> float:
    """Give the epsilon at which `tail_bound` is `probability`: its inverse, with the same assumptions.

    Example:
        >>> import numpy as np, scipy.sparse as sp
        >>> from rlap.schur.deviation import deviation_bound, tail_bound, track_deviation
        >>> run = track_deviation(sp.csr_array(1.0 - np.eye(20)), fraction=0.5, rng=0)
        >>> round(tail_bound(run, deviation_bound(run, 0.05)), 6)
        0.05
    """
    if not 0 < probability <= 1:
        raise ValueError(f"probability must lie in (0, 1] (got {probability})")
    if run.num_nodes == 0:
        return 0.0
    needed = np.log(2 * run.num_nodes) - np.log(probability)
    if _is_edgewise(run, corrector):
        slope = run.bounds.edge * needed / 3
        return float(slope + np.sqrt(slope**2 + 2 * run.bounds.variance * needed))
    if not run.bounds.clique.any():
        return 0.0
    return _least(run, lambda theta: (needed + composite_corrector(run, theta)) / theta)


def _is_edgewise(run: Deviation, corrector: str) -> bool:
    if corrector not in ("composite", "edgewise"):
        raise ValueError(f'corrector must be "composite" or "edgewise" (got {corrector!r})')
    if corrector == "composite" and not run.uniform:
        raise ValueError('the composite corrector needs node_order="random" (the run has another; try "edgewise")')
    return corrector == "edgewise"


def _exponents(run: Deviation) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return run.bounds.remainder * run.bounds.clique / 2, run.bounds.clique / 3


def _least(run: Deviation, objective: Callable[[float], float]) -> float:
    """Minimise over theta. Both objectives fall and then rise, and any theta gives a true bound."""
    quadratic, pole = _exponents(run)
    # Where the largest exponent, quadratic theta^2 / (1 - pole theta), reaches _LARGEST: left of the pole.
    top = 2 / np.max(pole + np.sqrt(pole**2 + 4 * quadratic / _LARGEST))
    found = minimize_scalar(objective, bounds=(0.0, top), method="bounded", options={"xatol": 1e-9 * top})
    return float(found.fun)

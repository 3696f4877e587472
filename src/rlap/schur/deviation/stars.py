"""What bounds every step of an elimination, whatever it samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rlap import _core


@dataclass(frozen=True)
class StepBounds:
    """The numbers that the tail bounds are made of; arrays have one value for every elimination j of the run.

    For the paper's composite corrector, which does not know the node that goes next:

    - `remainder`: B_R >= ||R_{j-1}||.
    - `clique`: B_C = B_U >= ||C_j|| and ||C_j - E C_j||, for every node that could have gone and all it could sample.
    - `choices`: |V|, the number of nodes that could have gone.

    For the edgewise bound, which takes the nodes as they went:

    - `variance`: bounds the norm of the summed variances of all sampled edges.
    - `edge`: bounds the norm of what any one sampled edge adds to L_i - L.
    """

    remainder: NDArray[np.float64]
    clique: NDArray[np.float64]
    choices: NDArray[np.int64]
    variance: float
    edge: float


def bound_steps(
    columns: _core.Columns,
    nodes: int,
    candidates: int,
    stops: NDArray[np.int64],
    norm: NDArray[np.float64],
    degree: NDArray[np.float64],
) -> StepBounds:
    """Bound every step from the stars of the run and what was seen at the stops, the first of which is 0.

    `norm` is ||R_i|| at the stops, `degree` the largest weighted degree of R_i among the candidates for elimination.

    A star of weights w with the sum W is replaced by a tree whose edges have the weights c_l = w_l T_l / W, T_l being
    what comes behind l in the neighbour order. Their sum, `half`, is sum_l w_l (1 - w_l / W) / 2: it depends neither on
    the order nor on the draws, and no neighbour can gain more than that. A Laplacian's norm is at most the largest sum
    of the degrees at the ends of an edge, so ||C|| <= half + max_l c_l, and with c_l <= w_l (1 - w_l / W) this is at
    most 2 W / 3, whatever the weights. C and E C are positive semidefinite, so ||C - E C|| obeys it too.
    """
    steps = columns.node.size
    sizes = np.diff(columns.begin)
    step = np.repeat(np.arange(steps), sizes)
    share = columns.weight * (1 - columns.weight / columns.total[step])
    half = np.bincount(step, share, minlength=steps) / 2
    growth = _growth(columns, half, nodes, stops)
    seen = np.searchsorted(stops, np.arange(steps), side="right") - 1
    variance, edge = _edgewise(columns, step, share, sizes, nodes)
    return StepBounds(
        remainder=norm[seen] + 2 * growth,  # R_j is below R_i plus the cliques since, in the semidefinite order
        clique=2 / 3 * (degree[seen] + growth),
        choices=candidates - np.arange(steps),
        variance=variance,
        edge=edge,
    )


def _growth(
    columns: _core.Columns, half: NDArray[np.float64], nodes: int, stops: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Bound by how much the degree of a node can have grown between the last stop and each step."""
    growth = np.zeros(half.size)
    gained = np.zeros(nodes + 1)
    fresh = np.zeros(half.size + 1, dtype=np.bool_)
    fresh[stops] = True
    neighbor, begin, most = columns.neighbor, columns.begin, 0.0
    for j in range(half.size):
        if fresh[j]:
            gained[:] = most = 0.0
        growth[j] = most
        star = neighbor[begin[j] : begin[j + 1]]
        gained[star] += half[j]
        gained[nodes] = 0.0  # the ground has no row
        most = max(most, gained[star].max(initial=0.0))
    return growth


def _edgewise(
    columns: _core.Columns,
    step: NDArray[np.int64],
    share: NDArray[np.float64],
    sizes: NDArray[np.int64],
    nodes: int,
) -> tuple[float, float]:
    """Bound the variance of the whole run and the norm of one sampled edge.

    The edges of a sampled clique are independent, given the neighbour order, so each is a step of the martingale. Edge
    l is c_l times the Laplacian of a pair: of norm 2 c_l, and with a variance of at most 2 c_l times its mean. The
    means add up to the clique, and CLIQUE = diag(w) - w w^T / W is at most diag(w). A sum of diagonal matrices has its
    largest entry as its norm. Stars of two have only one edge to offer and do not vary.
    """
    if step.size == 0:
        return 0.0, 0.0
    edge = np.zeros(sizes.size)
    np.maximum.at(edge, step, 2 * share)
    edge[sizes < 3] = 0.0
    variance = np.bincount(columns.neighbor, edge[step] * columns.weight, minlength=nodes + 1)
    return float(variance[:nodes].max()), float(edge.max())

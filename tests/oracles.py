"""What the core must agree with, written for clarity alone: dense algebra, and every outcome with its probability.

Matrices carry the ground as one more node behind the last, so that a grounded graph is a graph like any other.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
TIED = 1e-9  # weights that differ by rounding are tied; no test has others so close


def with_ground(weights: Matrix, ground: Matrix | None) -> Matrix:
    """Append the ground as a node."""
    nodes = len(weights)
    whole = np.zeros((nodes + 1, nodes + 1))
    whole[:nodes, :nodes] = weights
    if ground is not None:
        whole[nodes, :nodes] = whole[:nodes, nodes] = ground
    return whole


def laplacian(weights: Matrix) -> Matrix:
    """D - A; for a stack of matrices, one for each."""
    return np.asarray(np.eye(weights.shape[-1]) * weights.sum(axis=-1)[..., None] - weights)


def dense_schur(weights: Matrix, gone: Sequence[int]) -> Matrix:
    """The adjacency of L_KK - L_KE L_EE^+ L_EK, by the formula.

    The pseudo-inverse is for groups of eliminated nodes that touch no kept one.
    """
    full = laplacian(weights)
    out = np.array(sorted(gone), dtype=int)
    stay = np.setdiff1d(np.arange(len(weights)), out)
    inverse = np.linalg.pinv(full[np.ix_(out, out)], rcond=1e-15, hermitian=True)
    complement = full[np.ix_(stay, stay)] - full[np.ix_(stay, out)] @ inverse @ full[np.ix_(out, stay)]
    result = np.zeros_like(weights)
    result[np.ix_(stay, stay)] = np.diag(np.diag(complement)) - complement
    return result


def exact_clique(star: Matrix) -> Matrix:
    """What replaces a star exactly: w_i w_j / W for every pair of neighbours."""
    if not star.any():
        return np.zeros((len(star), len(star)))
    clique = np.outer(star, star / star.sum())
    np.fill_diagonal(clique, 0.0)
    return clique


def exact_elimination(weights: Matrix, gone: Sequence[int]) -> Matrix:
    """The exact Schur complement, one exact clique after the other.

    Only sums, products and quotients of positive numbers occur, so every entry is right to almost all its digits, even
    where the dense formula loses all of them: weights over many orders of magnitude.
    """
    left = weights.copy()
    for node in gone:
        left += exact_clique(left[node])
        left[node] = left[:, node] = 0.0
    return left


@dataclass(frozen=True)
class Outcomes:
    """All that can come out of an elimination: its probabilities, graphs left, and sums of s_k s_k^T."""

    probability: Matrix
    remainder: Matrix
    product: Matrix

    def mean(self, values: Matrix) -> Matrix:
        """The mean of one value, or array of values, for every outcome."""
        return np.asarray(np.tensordot(self.probability, values, axes=1))


def enumerate_outcomes(
    weights: Matrix,
    count: int,
    *,
    candidates: Sequence[int] | None = None,
    node_order: str | Sequence[int] = "random",
    neighbor_order: str = "asc",
    ground: Matrix | None = None,
) -> Outcomes:
    """Follow every way in which `count` of the candidates can be eliminated."""
    whole = with_ground(weights, ground)
    allowed = range(len(weights)) if candidates is None else candidates
    order = [node for node in node_order if node in set(allowed)] if not isinstance(node_order, str) else node_order
    start = _State(whole, (whole > 0).astype(np.int64), np.zeros_like(whole), tuple(allowed))
    leaves = list(_follow(start, 1.0, count, order, neighbor_order))
    return Outcomes(
        np.array([probability for probability, _ in leaves]),
        np.array([state.weights for _, state in leaves]),
        np.array([state.product for _, state in leaves]),
    )


@dataclass(frozen=True)
class _State:
    weights: Matrix
    parallel: NDArray[np.int64]  # how many parallel edges stand between two nodes
    product: Matrix
    candidates: tuple[int, ...]


def _follow(
    state: _State, chance: float, count: int, node_order: str | Sequence[int], neighbor_order: str
) -> Iterator[tuple[float, _State]]:
    if count == 0:
        yield chance, state
        return
    choices = _next_nodes(state, node_order)
    for node in choices:
        for share, after in _eliminate(state, node, neighbor_order):
            yield from _follow(after, chance * share / len(choices), count - 1, node_order, neighbor_order)


def _next_nodes(state: _State, node_order: str | Sequence[int]) -> Sequence[int]:
    """The nodes of which one, chosen evenly, goes next."""
    if node_order == "random":
        return state.candidates
    if node_order == "degree":
        degree = state.parallel.sum(axis=1)
        least = min(degree[node] for node in state.candidates)
        return [node for node in state.candidates if degree[node] == least]
    return [next(node for node in node_order if node in state.candidates)]


def _eliminate(state: _State, node: int, neighbor_order: str) -> Iterator[tuple[float, _State]]:
    star = state.weights[node]
    neighbors = np.flatnonzero(star)
    weights, parallel = state.weights.copy(), state.parallel.copy()
    weights[node] = weights[:, node] = 0.0
    parallel[node] = parallel[:, node] = 0
    product = state.product
    if neighbors.size:
        column = -star / math.sqrt(star.sum())
        column[node] = math.sqrt(star.sum())
        product = product + np.outer(column, column)
    candidates = tuple(other for other in state.candidates if other != node)
    for share, edges in replacements([(int(v), float(star[v])) for v in neighbors], neighbor_order):
        new_weights, new_parallel = weights.copy(), parallel.copy()
        for u, v, weight in edges:
            new_weights[u, v] += weight
            new_weights[v, u] += weight
            new_parallel[u, v] += 1
            new_parallel[v, u] += 1
        yield share, _State(new_weights, new_parallel, product, candidates)


Star = list[tuple[int, float]]
Edges = list[tuple[int, int, float]]


def replacements(star: Star, neighbor_order: str) -> Iterator[tuple[float, Edges]]:
    """Every set of edges that can replace a star, with its probability."""
    if len(star) < 2:
        yield 1.0, []
    elif neighbor_order == "coarsen":
        total = sum(weight for _, weight in star)
        for u, own in star:
            yield own / total, [(u, v, own * other / (own + other)) for v, other in star if v != u]
    else:
        orders = list(_orders(star, neighbor_order))
        merged: dict[tuple[tuple[int, int, str], ...], tuple[float, Edges]] = {}
        for chance, edges in itertools.chain.from_iterable(_cliques(order) for order in orders):
            key = tuple(sorted((min(u, v), max(u, v), f"{weight:.9e}") for u, v, weight in edges))
            merged[key] = (merged[key][0] if key in merged else 0.0) + chance / len(orders), edges
        yield from merged.values()


def _orders(star: Star, neighbor_order: str) -> Iterator[Star]:
    if neighbor_order == "random":
        yield from (list(order) for order in itertools.permutations(star))
        return
    groups: list[Star] = []
    for leaf in sorted(star, key=lambda leaf: leaf[1], reverse=neighbor_order == "desc"):
        if groups and abs(leaf[1] - groups[-1][0][1]) <= TIED * leaf[1]:
            groups[-1].append(leaf)
        else:
            groups.append([leaf])
    for mixed in itertools.product(*(itertools.permutations(group) for group in groups)):
        yield [leaf for group in mixed for leaf in group]


def _cliques(order: Star) -> Iterator[tuple[float, Edges]]:
    total = sum(weight for _, weight in order)
    links = []
    for place, (u, own) in enumerate(order[:-1]):
        later = order[place + 1 :]
        rest = sum(weight for _, weight in later)
        links.append([(weight / rest, (u, v, own * rest / total)) for v, weight in later])
    for chosen in itertools.product(*links):
        yield math.prod(chance for chance, _ in chosen), [edge for _, edge in chosen]

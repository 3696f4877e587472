"""Weights from the smallest to the largest numbers there are: an answer that is right, or a rule; never a hang."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from rlap.centrality import pagerank
from rlap.diffusion import grounded, heat, markov, ppr
from tests.diffusion.dense import ALPHA, TRANSITIONS, assert_promise

TINY = np.finfo(np.float64).tiny  # the core takes smaller weights for this


def extreme_graph(seed: int, nodes: int = 60, edges: int = 94) -> np.ndarray:
    """94 pairs, 188 entries, from 3e-316 to 3e297, log-uniform."""
    rng = np.random.default_rng(seed)
    pairs = rng.choice(nodes * (nodes - 1) // 2, size=edges, replace=False)
    weights = np.zeros((nodes, nodes))
    low, high = (side[pairs] for side in np.triu_indices(nodes, 1))
    weights[low, high] = 10.0 ** rng.uniform(-315.5, 297.5, size=edges)
    return weights + weights.T


def walk_of(weights: np.ndarray, total: np.ndarray) -> np.ndarray:
    """The rows A / total; the total of a row may be smaller than the smallest normal number's inverse allows."""
    held = np.where(weights > 0, np.maximum(weights, TINY), 0)
    return np.divide(held, total[:, None], out=np.zeros_like(held), where=total[:, None] > 0)


def sum_series(step: np.ndarray, first: np.ndarray) -> np.ndarray:
    """The sum of step^k first. Nothing is subtracted, so every entry is right to nearly all its digits."""
    total, term = first.copy(), first
    while term.max() > 1e-17 * total.max():
        term = step @ term
        total += term
    return total


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("transition", TRANSITIONS)
@pytest.mark.parametrize(("eps", "tol"), [(1e-4, 1e-5), (1e-8, 1e-11)])
def test_ppr(seed, transition, eps, tol):
    weights = extreme_graph(seed)
    degree = np.where(weights > 0, np.maximum(weights, TINY), 0).sum(axis=0)
    rows = walk_of(weights, degree)  # A D^-1 is its transpose
    exact = sum_series((1 - ALPHA) * rows.T, ALPHA * np.eye(len(rows)))
    if transition == "symmetric":
        root = np.sqrt(np.where(degree > 0, degree, 1))
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            small = exact * (root[None, :] / root[:, None])  # of each pair, take that with a factor of at most 1
        exact = np.where(root[None, :] <= root[:, None], small, small.T)
    assert_promise(ppr(sp.csr_array(weights), ALPHA, eps, tol, transition=transition), exact, eps, tol)


@pytest.mark.parametrize("seed", range(4))
def test_grounded(seed):
    weights = extreme_graph(seed)
    degree = np.where(weights > 0, np.maximum(weights, TINY), 0).sum(axis=0)
    ground = np.maximum(0.25 * degree, TINY)
    total = degree + ground
    exact = sum_series(walk_of(weights, total), np.diag(ground / total))
    result = grounded(sp.csr_array(weights), ground, ground, eps=1e-6, tol=1e-8)
    assert_promise(result, exact.T, 1e-6, 1e-8)
    with pytest.raises(
        ValueError, match=r"ground must be positive at every node .* and count beside it \(got 1 beside"
    ):
        grounded(sp.csr_array(weights), np.ones(len(weights)), np.ones(len(weights)))
    with pytest.raises(ValueError, match="edge_weight and ground must have a finite sum"):
        grounded(sp.csr_array([[0, 8e307], [8e307, 0]]), [1.7e308] * 2, [1.0] * 2)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("alpha", [0.85, 0.999])
def test_pagerank(seed, alpha):
    weights = extreme_graph(seed)
    degree = np.where(weights > 0, np.maximum(weights, TINY), 0).sum(axis=0)
    rows = walk_of(weights, degree)
    jumps = (1 - alpha) / (len(rows) - alpha * (degree == 0).sum())
    exact = sum_series(alpha * rows.T, np.full((len(rows), 1), jumps)).ravel()
    assert np.abs(pagerank(sp.csr_array(weights), alpha) - exact).sum() <= 1e-10 + 1e-12


def test_iterations_are_bounded():
    """A step that gains next to nothing is taken ten million times at the most."""
    weights = sp.csr_array(extreme_graph(0, 6, 5))
    with pytest.raises(ValueError, match="alpha must be smaller, or tol larger: ten million steps do not suffice"):
        pagerank(weights, 1 - 1e-15)
    with pytest.raises(ValueError, match="tol must be larger, or alpha"):
        ppr(weights, 1e-15)
    with pytest.raises(ValueError, match="edge_weight must have a finite sum at every node, divided by 1 - alpha"):
        ppr(sp.csr_array([[0, 8e307], [8e307, 0]]), 0.999)
    with pytest.raises(ValueError, match=r"t must be at most 10000000 \(got 1e\+30\)"):
        heat(weights, 1e30)
    with pytest.raises(ValueError, match=r"steps must be at most 10000000 \(got 1000000000000\)"):
        markov(weights, steps=10**12)

"""The inverse of a grounded Laplacian: against a dense inverse, and against PPR restricted to some nodes."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import rlap
from rlap.diffusion import Grounded, diffuse, grounded, ppr
from rlap.schur.edges import read_edges
from tests.diffusion.dense import assert_promise, random_graph, transition_matrix
from tests.graphs import KARATE


@pytest.mark.parametrize("tol", [1e-5, 1e-9])
def test_dense_inverse(tol):
    weights = random_graph()
    rng = np.random.default_rng(5)
    degree = weights.sum(axis=0)
    ground = np.where(degree > 0, degree, 1.0) * rng.uniform(0.1, 2.0, size=len(degree))
    scale = rng.uniform(0.0, 1.0, size=len(degree)) * ground
    exact = scale[:, None] * np.linalg.inv(np.diag(degree + ground) - weights)
    assert_promise(grounded(sp.csr_array(weights), ground, scale, tol=tol), exact, 1e-4, tol)


def test_ppr_is_a_special_case():
    weights = sp.csr_array(random_graph())
    degree = np.asarray(weights.sum(axis=0))
    isolated = degree == 0
    alpha, tol = 0.2, 1e-9
    special = grounded(
        (1 - alpha) * weights,
        np.where(isolated, 1.0, alpha * degree),
        np.where(isolated, alpha, alpha * degree),
        tol=tol,
    )
    assert np.abs(special - ppr(weights, alpha, tol=tol)).max() <= 2 * tol


def test_exact_schur_complement_gives_ppr_on_the_kept_nodes():
    alpha, tol = 0.2, 1e-9
    degree = KARATE.dense.sum(axis=0)
    keep = np.array(KARATE.keep)
    reduced, ground = rlap.exact_schur(sp.csr_array((1 - alpha) * KARATE.dense), keep=keep, ground=alpha * degree)
    scale = np.zeros(len(degree))
    scale[keep] = alpha * degree[keep]
    result = grounded(reduced, ground, scale, eps=1e-6, tol=tol)
    step = transition_matrix(KARATE.dense, "random-walk", False)
    exact = np.zeros_like(KARATE.dense)
    everywhere = alpha * np.linalg.inv(np.eye(len(degree)) - (1 - alpha) * step)
    exact[np.ix_(keep, keep)] = everywhere[np.ix_(keep, keep)]
    assert_promise(result, exact, 1e-6, tol)


def test_large_scales_are_allowed():
    """Entries far above 1: the tolerance stays absolute."""
    weights = KARATE.dense
    degree = weights.sum(axis=0)
    exact = 1e4 * np.linalg.inv(np.diag(1.5 * degree) - weights)
    result = grounded(KARATE.sparse, 0.5 * degree, np.full(34, 1e4), eps=1.0, tol=1e-4)
    assert_promise(result, exact, 1.0, 1e-4)


def test_refusals():
    pair = sp.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
    with pytest.raises(ValueError, match=r"ground must be positive at every node that has an edge .* at node 1"):
        grounded(pair, [1.0, 0.0], [1.0, 1.0])
    with pytest.raises(ValueError, match=r"scale must be finite and not negative \(got -1.0 at node 0\)"):
        grounded(pair, [1.0, 1.0], [-1.0, 1.0])
    with pytest.raises(ValueError, match=r"ground must have one value for every node, the shape \(2,\) \(got \(3,\)\)"):
        grounded(pair, [1.0, 1.0, 1.0], [1.0, 1.0])
    with pytest.raises(TypeError, match="scale must hold real numbers"):
        grounded(pair, [1.0, 1.0], ["a", "b"])
    graph = read_edges(np.array([[0, 1], [1, 0]]), None, 2)
    with pytest.raises(ValueError, match="no transition"):
        diffuse(graph, Grounded(np.ones(2), np.ones(2)), transition="symmetric")

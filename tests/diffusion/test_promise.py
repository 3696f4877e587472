"""Against the dense closed forms: kept entries are right to tol, and the threshold is kept to tol."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import expm_multiply

from rlap.diffusion import heat, markov, ppr
from tests.diffusion.dense import (
    ALPHA,
    SERIES,
    STEPS,
    TIME,
    TRANSITIONS,
    assert_promise,
    closed_form,
    cora,
    diffused_star,
    random_graph,
    star,
    transition_matrix,
)
from tests.graphs import KARATE, SMALL

CALLS = {
    "ppr": partial(ppr, alpha=ALPHA),
    "heat": partial(heat, t=TIME),
    "markov": partial(markov, alpha=ALPHA, steps=STEPS),
}
TOLERANCES = [1e-5, 1e-9]


@pytest.mark.parametrize("tol", TOLERANCES)
@pytest.mark.parametrize("self_loops", [False, True])
@pytest.mark.parametrize("transition", TRANSITIONS)
@pytest.mark.parametrize("series", SERIES)
def test_random_weights_and_isolated_nodes(series, transition, self_loops, tol):
    weights = random_graph()
    exact = closed_form(series, transition_matrix(weights, transition, self_loops))
    result = CALLS[series](sp.csr_array(weights), tol=tol, transition=transition, self_loops=self_loops)
    assert_promise(result, exact, 1e-4, tol)
    assert result.dtype == (np.float32 if tol >= 1e-6 else np.float64)


@pytest.mark.parametrize("transition", TRANSITIONS)
@pytest.mark.parametrize("series", SERIES)
@pytest.mark.parametrize("example", [*SMALL, KARATE], ids=str)
def test_small_graphs(example, series, transition):
    exact = closed_form(series, transition_matrix(example.dense, transition, False))
    for eps, tol in ((1e-2, 1e-3), (1e-4, 1e-5), (1e-9, 1e-11)):
        assert_promise(CALLS[series](example.sparse, eps=eps, tol=tol, transition=transition), exact, eps, tol)


@pytest.mark.parametrize("transition", TRANSITIONS)
@pytest.mark.parametrize("series", SERIES)
def test_a_hub(series, transition):
    """Sums of thousands of terms, in single precision: their rounding counts towards the tolerance."""
    for tol in (2e-6, 1e-5, 1e-9):
        result = CALLS[series](star(1500), transition=transition, tol=tol)
        assert_promise(result, diffused_star(series, transition, 1500), 1e-4, tol)


@pytest.mark.parametrize("series", SERIES)
def test_the_tolerance_is_used_not_wasted(series):
    """A coarse tolerance must give coarse entries, else time is spent for nothing."""
    weights = random_graph()
    exact = closed_form(series, transition_matrix(weights, "random-walk", False))
    coarse = CALLS[series](sp.csr_array(weights), eps=1e-2, tol=1e-2)
    assert_promise(coarse, exact, 1e-2, 1e-2)
    if series != "markov":  # whose steps are all taken
        assert np.abs(coarse.data - exact[coarse.nonzero()]).max() > 1e-6


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.5, 0.95])
def test_every_alpha(alpha):
    weights = random_graph()
    step = transition_matrix(weights, "random-walk", False)
    exact = alpha * np.linalg.inv(np.eye(len(weights)) - (1 - alpha) * step)
    for tol in TOLERANCES:
        assert_promise(ppr(sp.csr_array(weights), alpha, tol=tol), exact, 1e-4, tol)


@pytest.mark.parametrize("t", [0.01, 1.0, 20.0, 300.0])
def test_every_time(t):
    weights = random_graph()
    symmetric = transition_matrix(weights, "symmetric", False)
    values, vectors = np.linalg.eigh(symmetric)
    exact = vectors * np.exp(t * values - t) @ vectors.T
    for tol in TOLERANCES:
        result = heat(sp.csr_array(weights), t, tol=tol, transition="symmetric")
        assert_promise(result, exact, 1e-4, tol)


@pytest.mark.parametrize("series", SERIES)
def test_cora(series):
    adjacency = cora()
    root = np.sqrt(np.maximum(adjacency.sum(axis=0), 1))
    step = sp.diags_array(1 / root) @ adjacency @ sp.diags_array(1 / root)
    identity = np.eye(adjacency.shape[0])
    if series == "ppr":
        exact = ALPHA * np.linalg.inv(identity - (1 - ALPHA) * step.toarray())
    elif series == "heat":
        exact = expm_multiply(TIME * (step - sp.eye_array(len(identity))), identity)
    else:
        exact, power = ALPHA * identity, identity
        for _ in range(STEPS):
            power = step @ power
            exact = exact + (1 - ALPHA) / STEPS * power
    for tol in TOLERANCES:
        assert_promise(CALLS[series](adjacency, tol=tol, transition="symmetric"), exact, 1e-4, tol)
        assert_promise(CALLS[series](adjacency, tol=tol), root[:, None] * exact / root, 1e-4, tol)

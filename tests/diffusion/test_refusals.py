"""Bad arguments are refused with the rule and the value."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from rlap.diffusion import PPR, diffuse_edges, heat, markov, ppr

PAIR = sp.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 1.5, float("nan")])
def test_alpha(alpha):
    for call in (ppr, markov):
        with pytest.raises(ValueError, match=rf"alpha must lie between 0 and 1, both excluded \(got {float(alpha)}\)"):
            call(PAIR, alpha)


def test_other_numbers():
    with pytest.raises(TypeError, match=r"alpha must be a number \(got str\)"):
        ppr(PAIR, "much")
    with pytest.raises(ValueError, match=r"t must be positive and finite \(got -1.0\)"):
        heat(PAIR, -1)
    with pytest.raises(ValueError, match=r"t must be positive and finite \(got inf\)"):
        heat(PAIR, float("inf"))
    with pytest.raises(ValueError, match=r"steps must be at least 1 \(got 0\)"):
        markov(PAIR, steps=0)
    with pytest.raises(TypeError, match=r"steps must be an integer \(got float\)"):
        markov(PAIR, steps=2.5)
    with pytest.raises(ValueError, match=r"eps must be positive and finite \(got 0.0\)"):
        ppr(PAIR, eps=0)
    with pytest.raises(ValueError, match=r"tol must be positive and finite \(got -1e-05\)"):
        ppr(PAIR, tol=-1e-5)
    with pytest.raises(ValueError, match=r"tol must not be larger than eps = 0.0001 \(got 0.001\)"):
        ppr(PAIR, tol=1e-3)
    with pytest.raises(ValueError, match=r'transition must be "random-walk" or "symmetric" \(got \'lazy\'\)'):
        ppr(PAIR, transition="lazy")
    with pytest.raises(ValueError, match=r"num_threads must lie in"):
        ppr(PAIR, num_threads=-1)


@pytest.mark.parametrize("tol", [1e-16, 1e-300])
def test_a_tolerance_that_double_precision_cannot_reach(tol):
    for call in (ppr, markov):
        with pytest.raises(ValueError, match="tol must be larger"):
            call(PAIR, tol=tol)


def test_graphs():
    with pytest.raises(TypeError, match="SciPy sparse"):
        ppr(np.eye(2))
    with pytest.raises(ValueError, match="square"):
        ppr(sp.csr_array((2, 3)))
    with pytest.raises(ValueError, match="edge_weight must be positive and finite"):
        diffuse_edges(np.array([[0, 1], [1, 0]]), [-1.0, -1.0], num_nodes=2, series=PPR())
    with pytest.raises(ValueError, match="ptr must rise"):
        diffuse_edges(np.array([[0, 1], [1, 0]]), num_nodes=2, ptr=[0, 1], series=PPR())

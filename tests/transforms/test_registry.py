"""The registry, and what a transform refuses before it sees a graph."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import rlap.transforms as T


def test_identity_takes_a_perturbation_like_the_others() -> None:
    assert repr(T.get("Identity", 0.4)) == "Identity(fraction=0.4)"
    with pytest.raises(ValueError, match=r"fraction must lie in \[0, 1\] \(got 1.5\)"):
        T.get("Identity", 1.5)


@pytest.mark.parametrize("make", [T.PPRDiffusion, T.MarkovDiffusion, lambda **words: T.HeatDiffusion(1.0, **words)])
def test_a_diffusion_refuses_its_arguments_when_it_is_made(make: Callable[..., object]) -> None:
    with pytest.raises(ValueError, match=r'transition must be "random-walk" or "symmetric" \(got \'lazy\'\)'):
        make(transition="lazy")
    with pytest.raises(ValueError, match=r"tol must not be larger than eps = 0.1 \(got 0.2\)"):
        make(eps=0.1, tol=0.2)

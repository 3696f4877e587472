"""What holds exactly after many eliminations: the mean of R_t + sum_k s_k s_k^T is the Laplacian."""

from __future__ import annotations

import numpy as np
import pytest

from tests.graphs import KARATE, NEIGHBOR_ORDERS, NODE_ORDERS, SMALL, Example, random_graph
from tests.oracles import enumerate_outcomes, laplacian, with_ground
from tests.sampling import draw_tracked
from tests.significance import assert_means

EXAMPLES = pytest.mark.parametrize("example", SMALL, ids=str)
GROUNDED = pytest.mark.parametrize("grounded", [False, True], ids=["plain", "grounded"])
WORDS = pytest.mark.parametrize("word", NODE_ORDERS)
REPLACEMENTS = pytest.mark.parametrize("neighbor_order", [*NEIGHBOR_ORDERS, "coarsen"])
SAMPLES = 3_000


@EXAMPLES
@GROUNDED
@WORDS
@REPLACEMENTS
@pytest.mark.parametrize("kept", [False, True], ids=["count", "keep"])
def test_small_graphs(example: Example, grounded: bool, word: str, neighbor_order: str, kept: bool) -> None:
    """The variance and the reach of every entry come from the enumeration, so heavy tails raise no false alarm."""
    order, ground = example.node_order(word), example.leak if grounded else None
    outcomes = enumerate_outcomes(
        example.dense,
        len(example.gone) if kept else 2,
        candidates=example.gone if kept else None,
        node_order=order,
        neighbor_order=neighbor_order,
        ground=ground,
    )
    remainder, product, terms = draw_tracked(
        example,
        SAMPLES,
        seed=4,
        count=None if kept else 2,
        keep=example.keep if kept else None,
        node_order=order,
        neighbor_order=neighbor_order,
        ground=ground,
    )
    expected = laplacian(with_ground(example.dense, ground))
    off = laplacian(outcomes.remainder) + outcomes.product - expected
    samples = laplacian(remainder) + product
    size = (np.abs(laplacian(remainder)) + terms).max(axis=0)  # new edges and columns cancel
    assert_means(samples, expected, variance=outcomes.mean(off**2), reach=np.abs(off).max(axis=0), size=size)


@pytest.mark.parametrize("example", [KARATE, random_graph(24, 80, seed=0)], ids=str)
@GROUNDED
@WORDS
@REPLACEMENTS
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_larger_graphs(example: Example, grounded: bool, word: str, neighbor_order: str, share: float) -> None:
    """Quadratic forms x^T (...) x, which gather what happens anywhere in the graph.

    Single entries have tails here that no number of samples shows, and no enumeration is at hand to tell; the forms are
    sums over all entries, of which no rare one counts for much.
    """
    ground = example.leak if grounded else None
    remainder, product, _ = draw_tracked(
        example,
        600,
        seed=6,
        count=int(share * example.num_nodes),
        node_order=example.node_order(word),
        neighbor_order=neighbor_order,
        ground=ground,
    )
    if share == 1.0:
        assert not remainder.any()
    expected = laplacian(with_ground(example.dense, ground))
    vectors = np.random.default_rng(0).normal(size=(50, len(expected)))
    forms = np.einsum("vi,gij,vj->gv", vectors, laplacian(remainder) + product, vectors, optimize=True)
    assert_means(forms, np.einsum("vi,ij,vj->v", vectors, expected, vectors))

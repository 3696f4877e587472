"""Terminal random walks are exactly unbiased: their mean is the exact Schur complement, for any kept set."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import rlap
from tests.graphs import KARATE, SMALL, Example, random_graph
from tests.oracles import Matrix, exact_elimination, with_ground
from tests.sampling import Samples, draw_alone, draw_batch
from tests.significance import NORMAL, assert_means

EXAMPLES = pytest.mark.parametrize("example", SMALL, ids=str)
GROUNDED = pytest.mark.parametrize("grounded", [False, True], ids=["plain", "grounded"])


def check_mean(samples: Samples, exact: Matrix, whole: Matrix) -> None:
    """No path from i to j conducts more than the strongest edge at i, or at j: that is the reach of one walk.

    A sum of independent values in [0, reach] has a variance of at most reach times its mean. That bound stands in where
    the samples cannot tell: the paths that they have missed.
    """
    strongest = whole.max(axis=0)
    reach = np.minimum.outer(strongest, strongest)
    seen = samples.var(axis=0)
    told = len(samples) * seen >= NORMAL * reach**2
    assert_means(samples, exact, variance=np.where(told, seen, reach * exact), reach=reach)


def longest_walk(whole: Matrix, gone: list[int]) -> float:
    """The mean number of steps from the worst node of those that meet a kept node at all."""
    step = whole / np.maximum(whole.sum(axis=1, keepdims=True), 1e-300)
    inner = step[np.ix_(gone, gone)]
    meets = np.linalg.matrix_power(np.eye(len(gone)) + inner, len(gone)) @ (1 - inner.sum(axis=1))
    left = [place for place, reached in enumerate(meets) if reached > 0 and whole[gone[place]].any()]
    if not left:
        return 0.0
    inner = inner[np.ix_(left, left)]
    return float(np.linalg.solve(np.eye(len(left)) - inner, np.ones(len(left))).max())


@EXAMPLES
@GROUNDED
def test_any_kept_set(example: Example, grounded: bool) -> None:
    ground = example.leak if grounded else None
    whole = with_ground(example.dense, ground)
    nodes = range(example.num_nodes)
    for size in range(example.num_nodes + 1):
        for keep in itertools.combinations(nodes, size):
            gone = [node for node in nodes if node not in keep]
            if longest_walk(whole, gone) < 200:
                drawn = draw_batch(example, 2_000, seed=size, keep=keep, ground=ground, method="walks")
                check_mean(drawn, exact_elimination(whole, gone), whole)


@EXAMPLES
@GROUNDED
def test_alone(example: Example, grounded: bool) -> None:
    ground = example.leak if grounded else None
    whole = with_ground(example.dense, ground)
    drawn = draw_alone(example, 2_000, seed=1, keep=example.keep, ground=ground, method="walks")
    check_mean(drawn, exact_elimination(whole, example.gone), whole)


@pytest.mark.parametrize("example", SMALL[:-1], ids=str)  # some halves of the last trap the walks
def test_a_random_half_is_kept(example: Example) -> None:
    whole = with_ground(example.dense, None)
    halves = list(itertools.combinations(range(example.num_nodes), example.num_nodes // 2))
    exact = np.mean([exact_elimination(whole, gone) for gone in halves], axis=0)
    drawn = draw_batch(example, 10_000, seed=2, count=example.num_nodes // 2, method="walks")
    assert_means(drawn, exact)


@pytest.mark.parametrize("example", [KARATE, random_graph(40, 120, seed=1)], ids=str)
@GROUNDED
def test_larger_graphs(example: Example, grounded: bool) -> None:
    ground = example.leak if grounded else None
    whole = with_ground(example.dense, ground)
    exact = exact_elimination(whole, example.gone)
    drawn = draw_batch(example, 2_000, seed=3, keep=example.keep, ground=ground, method="walks")
    check_mean(drawn, exact, whole)
    vectors = np.random.default_rng(0).normal(size=(50, len(exact)))
    forms = np.einsum("vi,gij,vj->gv", vectors, drawn, vectors, optimize=True)
    assert_means(forms, np.einsum("vi,ij,vj->v", vectors, exact, vectors))


def test_walk_schur_and_schur_view_are_the_same() -> None:
    for example in SMALL[:3]:
        matrix = rlap.walk_schur(example.sparse, keep=example.keep, rng=5)
        view = rlap.schur_view(
            example.edge_index,
            example.edge_weight,
            num_nodes=example.num_nodes,
            keep=example.keep,
            method="walks",
            seed=5,
        )
        coo = sp.coo_array(matrix)
        np.testing.assert_array_equal(np.stack(coo.coords), view.edge_index)
        np.testing.assert_array_equal(coo.data, view.edge_weight)


def test_a_fraction_keeps_what_random_elimination_keeps() -> None:
    options: dict[str, Any] = {"num_nodes": KARATE.num_nodes, "fraction": 0.5, "seed": 9}
    walks = rlap.schur_view(KARATE.edge_index, method="walks", **options)
    elimination = rlap.schur_view(KARATE.edge_index, **options)
    np.testing.assert_array_equal(walks.node_mask, elimination.node_mask)
    assert walks.node_mask.sum() == 17


def test_edges_between_kept_nodes_stay_as_they_are() -> None:
    """Nothing is random about an edge that no walk can add to."""
    example = random_graph(40, 60, seed=2)
    leaf = int(np.argmin((example.dense > 0).sum(axis=0)))
    assert (example.dense[leaf] > 0).sum() == 1
    left = rlap.walk_schur(example.sparse, eliminate=[leaf], rng=0).toarray()
    expected = example.dense.copy()
    expected[leaf] = expected[:, leaf] = 0
    np.testing.assert_array_equal(left, expected)


@pytest.mark.parametrize("keep", [[], [0, 1, 2, 3, 4, 5]])
def test_nothing_and_everything_kept(keep: list[int]) -> None:
    left = rlap.walk_schur(SMALL[0].sparse, keep=keep, rng=0).toarray()
    np.testing.assert_array_equal(left, SMALL[0].dense if keep else np.zeros((6, 6)))


def test_a_node_that_has_nothing_but_the_ground() -> None:
    """Its walks have one way to go, and no edge to look at."""
    pair = sp.csr_array(Example("pair", 4, ((1, 2, 1.0),)).dense)
    left, ground = rlap.walk_schur(pair, keep=[1, 2], ground=np.array([1.0, 0.0, 0.0, 0.0]), rng=0)
    np.testing.assert_array_equal(left.toarray(), pair.toarray())
    np.testing.assert_array_equal(ground, np.zeros(4))


def test_walks_that_do_not_end_are_given_up() -> None:
    """Two nodes joined by a weight of 1e6, with a way out of 1e-6: a walk takes about 1e12 steps."""
    trap = sp.csr_array(Example("trap", 3, ((0, 1, 1e6), (1, 2, 1e-6))).dense)
    with pytest.raises(RuntimeError, match="10000 steps"):
        rlap.walk_schur(trap, keep=[2], rng=0)

"""Vertex coarsening: the closed form of one step, and the enumeration of several."""

from __future__ import annotations

import numpy as np
import pytest

import rlap
from tests.graphs import KARATE, NODE_ORDERS, SMALL, Example
from tests.oracles import enumerate_outcomes, exact_elimination, with_ground
from tests.sampling import draw_alone, draw_batch
from tests.significance import assert_counts, assert_means, assert_outcomes

EXAMPLES = pytest.mark.parametrize("example", SMALL, ids=str)
GROUNDED = pytest.mark.parametrize("grounded", [False, True], ids=["plain", "grounded"])
WORDS = pytest.mark.parametrize("word", NODE_ORDERS)


@EXAMPLES
@GROUNDED
def test_one_step_is_unbiased(example: Example, grounded: bool) -> None:
    ground = example.leak if grounded else None
    whole = with_ground(example.dense, ground)
    for node in range(example.num_nodes):
        keep = [u for u in range(example.num_nodes) if u != node]
        outcomes = enumerate_outcomes(example.dense, 1, candidates=[node], neighbor_order="coarsen", ground=ground)
        drawn = draw_batch(example, 5_000, seed=node, keep=keep, neighbor_order="coarsen", ground=ground)
        exact = exact_elimination(whole, [node])
        off = outcomes.remainder - exact
        assert_means(drawn, exact, variance=outcomes.mean(off**2), reach=np.abs(off).max(axis=0))


@EXAMPLES
@GROUNDED
@WORDS
def test_a_number_of_nodes(example: Example, grounded: bool, word: str) -> None:
    order, ground = example.node_order(word), example.leak if grounded else None
    outcomes = enumerate_outcomes(example.dense, 2, node_order=order, neighbor_order="coarsen", ground=ground)
    for draw, samples in ((draw_batch, 6_000), (draw_alone, 300)):
        drawn = draw(example, samples, seed=1, count=2, node_order=order, neighbor_order="coarsen", ground=ground)
        assert_outcomes(drawn, outcomes)


@EXAMPLES
@GROUNDED
@WORDS
def test_the_nodes_that_are_not_kept(example: Example, grounded: bool, word: str) -> None:
    order, ground = example.node_order(word), example.leak if grounded else None
    outcomes = enumerate_outcomes(
        example.dense,
        len(example.gone),
        candidates=example.gone,
        node_order=order,
        neighbor_order="coarsen",
        ground=ground,
    )
    for draw, samples in ((draw_batch, 6_000), (draw_alone, 300)):
        drawn = draw(
            example, samples, seed=2, keep=example.keep, node_order=order, neighbor_order="coarsen", ground=ground
        )
        assert_outcomes(drawn, outcomes)


@pytest.mark.parametrize("leaves", [3, 8, 50, 400])
def test_a_star_contracts_into_a_leaf_chosen_by_weight(leaves: int) -> None:
    weights = 1.0 + np.random.default_rng(leaves).permutation(leaves)
    star = Example("star", leaves + 1, tuple((0, leaf + 1, float(w)) for leaf, w in enumerate(weights)))
    samples = 400
    chosen = np.zeros(leaves, dtype=np.int64)
    for seed in range(samples):
        graph = rlap.vertex_coarsening(star.sparse, eliminate=[0], rng=seed)
        degree = np.diff(graph.indptr)[1:]
        centre = int(np.argmax(degree))
        assert degree[centre] == leaves - 1
        row = graph[[centre + 1]].toarray()[0, 1:]
        own, others = weights[centre], np.delete(weights, centre)
        np.testing.assert_allclose(np.delete(row, centre), own * others / (own + others), rtol=1e-13)
        chosen[centre] += 1
    assert_counts(chosen, weights / weights.sum(), samples)


def test_the_default_order_is_by_degree() -> None:
    default = rlap.vertex_coarsening(KARATE.sparse, fraction=0.5, rng=3)
    by_degree = rlap.vertex_coarsening(KARATE.sparse, fraction=0.5, node_order="degree", rng=3)
    np.testing.assert_array_equal(default.toarray(), by_degree.toarray())


@WORDS
@GROUNDED
def test_the_method_of_schur_view_is_the_same(word: str, grounded: bool) -> None:
    order, ground = KARATE.node_order(word), KARATE.leak if grounded else None
    view = rlap.schur_view(
        KARATE.edge_index, num_nodes=34, fraction=0.5, node_order=order, method="coarsening", ground=ground, seed=4
    )
    matrix = rlap.vertex_coarsening(KARATE.sparse, fraction=0.5, node_order=order, ground=ground, rng=4)
    if ground is not None:
        matrix, left = matrix
        np.testing.assert_array_equal(left, view.ground)
    np.testing.assert_array_equal(matrix.toarray()[tuple(view.edge_index)], view.edge_weight)
    assert matrix.nnz == view.edge_weight.size

"""One elimination is exactly unbiased: the mean over many samples is the exact clique, entry by entry."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import rlap
from tests.graphs import NEIGHBOR_ORDERS, NODE_ORDERS, SMALL, Example
from tests.oracles import dense_schur, enumerate_outcomes, exact_elimination, with_ground
from tests.sampling import Batch, Samples, draw_alone, draw_batch, draw_tracked
from tests.significance import assert_counts, assert_means

EXAMPLES = pytest.mark.parametrize("example", SMALL, ids=str)
GROUNDED = pytest.mark.parametrize("grounded", [False, True], ids=["plain", "grounded"])
SAMPLES = 5_000
Ends = NDArray[np.int64]


def check_mean(
    samples: Samples, example: Example, nodes: list[int], neighbor_order: str, ground: Samples | None
) -> None:
    """One of the nodes, each as likely as the other, was eliminated."""
    whole = with_ground(example.dense, ground)
    expected = np.mean([exact_elimination(whole, [node]) for node in nodes], axis=0)
    if example.name != "twelve_orders":  # there the formula itself loses the small entries
        formula = np.mean([dense_schur(whole, [node]) for node in nodes], axis=0)
        np.testing.assert_allclose(expected, formula, rtol=1e-12, atol=1e-12)
    outcomes = enumerate_outcomes(example.dense, 1, candidates=nodes, neighbor_order=neighbor_order, ground=ground)
    off = outcomes.remainder - expected
    assert_means(samples, expected, variance=outcomes.mean(off**2), reach=np.abs(off).max(axis=0))


@EXAMPLES
@GROUNDED
@pytest.mark.parametrize("neighbor_order", NEIGHBOR_ORDERS)
def test_eliminating_each_node_gives_the_exact_clique(example: Example, grounded: bool, neighbor_order: str) -> None:
    ground = example.leak if grounded else None
    for node in range(example.num_nodes):
        keep = [u for u in range(example.num_nodes) if u != node]
        drawn = draw_batch(example, SAMPLES, seed=node, keep=keep, neighbor_order=neighbor_order, ground=ground)
        check_mean(drawn, example, [node], neighbor_order, ground)


@EXAMPLES
@GROUNDED
@pytest.mark.parametrize("neighbor_order", NEIGHBOR_ORDERS)
@pytest.mark.parametrize("word", NODE_ORDERS)
def test_the_first_node_of_every_order(example: Example, grounded: bool, neighbor_order: str, word: str) -> None:
    ground = example.leak if grounded else None
    degree = (with_ground(example.dense, ground) > 0).sum(axis=0)[:-1]
    first = {
        "random": list(range(example.num_nodes)),
        "degree": np.flatnonzero(degree == degree.min()).tolist(),
        "given": [example.order[0]],
    }[word]
    for draw, samples in ((draw_batch, SAMPLES), (draw_alone, SAMPLES // 10)):
        drawn = draw(
            example,
            samples,
            seed=11,
            count=1,
            node_order=example.node_order(word),
            neighbor_order=neighbor_order,
            ground=ground,
        )
        check_mean(drawn, example, first, neighbor_order, ground)


def star_of(weights: NDArray[np.float64]) -> Example:
    """A hub, node 0, with leaves of these weights."""
    return Example("star", len(weights) + 1, tuple((0, leaf + 1, float(w)) for leaf, w in enumerate(weights)))


# Around the widths of the vectorised sort, and where it hands over to another.
SIZES = pytest.mark.parametrize("leaves", [3, 7, 8, 9, 16, 65, 192, 193, 300])


def draw_star(weights: NDArray[np.float64], samples: int, neighbor_order: str) -> tuple[Ends, Ends, Ends, Samples]:
    """Eliminate the hub of many stars; every edge between leaves once: which star, both leaves, and the weight."""
    batch = Batch(star_of(weights), samples)
    view = rlap.schur_view(
        batch.edge_index,
        batch.edge_weight,
        num_nodes=batch.num_nodes,
        ptr=batch.ptr,
        eliminate=batch.nodes([0]),
        neighbor_order=neighbor_order,
        seed=len(weights),
        num_threads=1,
    )
    edges = view.edge_index[:, view.edge_index[0] < view.edge_index[1]]
    star, leaf = np.divmod(edges, len(weights) + 1)
    assert (star[0] == star[1]).all()
    return star[0], leaf[0] - 1, leaf[1] - 1, view.edge_weight[view.edge_index[0] < view.edge_index[1]]


@SIZES
@pytest.mark.parametrize("neighbor_order", ["asc", "desc"])
def test_large_stars_meet_by_weight(leaves: int, neighbor_order: str) -> None:
    """With distinct weights the order is known, so every pair is met with a known probability and a known weight."""
    samples = 3000
    weights = np.random.default_rng(leaves).permutation(1.0 + np.arange(leaves) ** 1.5)
    star, u, v, value = draw_star(weights, samples, neighbor_order)
    assert (np.bincount(star, minlength=samples) == leaves - 1).all()
    place = np.argsort(np.argsort(weights if neighbor_order == "asc" else -weights))
    own = np.sort(weights) if neighbor_order == "asc" else -np.sort(-weights)
    rest = own.sum() - np.cumsum(own)
    early, late = np.minimum(place[u], place[v]), np.maximum(place[u], place[v])
    np.testing.assert_allclose(value, (own * rest / own.sum())[early], rtol=1e-9)
    met = np.bincount(early * leaves + late, minlength=leaves**2).reshape(leaves, leaves)
    pairs = np.triu_indices(leaves, 1)
    assert_counts(met[pairs], own[pairs[1]] / rest[pairs[0]], samples)


@SIZES
@pytest.mark.parametrize("neighbor_order", NEIGHBOR_ORDERS)
@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
def test_large_stars_keep_degrees_and_total(leaves: int, neighbor_order: str, weighted: bool) -> None:
    """The leaves' new degrees have the exact ones as their mean. The total weight is not even random."""
    samples = 2000
    weights = np.ones(leaves)
    if weighted:
        weights = np.random.default_rng(leaves).choice([0.5, 1.5, 2.5, 3.5], size=leaves)
    star, u, v, value = draw_star(weights, samples, neighbor_order)
    assert (np.bincount(star, minlength=samples) == leaves - 1).all()
    degree = np.zeros((samples, leaves))
    np.add.at(degree, (star, u), value)
    np.add.at(degree, (star, v), value)
    exact = weights * (weights.sum() - weights) / weights.sum()
    assert_means(degree, exact)
    np.testing.assert_allclose(degree.sum(axis=1), exact.sum(), rtol=1e-12)


@pytest.mark.parametrize("neighbor_order", ["asc", "desc"])
@pytest.mark.parametrize(
    "weights",
    [(1, 1, 1), (1 - 1e-15, 1, 1 + 1e-15), (0.5, 0.5 - 1e-16, 0.5), (0.3 - 1e-16, 0.3, 0.3 + 1e-16), (3, 3, 3)],
    ids=str,
)
def test_tied_neighbours_go_in_random_order(neighbor_order: str, weights: tuple[float, ...]) -> None:
    """Of three tied leaves each pair is met equally often; rounding decides nothing."""
    drawn = draw_batch(
        star_of(np.array(weights, dtype=float)), SAMPLES, seed=3, keep=[1, 2, 3], neighbor_order=neighbor_order
    )
    met = (drawn > 0).sum(axis=0)
    assert_counts(met[[1, 1, 2], [2, 3, 3]], np.full(3, 2 / 3), SAMPLES)


@pytest.mark.parametrize("neighbor_order", [*NEIGHBOR_ORDERS, "coarsen"])
def test_a_node_of_degree_two_leaves_nothing_to_chance(neighbor_order: str) -> None:
    path = Example("path", 3, ((0, 1, 2.0), (1, 2, 3.0)))
    left, _, _ = draw_tracked(path, 10, seed=0, keep=[0, 2], neighbor_order=neighbor_order)
    np.testing.assert_allclose(left[:, 0, 2], 6 / 5, rtol=1e-15)


def test_the_total_weight_of_one_elimination_is_exact_on_any_graph() -> None:
    """Whatever the sampling does, sum w_l rest_l / W is the exact clique's weight."""
    for example in SMALL:
        for node in range(example.num_nodes):
            view = rlap.randomized_schur(example.sparse, eliminate=[node], rng=node)
            exact = exact_elimination(example.dense, [node])
            assert view.sum() == pytest.approx(exact.sum(), rel=1e-12)

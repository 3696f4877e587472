"""`approximate_factor`: what the elimination leaves behind. Its mean is tested with the martingale."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import rlap
from tests.graphs import KARATE, NEIGHBOR_ORDERS, NODE_ORDERS, SMALL, Example, random_graph
from tests.oracles import Matrix, laplacian
from tests.sampling import draw_tracked

GRAPHS = pytest.mark.parametrize("example", [*SMALL, KARATE, random_graph(40, 120, seed=8)], ids=str)
GROUNDED = pytest.mark.parametrize("grounded", [False, True], ids=["plain", "grounded"])
VARIANTS = pytest.mark.parametrize(
    ("word", "neighbor_order"), [(word, order) for word in NODE_ORDERS for order in NEIGHBOR_ORDERS]
)
TREE = Example("tree", 7, ((0, 1, 1.0), (0, 2, 2.0), (1, 3, 0.5), (1, 4, 3.0), (2, 5, 1.5), (2, 6, 4.0)))


def product(factor: rlap.Factor) -> Matrix:
    """G D G^T, with rows and columns by node."""
    inner = (factor.lower @ sp.diags_array(factor.diagonal) @ factor.lower.T).toarray()
    result = np.zeros_like(inner)
    result[np.ix_(factor.order, factor.order)] = inner
    return np.asarray(result)


@GRAPHS
@GROUNDED
@VARIANTS
def test_the_shape_of_a_factor(example: Example, grounded: bool, word: str, neighbor_order: str) -> None:
    ground = example.leak if grounded else None
    options: dict[str, Any] = {"neighbor_order": neighbor_order, "ground": ground, "rng": 3}
    options["node_order"] = example.node_order(word)
    factor = rlap.approximate_factor(example.sparse, fraction=0.5, **options)
    count = example.num_nodes // 2
    lower = factor.lower.toarray()
    assert lower.shape == (example.num_nodes, count)
    np.testing.assert_array_equal(np.diag(lower), np.ones(count))
    np.testing.assert_array_equal(np.triu(lower, 1), np.zeros_like(lower))
    assert (factor.diagonal >= 0).all()
    np.testing.assert_array_equal(np.sort(factor.order), np.arange(example.num_nodes))
    if word == "given":
        np.testing.assert_array_equal(factor.order[:count], example.order[:count])
    sums = lower.sum(axis=0)  # of columns with neighbours: 1 minus what is shared out, some of it to the ground
    sums = sums[factor.diagonal > 0]
    assert (sums > -1e-12).all()
    if not grounded:
        np.testing.assert_allclose(sums, 0, atol=1e-12)

    view = rlap.randomized_schur(example.sparse, fraction=0.5, **options)
    left, expected = (factor.remainder, view) if ground is None else (factor.remainder[0], view[0])
    np.testing.assert_array_equal(left.toarray(), expected.toarray())
    if ground is not None:
        np.testing.assert_array_equal(factor.remainder[1], view[1])


@pytest.mark.parametrize("example", SMALL, ids=str)
@GROUNDED
@VARIANTS
def test_alone_it_is_what_the_martingale_is_tested_with(
    example: Example, grounded: bool, word: str, neighbor_order: str
) -> None:
    """There it comes from thousands of copies in a batch; copy g has the seed that is derived for it."""
    order, ground = example.node_order(word), example.leak if grounded else None
    options: dict[str, Any] = {"node_order": order, "neighbor_order": neighbor_order, "ground": ground}
    remainder, summed, _ = draw_tracked(example, 5, seed=9, keep=example.keep, **options)
    inside = slice(0, example.num_nodes)
    for g in range(5):
        seed = rlap.derive_seed(9, graph=g)
        factor = rlap.approximate_factor(example.sparse, keep=example.keep, rng=seed, **options)
        left = factor.remainder if ground is None else factor.remainder[0]
        np.testing.assert_array_equal(left.toarray(), remainder[g, inside, inside])
        size = np.abs(summed[g]).max()
        np.testing.assert_allclose(product(factor), summed[g, inside, inside], rtol=1e-12, atol=1e-14 * size)


@GRAPHS
@VARIANTS
def test_the_first_column_is_that_of_the_laplacian(example: Example, word: str, neighbor_order: str) -> None:
    factor = rlap.approximate_factor(
        example.sparse, node_order=example.node_order(word), neighbor_order=neighbor_order, rng=4
    )
    G, d = factor
    first = factor.order[0]
    column = np.zeros(example.num_nodes)
    column[factor.order] = G[:, [0]].toarray()[:, 0] * d[0]
    if d[0] > 0:
        np.testing.assert_allclose(column, laplacian(example.dense)[first], rtol=1e-12)


@pytest.mark.parametrize("ground", [None, np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.5])], ids=["plain", "grounded"])
def test_a_tree_from_its_leaves_is_factorised_exactly(ground: Matrix | None) -> None:
    """Every star has two leaves at the most, the parent in the tree and the ground: nothing is sampled."""
    factor = rlap.approximate_factor(TREE.sparse, node_order=[3, 4, 5, 6, 1, 2, 0], ground=ground, rng=0)
    expected = laplacian(TREE.dense) + (0 if ground is None else np.diag(ground))
    np.testing.assert_allclose(product(factor), expected, atol=1e-14)


@VARIANTS
def test_a_ring_is_factorised_exactly_in_any_order(word: str, neighbor_order: str) -> None:
    """Every node has two neighbours, and goes on having them."""
    ring = Example(
        "ring",
        6,
        tuple((u, (u + 1) % 6, 1.0 + u) if u < 5 else (0, 5, 6.0) for u in range(6)),
        order=(2, 5, 0, 3, 1, 4),
    )
    factor = rlap.approximate_factor(
        ring.sparse, node_order=ring.node_order(word), neighbor_order=neighbor_order, rng=1
    )
    np.testing.assert_allclose(product(factor), laplacian(ring.dense), atol=1e-13)


@GRAPHS
@GROUNDED
@VARIANTS
def test_solve_inverts_the_product(example: Example, grounded: bool, word: str, neighbor_order: str) -> None:
    """On the range of the product, G D G^T applied to a solution gives back the right-hand side."""
    factor = rlap.approximate_factor(
        example.sparse,
        node_order=example.node_order(word),
        neighbor_order=neighbor_order,
        ground=example.leak if grounded else None,
        rng=2,
    )
    matrix = product(factor)
    b = matrix @ np.random.default_rng(0).normal(size=example.num_nodes)
    solved = factor.solve(b)
    # Relative to the terms that cancel; over twelve orders of magnitude these are large.
    np.testing.assert_allclose(matrix @ solved, b, atol=1e-12 * float((np.abs(matrix) @ np.abs(solved)).max() + 1))


def hubs(num_nodes: int, seed: int) -> sp.csr_array:
    """A weighted graph in which some nodes have hundreds of neighbours: every node joins a few earlier ones."""
    rng = np.random.default_rng(seed)
    row = np.repeat(np.arange(1, num_nodes), 4)
    col = (row * rng.random(row.size) ** 3).astype(np.int64)
    half = sp.coo_array((rng.uniform(0.5, 2, row.size), (row, col)), shape=(num_nodes, num_nodes))
    return sp.csr_array(half + half.T)


@GROUNDED
@VARIANTS
@pytest.mark.parametrize("num_nodes", [300, 20_000])
def test_no_edge_is_lost_in_large_graphs(num_nodes: int, grounded: bool, word: str, neighbor_order: str) -> None:
    """Whatever is sampled, a star of the weights w and the sum W turns into edges of (W^2 - sum w^2) / 2 W in all."""
    adjacency = hubs(num_nodes, seed=1)
    rng = np.random.default_rng(2)
    ground = rng.random(num_nodes) * (rng.random(num_nodes) < 0.3) if grounded else None
    order = rng.permutation(num_nodes) if word == "given" else word
    factor = rlap.approximate_factor(
        adjacency, fraction=0.6, node_order=order, neighbor_order=neighbor_order, ground=ground, rng=3
    )
    columns = factor.columns
    total = columns.total[columns.total > 0]
    squares = np.add.reduceat(columns.weight**2, columns.begin[:-1][columns.total > 0])
    left, leak = (factor.remainder, np.zeros(1)) if ground is None else factor.remainder
    before = adjacency.sum() / 2 + (0 if ground is None else ground.sum())
    expected = before - total.sum() + ((total**2 - squares) / (2 * total)).sum()
    assert left.sum() / 2 + leak.sum() == pytest.approx(expected, rel=1e-11)


def test_solve_needs_all_nodes() -> None:
    factor = rlap.approximate_factor(KARATE.sparse, fraction=0.5, rng=0)
    with pytest.raises(ValueError, match=r"all nodes \(17 of 34 are not eliminated\)"):
        factor.solve(np.zeros(34))


@pytest.mark.parametrize("shape", [(33,), (35,), (34, 1), ()])
def test_solve_checks_its_right_hand_side(shape: tuple[int, ...]) -> None:
    factor = rlap.approximate_factor(KARATE.sparse, rng=0)
    with pytest.raises(ValueError, match=r"the shape \(34,\)"):
        factor.solve(np.zeros(shape))


def test_nothing_eliminated_and_nothing_there() -> None:
    none = rlap.approximate_factor(KARATE.sparse, fraction=0.0, rng=0)
    assert none.lower.shape == (34, 0)
    np.testing.assert_array_equal(none.remainder.toarray(), KARATE.dense)
    empty = rlap.approximate_factor(sp.csr_array((0, 0)), rng=0)
    assert empty.lower.shape == (0, 0)
    assert empty.solve(np.zeros(0)).shape == (0,)

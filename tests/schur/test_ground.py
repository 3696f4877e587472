"""The ground: a vertex that is never eliminated, the graph of D - A + diag(ground)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import rlap
from tests.graphs import KARATE, NEIGHBOR_ORDERS, NODE_ORDERS, SMALL, Example, random_graph
from tests.oracles import Matrix, exact_elimination, laplacian, with_ground
from tests.schur.variants import same, view_arrays

EXAMPLES = pytest.mark.parametrize("example", [*SMALL, KARATE], ids=str)
VARIANTS = pytest.mark.parametrize(
    ("word", "neighbor_order"), [(word, order) for word in NODE_ORDERS for order in NEIGHBOR_ORDERS]
)


@EXAMPLES
@VARIANTS
def test_a_ground_of_zero_is_no_ground(example: Example, word: str, neighbor_order: str) -> None:
    def view(ground: Matrix | None) -> rlap.View:
        made = rlap.schur_view(
            example.edge_index,
            example.edge_weight,
            num_nodes=example.num_nodes,
            fraction=0.5,
            node_order=example.node_order(word),
            neighbor_order=neighbor_order,
            ground=ground,
            seed=3,
        )
        assert isinstance(made, rlap.View)
        return made

    zero = view(np.zeros(example.num_nodes))
    np.testing.assert_array_equal(zero.ground, np.zeros(example.num_nodes))
    assert same(view_arrays(zero)[:3], view_arrays(view(None)))


@VARIANTS
def test_a_chain_to_the_ground_is_exact(word: str, neighbor_order: str) -> None:
    """Every node of a path with ground at one end has two neighbours at the most: nothing is left to chance."""
    path = Example("path", 5, ((0, 1, 1.0), (1, 2, 2.0), (2, 3, 3.0), (3, 4, 4.0)), order=(3, 1, 4, 2, 0))
    ground = np.array([0.0, 0.0, 0.0, 0.0, 5.0])
    _, left = rlap.randomized_schur(
        path.sparse,
        keep=[0],
        node_order=path.node_order(word),
        neighbor_order=neighbor_order,
        ground=ground,
        rng=0,
    )
    expected = 1 / (1 / 1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5)
    np.testing.assert_allclose(left, [expected, 0, 0, 0, 0], rtol=1e-14)


@pytest.mark.parametrize("method", ["randomized", "walks", "exact", "coarsening"])
def test_eliminated_nodes_have_no_ground_left(method: str) -> None:
    functions: dict[str, Any] = {
        "randomized": rlap.randomized_schur,
        "walks": rlap.walk_schur,
        "exact": rlap.exact_schur,
        "coarsening": rlap.vertex_coarsening,
    }
    options = {} if method == "exact" else {"rng": 0}
    _, left = functions[method](KARATE.sparse, keep=KARATE.keep, ground=KARATE.leak, **options)
    assert not left[list(KARATE.gone)].any()
    assert (left >= 0).all()
    assert left.sum() > KARATE.leak[list(KARATE.keep)].sum()


@EXAMPLES
def test_the_ground_is_one_more_node(example: Example) -> None:
    """The exact grounded result is that of the graph with the ground as a kept node."""
    whole = with_ground(example.dense, example.leak)
    left, ground = rlap.exact_schur(example.sparse, keep=example.keep, ground=example.leak)
    explicit = rlap.exact_schur(sp.csr_array(whole), keep=[*example.keep, example.num_nodes]).toarray()
    size = whole.max()
    np.testing.assert_allclose(with_ground(left.toarray(), ground), explicit, rtol=1e-9, atol=1e-11 * size)
    expected = exact_elimination(whole, example.gone)
    np.testing.assert_allclose(explicit, expected, rtol=1e-6, atol=1e-11 * size)


@pytest.mark.parametrize("beta", [0.5, 0.8, 0.999])
def test_inverse_of_the_complement_is_the_corner_of_the_inverse(beta: float) -> None:
    """D - beta A, as for personalised PageRank: its inverse on the kept nodes is that of the Schur complement."""
    example = random_graph(40, 100, seed=6)
    degree = example.dense.sum(axis=1)
    keep = list(example.keep)
    adjacency = sp.csr_array(beta * example.dense)
    left, ground = rlap.exact_schur(adjacency, keep=keep, ground=(1 - beta) * degree)
    complement = laplacian(left.toarray())[np.ix_(keep, keep)] + np.diag(ground[keep])
    corner = np.linalg.inv(np.diag(degree) - beta * example.dense)[np.ix_(keep, keep)]
    np.testing.assert_allclose(np.linalg.inv(complement), corner, rtol=1e-8)


@VARIANTS
def test_a_component_without_kept_nodes_leaves_nothing(word: str, neighbor_order: str) -> None:
    """What leaked from it to the ground concerns nobody else."""
    example = Example(
        "two parts",
        6,
        ((0, 1, 1.0), (1, 2, 2.0), (0, 2, 1.5), (3, 4, 1.0), (4, 5, 1.0), (3, 5, 1.0)),
        order=(4, 0, 5, 2, 3, 1),
    )
    left, ground = rlap.randomized_schur(
        example.sparse,
        keep=[0, 1, 2],
        node_order=example.node_order(word),
        neighbor_order=neighbor_order,
        ground=np.array([0.5, 0.0, 0.0, 1.0, 2.0, 0.0]),
        rng=1,
    )
    expected = example.dense.copy()
    expected[3:] = 0
    np.testing.assert_array_equal(left.toarray(), expected)
    np.testing.assert_array_equal(ground, [0.5, 0, 0, 0, 0, 0])


def test_no_nodes_and_a_ground() -> None:
    for method in ("elimination", "walks"):
        empty = rlap.schur_view(
            np.zeros((2, 0), int), num_nodes=0, fraction=0.5, ground=np.zeros(0), seed=0, method=method
        )
        assert empty.ground is not None
        assert empty.ground.shape == (0,)


def test_all_nodes_gone_relabelled_with_a_ground() -> None:
    view = rlap.schur_view(KARATE.edge_index, num_nodes=34, fraction=1.0, ground=KARATE.leak, relabel=True, seed=0)
    assert view.ground is not None
    assert view.ground.shape == (0,)

"""Many eliminations against the full enumeration of all that can happen, with probabilities, on small graphs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.graphs import NEIGHBOR_ORDERS, NODE_ORDERS, SMALL, Example
from tests.oracles import enumerate_outcomes, exact_elimination
from tests.sampling import draw_alone, draw_batch
from tests.significance import assert_outcomes

EXAMPLES = pytest.mark.parametrize("example", SMALL, ids=str)
GROUNDED = pytest.mark.parametrize("grounded", [False, True], ids=["plain", "grounded"])
VARIANTS = (
    pytest.mark.parametrize("word", NODE_ORDERS),
    pytest.mark.parametrize("neighbor_order", NEIGHBOR_ORDERS),
)
COUNT = 2  # of all nodes; with `keep` it is up to three


@EXAMPLES
@GROUNDED
@VARIANTS[0]
@VARIANTS[1]
def test_a_number_of_nodes(example: Example, grounded: bool, word: str, neighbor_order: str) -> None:
    order, ground = example.node_order(word), example.leak if grounded else None
    outcomes = enumerate_outcomes(example.dense, COUNT, node_order=order, neighbor_order=neighbor_order, ground=ground)
    for draw, samples in ((draw_batch, 6_000), (draw_alone, 300)):
        drawn = draw(
            example, samples, seed=1, count=COUNT, node_order=order, neighbor_order=neighbor_order, ground=ground
        )
        assert_outcomes(drawn, outcomes)


@EXAMPLES
@GROUNDED
@VARIANTS[0]
@VARIANTS[1]
def test_the_nodes_that_are_not_kept(example: Example, grounded: bool, word: str, neighbor_order: str) -> None:
    order, ground = example.node_order(word), example.leak if grounded else None
    outcomes = enumerate_outcomes(
        example.dense,
        len(example.gone),
        candidates=example.gone,
        node_order=order,
        neighbor_order=neighbor_order,
        ground=ground,
    )
    for draw, samples in ((draw_batch, 6_000), (draw_alone, 300)):
        drawn = draw(
            example,
            samples,
            seed=2,
            keep=example.keep,
            node_order=order,
            neighbor_order=neighbor_order,
            ground=ground,
        )
        assert_outcomes(drawn, outcomes)


@pytest.mark.parametrize("neighbor_order", ["asc", "desc", "coarsen"])
@pytest.mark.parametrize(("nodes", "keep"), [(5, 0), (6, 3)])
def test_degrees_with_many_parallel_edges(nodes: int, keep: int, neighbor_order: str) -> None:
    """In a clique every new edge lies beside an old one: it counts until one of its ends goes, and then no more.

    Of six nodes, three of them to be kept, some come to have more edges than there are nodes.
    """
    pairs = itertools.combinations(range(nodes), 2)
    clique = Example("clique", nodes, tuple((u, v, 1.0 + at) for at, (u, v) in enumerate(pairs)))
    candidates = range(nodes - keep)
    outcomes = enumerate_outcomes(
        clique.dense, 3, candidates=candidates, node_order="degree", neighbor_order=neighbor_order
    )
    drawn = draw_batch(
        clique,
        10_000,
        seed=4,
        count=None if keep else 3,
        keep=range(nodes - keep, nodes) if keep else None,
        node_order="degree",
        neighbor_order=neighbor_order,
    )
    assert_outcomes(drawn, outcomes)


def test_the_mean_of_many_eliminations_is_not_the_exact_one() -> None:
    """The bias is real: a program that met the exact Schur complement here would not be the paper's."""
    wheel = Example(
        "wheel",
        5,
        (*((0, v, 1.0) for v in (1, 2, 3, 4)), (1, 2, 1.0), (2, 3, 1.0), (3, 4, 1.0), (1, 4, 1.0)),
        weighted=False,
    )
    drawn = draw_batch(wheel, 20_000, seed=3, keep=[2, 3, 4], node_order=[0, 1, 2, 3, 4])
    total = drawn.sum(axis=(1, 2))
    exact = exact_elimination(wheel.dense, [0, 1]).sum()
    z = (total.mean() - exact) / (total.std() / np.sqrt(len(total)))
    assert z < -10
    assert total.mean() > 0.97 * exact

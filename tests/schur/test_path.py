"""`schur_path`: many views from one elimination."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

import rlap
from tests.graphs import KARATE, NEIGHBOR_ORDERS, NODE_ORDERS, SMALL, Example, random_graph
from tests.oracles import Matrix, enumerate_outcomes, with_ground
from tests.sampling import Samples
from tests.significance import assert_outcomes

WORDS = pytest.mark.parametrize("word", NODE_ORDERS)
REPLACEMENTS = pytest.mark.parametrize("neighbor_order", [*NEIGHBOR_ORDERS, "coarsen"])
GROUNDED = pytest.mark.parametrize("grounded", [False, True], ids=["plain", "grounded"])


def snapshots(
    example: Example, counts: list[int], word: str, neighbor_order: str, ground: Matrix | None, seed: int
) -> Samples:
    """The graphs, with the ground as the last node, after so many eliminations."""
    graphs = rlap.schur_path(
        example.sparse,
        [min((count + 0.5) / example.num_nodes, 1.0) for count in counts],
        node_order=example.node_order(word),
        neighbor_order="asc" if neighbor_order == "coarsen" else neighbor_order,
        coarsen=neighbor_order == "coarsen",
        ground=ground,
        rng=seed,
    )
    if ground is None:
        return np.array([with_ground(graph.toarray(), None) for graph in graphs])
    return np.array([with_ground(graph.toarray(), left) for graph, left in graphs])


@pytest.mark.parametrize("example", [SMALL[0], SMALL[1], SMALL[8]], ids=str)
@GROUNDED
@WORDS
@REPLACEMENTS
def test_every_snapshot_has_the_right_distribution(
    example: Example, grounded: bool, word: str, neighbor_order: str
) -> None:
    ground = example.leak if grounded else None
    drawn = np.array([snapshots(example, [0, 1, 2], word, neighbor_order, ground, seed) for seed in range(200)])
    np.testing.assert_array_equal(drawn[:, 0], np.broadcast_to(with_ground(example.dense, ground), drawn[:, 0].shape))
    for count in (1, 2):
        outcomes = enumerate_outcomes(
            example.dense, count, node_order=example.node_order(word), neighbor_order=neighbor_order, ground=ground
        )
        assert_outcomes(drawn[:, count], outcomes)


@pytest.mark.parametrize("example", [KARATE, random_graph(30, 100, seed=7)], ids=str)
@GROUNDED
@WORDS
@REPLACEMENTS
def test_every_step_is_one_elimination(example: Example, grounded: bool, word: str, neighbor_order: str) -> None:
    """From each snapshot to the next, one star goes and a tree over its leaves comes, with weights that are known.

    The sampled clique has one edge of w_l rest_l / W for every leaf l but the last. In a random order the weights are
    not known, but their sum is.
    """
    ground = example.leak if grounded else None
    path = snapshots(example, list(range(example.num_nodes + 1)), word, neighbor_order, ground, seed=9)
    alive = set(range(example.num_nodes))
    for before, after in itertools.pairwise(path):
        left = {node for node in alive if after[node].any()}
        (gone,) = find_eliminated(before, after, alive - left)
        alive.remove(gone)
        star = before[gone]
        leaves = np.flatnonzero(star)
        added = after - before
        added[gone] = added[:, gone] = 0
        outside = np.setdiff1d(np.arange(len(before)), leaves)
        np.testing.assert_allclose(added[outside], 0, atol=1e-13 * before.max())  # sums in another order
        among = np.ix_(leaves, leaves)
        check_replacement(star[leaves], before[among], added[among], neighbor_order)
    assert not alive
    assert not path[-1].any()


def find_eliminated(before: Matrix, after: Matrix, candidates: set[int]) -> set[int]:
    """The node that was eliminated: the one that lost its edges, or if none had any, one of those without."""
    lost = {node for node in candidates if before[node].any()}
    # A neighbour whose only edge led to the eliminated node is bare as well; it had no other edge to lose.
    if len(lost) == 2:
        one, other = sorted(lost)
        assert before[one, other] == before[one].sum() == before[other].sum()
        return {one}
    return lost or {min(candidates)}


def check_replacement(star: Matrix, before: Matrix, added: Matrix, neighbor_order: str) -> None:
    size, total = len(star), star.sum()
    if size < 2:
        assert not added.any()
        return
    rounding = 1e-12 * total
    there = added > 1e-13 * before  # an edge may be so light that it drowns in the one that it joins
    edges = there.sum() // 2
    assert edges <= size - 1
    if edges == size - 1:
        assert connected_components(there, directed=False)[0] == 1
    new = added[np.triu_indices(size, 1)]
    if neighbor_order == "coarsen":
        centre = int(np.argmax(there.sum(axis=0)))
        own = star[centre]
        others = np.delete(star, centre)
        np.testing.assert_allclose(np.delete(added[centre], centre), own * others / (own + others), atol=rounding)
        return
    np.testing.assert_allclose(new.sum(), (total**2 - (star**2).sum()) / (2 * total), atol=size * rounding)
    if neighbor_order != "random":
        ordered = np.sort(star) if neighbor_order == "asc" else np.sort(star)[::-1]
        expected = ordered * (total - np.cumsum(ordered)) / total
        np.testing.assert_allclose(np.sort(new)[1 - size :], np.sort(expected[:-1]), atol=rounding)


@WORDS
@REPLACEMENTS
def test_the_last_snapshot_is_the_view_with_that_fraction(word: str, neighbor_order: str) -> None:
    order = KARATE.node_order(word)
    if neighbor_order == "coarsen":
        path = rlap.schur_path(KARATE.sparse, [0.2, 0.7], node_order=order, coarsen=True, rng=3)
        view = rlap.vertex_coarsening(KARATE.sparse, fraction=0.7, node_order=order, rng=3)
    else:
        path = rlap.schur_path(KARATE.sparse, [0.2, 0.7], node_order=order, neighbor_order=neighbor_order, rng=3)
        view = rlap.randomized_schur(
            KARATE.sparse, fraction=0.7, node_order=order, neighbor_order=neighbor_order, rng=3
        )
    np.testing.assert_array_equal(path[1].toarray(), view.toarray())


def test_fractions_come_back_in_their_order() -> None:
    shares = [0.5, 0.0, 0.9, 0.5, 0.51]
    path = [graph.toarray() for graph in rlap.schur_path(KARATE.sparse, shares, rng=4)]
    np.testing.assert_array_equal(path[1], KARATE.dense)
    np.testing.assert_array_equal(path[0], path[3])
    np.testing.assert_array_equal(path[0], path[4])  # 17 of 34 nodes either way
    assert [int((graph.sum(axis=0) > 0).sum()) for graph in (path[2], path[0], path[1])] == [4, 17, 34]


def test_no_fractions() -> None:
    assert rlap.schur_path(KARATE.sparse, [], rng=0) == []


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_fractions_must_be_shares(share: float) -> None:
    with pytest.raises(ValueError, match=rf"fractions must lie in \[0, 1\] \(got {share}\)"):
        rlap.schur_path(KARATE.sparse, [0.5, share], rng=0)

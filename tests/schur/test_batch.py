"""A batch of graphs: each loses its own share, none touches another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rlap
from tests.graphs import KARATE, NEIGHBOR_ORDERS, NODE_ORDERS, SMALL, Example
from tests.sampling import Batch, draw_batch
from tests.schur.variants import same, view_arrays
from tests.significance import assert_means
from tests.validity import assert_valid_view

SIZES = [6, 0, 1, 2, 34, 0, 5, 3]
PTR = np.cumsum([0, *SIZES])
GRAPH = np.repeat(np.arange(len(SIZES)), SIZES)


def ring_edges() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Every graph of three nodes or more is a ring."""
    edges = []
    for begin, size in zip(PTR[:-1], SIZES, strict=True):
        if size >= 3:
            here = begin + np.arange(size)
            edges += [np.stack([here, np.roll(here, 1)]), np.stack([np.roll(here, 1), here])]
    return np.concatenate(edges, axis=1)


RINGS = ring_edges()


@pytest.mark.parametrize("node_order", ["random", "degree", "given", "walks"])
@pytest.mark.parametrize("fraction", [0.0, 0.3, 0.5, 0.99, 1.0])
def test_every_graph_loses_its_own_share(node_order: str, fraction: float) -> None:
    options: dict[str, Any] = {"node_order": node_order}
    if node_order == "given":
        options = {"node_order": np.random.default_rng(0).permutation(PTR[-1])}
    elif node_order == "walks":
        options = {"method": "walks"}
    view = rlap.schur_view(RINGS, num_nodes=int(PTR[-1]), ptr=PTR, fraction=fraction, seed=1, **options)
    assert_valid_view(view, int(PTR[-1]))
    lost = np.bincount(GRAPH[~view.node_mask], minlength=len(SIZES))
    np.testing.assert_array_equal(lost, [int(fraction * size) for size in SIZES])
    assert (GRAPH[view.edge_index[0]] == GRAPH[view.edge_index[1]]).all()


def test_a_given_order_goes_graph_by_graph() -> None:
    """The permutation is of all nodes; in each graph, those of its own nodes go that come first in it."""
    order = np.random.default_rng(1).permutation(PTR[-1])
    view = rlap.schur_view(RINGS, num_nodes=int(PTR[-1]), ptr=PTR, fraction=0.5, node_order=order, seed=1)
    for g, size in enumerate(SIZES):
        own = [node for node in order if GRAPH[node] == g]
        assert set(own[: size // 2]) == set(np.flatnonzero(~view.node_mask & (g == GRAPH)))


def test_ptr_and_batch_say_the_same() -> None:
    """`batch` cannot tell of empty graphs at its end, so the last one has nodes here."""
    by_ptr = rlap.schur_view(RINGS, num_nodes=int(PTR[-1]), ptr=PTR, fraction=0.5, seed=3)
    by_batch = rlap.schur_view(RINGS, num_nodes=int(PTR[-1]), batch=GRAPH, fraction=0.5, seed=3)
    assert same(view_arrays(by_ptr), view_arrays(by_batch))


def test_a_batch_of_one_is_the_graph() -> None:
    alone = rlap.schur_view(KARATE.edge_index, num_nodes=34, fraction=0.5, seed=4)
    batch = rlap.schur_view(KARATE.edge_index, num_nodes=34, ptr=[0, 34], fraction=0.5, seed=4)
    assert same(view_arrays(alone), view_arrays(batch))


def test_keep_and_eliminate_over_the_whole_batch() -> None:
    gone = np.random.default_rng(2).random(PTR[-1]) < 0.4
    views = [
        rlap.schur_view(RINGS, num_nodes=int(PTR[-1]), ptr=PTR, seed=5, **selection)
        for selection in (
            {"keep": ~gone},
            {"eliminate": gone},
            {"keep": np.flatnonzero(~gone)},
            {"eliminate": np.flatnonzero(gone)[::-1]},
        )
    ]
    np.testing.assert_array_equal(views[0].node_mask, ~gone)
    assert all(same(view_arrays(views[0]), view_arrays(view)) for view in views[1:])


def test_relabelling_numbers_the_whole_batch_on() -> None:
    options: dict[str, Any] = {"num_nodes": int(PTR[-1]), "ptr": PTR, "fraction": 0.5, "seed": 6}
    plain, short = rlap.schur_view(RINGS, **options), rlap.schur_view(RINGS, relabel=True, **options)
    np.testing.assert_array_equal(short.edge_index, (np.cumsum(plain.node_mask) - 1)[plain.edge_index])


def test_relabelling_on_several_threads() -> None:
    batch = Batch(KARATE, 1_200)
    options: dict[str, Any] = {"num_nodes": batch.num_nodes, "ptr": batch.ptr, "fraction": 0.5, "seed": 6}
    ground = np.tile(KARATE.leak, batch.copies)
    made = [
        rlap.schur_view(batch.edge_index, relabel=True, ground=ground, num_threads=threads, **options)
        for threads in (1, 4)
    ]
    assert same(view_arrays(made[0]), view_arrays(made[1]))
    assert_valid_view(made[0], batch.num_nodes, relabel=True)


def test_an_edge_between_graphs_is_refused() -> None:
    with pytest.raises(ValueError, match=r"one graph of the batch \(got 1 -> 2 at edge 0\)"):
        rlap.schur_view([[1, 2], [2, 1]], num_nodes=4, ptr=[0, 2, 4], fraction=0.5, seed=0)


@pytest.mark.parametrize("word", NODE_ORDERS)
@pytest.mark.parametrize("neighbor_order", NEIGHBOR_ORDERS)
def test_graphs_of_a_batch_are_independent(word: str, neighbor_order: str) -> None:
    """Copies side by side are not correlated: the mean of the product of their deviations is zero."""
    example: Example = SMALL[0]
    drawn = draw_batch(
        example, 10_000, seed=8, keep=example.keep, node_order=example.node_order(word), neighbor_order=neighbor_order
    )
    row, col = np.nonzero(drawn.std(axis=0) > 1e-6)
    off = drawn[:, row, col] - drawn[:, row, col].mean(axis=0)
    off /= off.std(axis=0)
    for lag in (1, 10, 100):
        pairs = off.reshape(-1, 2, lag, len(row))  # no copy is in two of them
        assert_means((pairs[:, 0] * pairs[:, 1]).reshape(-1, len(row)), np.zeros(len(row)))

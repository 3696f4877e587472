"""Elimination over parts against `rlap.schur_view` in one process, for the same order and seed."""

from __future__ import annotations

import time

import numpy as np
import pytest

import rlap
import rlap.scale
from rlap.scale.choice import choose
from tests.scale.graphs import grid, hubs, islands

GRAPHS = {
    "grid": grid(14),
    "weighted grid": grid(14, weighted=True),
    "hubs": hubs(300, 900),
    "weighted hubs": hubs(300, 900, weighted=True),
    "islands": islands(),
}


def in_one_process(graph, order, seed, **options):
    source, target, weight, nodes = graph
    edge_index = np.concatenate([np.stack([source, target]), np.stack([target, source])], axis=1)
    rest = np.setdiff1d(np.arange(nodes), order)
    return rlap.schur_view(
        edge_index,
        np.concatenate([weight, weight]),
        num_nodes=nodes,
        eliminate=order,
        node_order=np.concatenate([order, rest]),
        seed=seed,
        **options,
    )


def over_parts(graph, **options):
    source, target, weight, nodes = graph
    options = {"directions": "one", "num_nodes": nodes, "fits": 0, "return_order": True} | options
    return rlap.scale.schur_view((source, target, weight), **options)


def assert_same(view, expected):
    np.testing.assert_array_equal(view.edge_index, expected.edge_index)
    np.testing.assert_allclose(view.edge_weight, expected.edge_weight, rtol=1e-12, atol=0)


@pytest.mark.parametrize("parts", [1, 2, 5])
@pytest.mark.parametrize("name", GRAPHS)
def test_parts_give_the_view_of_one_process(cluster, name, parts):
    graph = GRAPHS[name]
    view = over_parts(graph, fraction=0.85, parts=parts, levels=3, seed=parts)
    nodes = graph[3]
    assert view.order.size == int(0.85 * nodes)
    assert view.summary.kept == nodes - view.order.size
    levels = [level.parts for level in view.summary.levels]
    assert levels[0] == parts
    if parts == 5 and "grid" in name:
        assert levels[:3] == [5, 3, 2]
        assert all(level.eliminated > 0 for level in view.summary.levels)
    assert_same(view, in_one_process(graph, view.order, seed=parts))


@pytest.mark.parametrize("neighbor_order", ["desc", "random"])
def test_neighbor_orders(cluster, neighbor_order):
    view = over_parts(GRAPHS["grid"], fraction=0.8, parts=4, levels=2, neighbor_order=neighbor_order, seed=3)
    assert_same(view, in_one_process(GRAPHS["grid"], view.order, seed=3, neighbor_order=neighbor_order))


@pytest.mark.parametrize("partition", ["streaming", "range", "array"])
def test_partitions(cluster, partition):
    graph = GRAPHS["grid"]
    halves = np.arange(graph[3]) % 14 // 5
    view = over_parts(graph, fraction=0.7, parts=3, levels=2, partition=halves if partition == "array" else partition)
    expected = in_one_process(graph, view.order, seed=view.summary.seed)
    assert_same(view, expected)
    assert view.summary.levels[0].eliminated > 0
    if partition == "array":  # exactly the nodes that go and have no such neighbour in another part
        source, target, _, nodes = graph
        going = np.isin(np.arange(nodes), view.order)
        across = going[source] & going[target] & (halves[source] != halves[target])
        stuck = np.union1d(source[across], target[across])
        linked = np.union1d(source, target)
        first = view.summary.levels[0]
        assert first.eliminated == np.setdiff1d(linked[going[linked]], stuck).size
        assert first.boundary == pytest.approx(stuck.size / going[linked].sum())


def test_keep(cluster):
    graph = GRAPHS["weighted hubs"]
    keep = np.arange(0, graph[3], 7)
    view = over_parts(graph, keep=keep, parts=3, levels=1, seed=0)
    np.testing.assert_array_equal(np.sort(view.order), np.setdiff1d(np.arange(graph[3]), keep))
    assert_same(view, in_one_process(graph, view.order, seed=0))


def test_large_stars(cluster):
    """Stars of many equal weights, where every tie counts."""
    rng = np.random.default_rng(0)
    graph = rng.integers(0, 3, 2400), 3 + rng.integers(0, 500, 2400), np.ones(2400), 600
    view = over_parts(graph, keep=np.arange(3, 503, 2), parts=3, levels=2, seed=0)
    assert_same(view, in_one_process(graph, view.order, seed=0))


def test_ids_beyond_32_bits(cluster):
    """A path leaves no choice: resistances in series."""
    far = 2**40
    weight = np.random.default_rng(0).uniform(0.5, 2, 50)
    path = far + 3 * np.arange(51)
    view = over_parts(
        (path[:-1], path[1:], weight, 2**41), keep=path[[0, 20, 50]], parts=3, levels=2, return_order=False
    )
    assert view.edge_index.tolist() == [[far, far + 60, far + 60, far + 150], [far + 60, far, far + 150, far + 60]]
    series = [1 / (1 / weight[:20]).sum(), 1 / (1 / weight[20:]).sum()]
    np.testing.assert_allclose(view.edge_weight, [series[0], series[0], series[1], series[1]], rtol=1e-12)


@pytest.mark.parametrize("offset", [0, 2**62 - 300, 2**63 - 300])
@pytest.mark.parametrize("options", [{}, {"parts": 4, "partition": "range", "fits": 0, "levels": 1}])
def test_large_ids_of_a_path(cluster, offset, options):
    """A path has one view: resistances between neighbours that stay add up. Small ids and ids of 63 bits, at once."""
    rng = np.random.default_rng(3)
    ids = offset + np.sort(rng.choice(300, 60, replace=False))
    ids[-1] = offset + 299
    resistance = rng.uniform(0.5, 2.0, 59)
    began = time.monotonic()
    view = rlap.scale.schur_view(
        (ids[:-1], ids[1:], 1 / resistance), fraction=0.5, directions="one", seed=11, **options
    )
    assert time.monotonic() - began < 60
    assert view.num_nodes == offset + 300
    assert view.summary.kept == view.num_nodes - int(0.5 * view.num_nodes)
    stays = ids[~choose(0.5, None, view.num_nodes, 11).goes(ids)]
    assert 10 < stays.size < 50
    along = np.concatenate([[0.0], np.cumsum(resistance)])[np.searchsorted(ids, stays)]
    up = view.edge_index[0] < view.edge_index[1]
    np.testing.assert_array_equal(view.edge_index[:, up], [stays[:-1], stays[1:]])
    np.testing.assert_allclose(1 / view.edge_weight[up], np.diff(along), rtol=1e-12)


def test_what_large_ids_have_no_room_for(cluster):
    path = [2**62, 2**62 + 1], [2**62 + 1, 2**62 + 2]
    with pytest.raises(ValueError, match=r"return_order is for at most 4,294,967,296 nodes \(got num_nodes = 4,611,"):
        rlap.scale.schur_view(path, fraction=0.5, directions="one", return_order=True)
    with pytest.raises(ValueError, match=r'"streaming" holds 20 bytes for every node: .* \(got num_nodes = 4,611,'):
        rlap.scale.schur_view(path, fraction=1.0, directions="one", partition="streaming", parts=2)

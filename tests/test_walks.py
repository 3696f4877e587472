"""Random walks with restart: where they go, how often, and that nothing but the seed decides."""

from __future__ import annotations

import numpy as np
import pytest

import rlap
from rlap.walks import random_walks, visited_nodes
from tests.graphs import KARATE, SMALL, random_graph
from tests.significance import assert_counts

WALKS = 20_000


def transition(example, uniform):
    weights = (example.dense > 0).astype(float) if uniform else example.dense
    degree = weights.sum(axis=1, keepdims=True)
    return np.where(degree > 0, weights / np.where(degree > 0, degree, 1), np.eye(len(weights)))


@pytest.mark.parametrize("uniform", [False, True])
@pytest.mark.parametrize("restart", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("example", SMALL, ids=str)
def test_frequencies(example, restart, uniform):
    """After k steps a walk is at node v with the probability (P^k)_sv, where P mixes steps and returns to s."""
    for s in range(example.num_nodes):
        step = (1 - restart) * transition(example, uniform)
        step[:, s] += restart
        walks = random_walks(
            example.edge_index,
            example.edge_weight,
            num_nodes=example.num_nodes,
            start=np.full(WALKS, s),
            length=4,
            restart=restart,
            uniform=uniform,
            seed=s,
        )
        assert walks.shape == (WALKS, 5)
        for k in (1, 2, 4):
            counts = np.bincount(walks[:, k], minlength=example.num_nodes)
            assert_counts(counts, np.linalg.matrix_power(step, k)[s], WALKS)


def test_successive_steps_are_independent():
    """On a clique, the pair of two moves is uniform over all pairs that the clique allows."""
    clique = SMALL[6]
    walks = random_walks(clique.edge_index, num_nodes=4, start=np.zeros(WALKS, int), length=3, seed=1)
    moves = (walks[:, 1:] - walks[:, :-1]) % 4 - 1
    assert set(np.unique(moves)) == {0, 1, 2}
    counts = np.bincount(9 * moves[:, 0] + 3 * moves[:, 1] + moves[:, 2], minlength=27)
    assert_counts(counts, np.full(27, 1 / 27), WALKS)


def test_steps_follow_edges_or_return():
    graph = random_graph(200, 500, 3)
    start = np.arange(200)
    walks = random_walks(
        graph.edge_index, graph.edge_weight, num_nodes=200, start=start, length=50, restart=0.2, seed=5
    )
    assert (walks[:, 0] == start).all()
    here, there = walks[:, :-1], walks[:, 1:]
    returned = there == start[:, None]
    assert ((graph.dense[here, there] > 0) | returned).all()
    lonely = random_walks(np.zeros((2, 0), int), num_nodes=3, start=[2, 0], length=4, restart=0.5, seed=0)
    assert lonely.tolist() == [[2] * 5, [0] * 5]


@pytest.mark.parametrize("restart", [0.0, 0.25])
def test_visited_nodes_are_those_of_the_walks(restart):
    graph = random_graph(300, 600, 8)
    options = {"num_nodes": 300, "start": [5, 17, 5], "length": 30, "restart": restart, "seed": 11}
    walks = random_walks(graph.edge_index, graph.edge_weight, **options)
    mask = visited_nodes(graph.edge_index, graph.edge_weight, **options)
    assert mask.dtype == bool
    assert np.array_equal(np.flatnonzero(mask), np.unique(walks))


def test_threads_do_not_matter_and_seeds_do():
    options = {"num_nodes": 34, "start": np.arange(34).repeat(20), "length": 12, "restart": 0.1}
    one = random_walks(KARATE.edge_index, **options, seed=3, num_threads=1)
    for threads in (2, 7):
        assert np.array_equal(one, random_walks(KARATE.edge_index, **options, seed=3, num_threads=threads))
    assert not np.array_equal(one, random_walks(KARATE.edge_index, **options, seed=4))
    drawn = [random_walks(KARATE.edge_index, **options, seed=np.random.default_rng(9)) for _ in range(2)]
    assert np.array_equal(*drawn)
    same_start = random_walks(KARATE.edge_index, num_nodes=34, start=np.zeros(50, int), length=12, seed=0)
    assert len(np.unique(same_start, axis=0)) > 40


def test_a_graph_in_a_batch_walks_as_alone():
    graphs = [SMALL[0], KARATE, SMALL[0]]
    ptr = np.array([0, 6, 40, 46])
    index = np.concatenate([graph.edge_index + at for graph, at in zip(graphs, ptr[:-1], strict=True)], axis=1)
    ones = np.ones(KARATE.edge_index.shape[1])
    weight = np.concatenate([SMALL[0].edge_weight, ones, SMALL[0].edge_weight])
    start = np.array([41, 0, 6, 3, 45, 39, 0])
    walks = random_walks(index, weight, num_nodes=46, ptr=ptr, start=start, length=20, restart=0.2, seed=2)
    for g, graph in enumerate(graphs):
        own = (start >= ptr[g]) & (start < ptr[g + 1])
        alone = random_walks(
            graph.edge_index,
            graph.edge_weight,
            num_nodes=graph.num_nodes,
            start=start[own] - ptr[g],
            length=20,
            restart=0.2,
            seed=rlap.derive_seed(2, graph=g),
        )
        assert np.array_equal(walks[own] - ptr[g], alone)


def test_refusals():
    pair = np.array([[0, 1], [1, 0]])
    with pytest.raises(ValueError, match=r"start must lie in \[0, 2\) \(got 2 for walk 1\)"):
        random_walks(pair, num_nodes=2, start=[0, 2], length=1)
    with pytest.raises(TypeError, match=r"start must hold integers \(got float64\)"):
        random_walks(pair, num_nodes=2, start=[0.5], length=1)
    with pytest.raises(ValueError, match=r"start must have one dimension \(got 2\)"):
        random_walks(pair, num_nodes=2, start=[[0]], length=1)
    with pytest.raises(ValueError, match=r"length must lie in \[0, 2\*\*31\) \(got -1\)"):
        random_walks(pair, num_nodes=2, start=[0], length=-1)
    with pytest.raises(TypeError, match=r"length must be an integer \(got float\)"):
        random_walks(pair, num_nodes=2, start=[0], length=1.5)
    for restart in (-0.1, 1.5, float("nan")):
        with pytest.raises(ValueError, match=r"restart must lie in \[0, 1\]"):
            random_walks(pair, num_nodes=2, start=[0], length=1, restart=restart)
    assert random_walks(pair, num_nodes=2, start=[], length=3, seed=0).shape == (0, 4)
    assert not visited_nodes(pair, num_nodes=2, start=[], length=3, seed=0).any()

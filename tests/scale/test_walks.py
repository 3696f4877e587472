"""Walks over parts: their mean is the exact Schur complement, and parts do not matter."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.stats import norm

import rlap
import rlap.scale
from tests.scale.graphs import grid, hubs, islands


def walk(graph, **options):
    source, target, weight, nodes = graph
    options = {"directions": "one", "num_nodes": nodes, "method": "walks"} | options
    return rlap.scale.schur_view((source, target, weight), **options)


@pytest.mark.parametrize("graph", [grid(9, weighted=True), hubs(120, 400), islands()], ids=["grid", "hubs", "islands"])
def test_parts_do_not_matter(cluster, graph):
    views = [walk(graph, fraction=0.7, parts=parts, seed=5) for parts in (1, 2, 5)]
    assert len(views[2].summary.levels) > 1  # walks were handed over
    for view in views[1:]:
        np.testing.assert_array_equal(view.edge_index, views[0].edge_index)
        np.testing.assert_allclose(view.edge_weight, views[0].edge_weight, rtol=1e-12, atol=0)


def test_the_mean_is_the_exact_schur_complement(cluster):
    """One graph in many copies is many independent samples in one call: walks are drawn by edge."""
    source, target, weight, nodes = grid(5, weighted=True)
    copies = 2000
    shift = nodes * np.arange(copies)[:, None]
    keep = np.array([0, 3, 11, 18, 24])
    view = walk(
        ((source + shift).ravel(), (target + shift).ravel(), np.tile(weight, copies), nodes * copies),
        keep=(keep + shift).ravel(),
        parts=3,
        partition="range",
        seed=1,
    )
    row, col = view.edge_index
    position = np.full(nodes, -1)
    position[keep] = np.arange(keep.size)
    sample = np.zeros((copies, keep.size, keep.size))
    sample[row // nodes, position[row % nodes], position[col % nodes]] = view.edge_weight
    adjacency = sp.csr_array((weight, (source, target)), shape=(nodes, nodes))
    exact = rlap.exact_schur(adjacency + adjacency.T, keep=keep).toarray()[np.ix_(keep, keep)]
    upper = np.triu_indices(keep.size, 1)
    spread = sample.std(axis=0, ddof=1)[upper] / np.sqrt(copies)
    z = (sample.mean(axis=0)[upper] - exact[upper]) / spread
    assert np.abs(z).max() < norm.isf(1e-3 / 2 / z.size), z


def test_components_without_a_kept_node_leave_nothing(cluster):
    source, target, weight, nodes = islands()
    view = walk((source, target, weight, nodes), keep=[0, 10, 70, 99], parts=3, partition="range", seed=0)
    assert view.edge_index.tolist() == [[0, 10, 70, 99], [10, 0, 99, 70]]

"""Parallel edges of a star are merged by label; what other labels there are must not matter."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import rlap


@pytest.mark.parametrize("neighbor_order", ["asc", "desc", "random"])
def test_isolated_nodes_change_nothing(neighbor_order: str) -> None:
    # The core looks labels up in 2^14 slots, and begins a star again when two of its labels share one. Which do depends
    # on the labels: nodes that go have their ranks, nodes that stay follow. So isolated nodes that go first move all
    # others to other slots. Most of the graph goes, so that stars are large and have many parallel edges.
    rng = np.random.default_rng(0)
    everybody = rng.permutation(60_000)
    nodes, isolated = everybody[:9_000], everybody[9_000:]
    ends = nodes[rng.integers(nodes.size, size=(2, 6 * nodes.size))]
    ends = ends[:, ends[0] != ends[1]]
    edge_index = np.concatenate([ends, ends[::-1]], axis=1)
    edge_weight = np.tile(rng.random(ends.shape[1]) + 0.5, 2)
    gone = rng.permutation(nodes[:7_500])

    def view(first: NDArray[np.int64]) -> rlap.View:
        eliminate = np.concatenate([first, gone])
        return rlap.schur_view(
            edge_index,
            edge_weight,
            num_nodes=everybody.size,
            eliminate=eliminate,
            node_order=np.concatenate([eliminate, np.setdiff1d(everybody, eliminate)]),
            neighbor_order=neighbor_order,
            seed=5,
            num_threads=1,
        )

    expected = view(isolated[:0])
    assert expected.edge_index.shape[1] > 1_000
    for count in (1, 5_000, 20_000, isolated.size):
        got = view(isolated[:count])
        np.testing.assert_array_equal(got.edge_index, expected.edge_index)
        # Sums are added up in another order when an edge arrives in the block of its node and not before it.
        np.testing.assert_allclose(got.edge_weight, expected.edge_weight, rtol=1e-12)

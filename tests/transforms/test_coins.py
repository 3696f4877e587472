"""The numbers of edges against SplitMix64, written out with Python's integers."""

from __future__ import annotations

import numpy as np
import pytest

from rlap.schur.seeds import derive_seed
from rlap.transforms.coins import Coins

STEP, WORD = 0x9E3779B97F4A7C15, 2**64


def mix(x: int) -> int:
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB % WORD
    return x ^ (x >> 31)


def number(seed: int, graph: int, first: int, second: int) -> float:
    key = (first << 32 | second) * STEP + mix(derive_seed(seed, graph=graph))
    return (mix(key % WORD) >> 11) * 2.0**-53


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_numbers_of_a_batch(directed: bool, dtype: type) -> None:
    ptr = np.array([0, 3, 3, 8])
    index = np.array([[0, 2, 7, 3, 1, 4], [2, 0, 3, 7, 1, 6]], dtype=dtype)
    expected = []
    for row, col in index.T.tolist():
        graph = int(np.searchsorted(ptr, row, side="right")) - 1
        u, v = row - int(ptr[graph]), col - int(ptr[graph])
        expected.append(number(5, graph, *((u, v) if directed else sorted((u, v)))))
    assert Coins(ptr, 5).of_edges(index, directed=directed).tolist() == expected


def test_ends_that_are_no_nodes_are_refused() -> None:
    for wrong in (-1, 8):
        with pytest.raises(ValueError, match=rf"edge_index must lie in \[0, num_nodes\) = \[0, 8\) \(got {wrong}\)"):
            Coins(np.array([0, 8]), 5).of_edges(np.array([[0, wrong], [1, 2]]))

"""Memory that the core keeps between calls: it changes no result, belongs to nobody else, and can be had back."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import rlap

NODES = 120_000
KEEPS = pytest.mark.skipif(
    sys.platform != "linux" or "libasan" in os.environ.get("LD_PRELOAD", ""),
    reason="memory is kept on Linux alone, and never under AddressSanitizer",
)


@pytest.fixture(scope="module")
def edge_index() -> NDArray[np.int64]:
    """A random graph whose arrays are some ten megabytes: large enough to be kept."""
    ends = np.random.default_rng(0).integers(NODES, size=(2, 5 * NODES))
    both = np.concatenate([ends, ends[::-1]], axis=1)[:, np.tile(ends[0] != ends[1], 2)]
    return np.ascontiguousarray(both[:, np.lexsort((both[1], both[0]))])


@pytest.fixture(autouse=True)
def usual_limit() -> Iterator[None]:
    before = rlap.keep_memory(2**30)
    yield
    rlap.keep_memory(before)


def view(edge_index: NDArray[np.int64], seed: int, num_threads: int = 0) -> rlap.View:
    return rlap.schur_view(edge_index, num_nodes=NODES, fraction=0.5, seed=seed, num_threads=num_threads)


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("threads", [1, 2])
def test_a_view_from_kept_memory_is_the_one_from_new_memory(edge_index: NDArray[np.int64], threads: int) -> None:
    rlap.keep_memory(0)
    expected = [view(edge_index, seed, num_threads=threads) for seed in range(3)]
    rlap.keep_memory(2**30)
    for _ in range(2):
        for seed in range(3):
            got = view(edge_index, seed, num_threads=threads)
            np.testing.assert_array_equal(got.edge_index, expected[seed].edge_index)
            np.testing.assert_array_equal(got.edge_weight, expected[seed].edge_weight)


def test_a_view_that_is_held_is_never_written_to(edge_index: NDArray[np.int64]) -> None:
    held = view(edge_index, 0)
    before = held.edge_index.copy(), held.edge_weight.copy()
    part = held.edge_index[1, 5:]
    for seed in range(1, 6):
        view(edge_index, seed)
    np.testing.assert_array_equal(held.edge_index, before[0])
    np.testing.assert_array_equal(held.edge_weight, before[1])
    # A part of an array holds its memory as well.
    del held
    view(edge_index, 6)
    np.testing.assert_array_equal(part, before[0][1, 5:])


@KEEPS
def test_memory_is_kept_for_the_next_call_and_does_not_grow(edge_index: NDArray[np.int64]) -> None:
    rlap.keep_memory(0)
    rlap.keep_memory(2**30)
    kept = []
    for seed in range(6):
        view(edge_index, seed, num_threads=1)
        kept.append(rlap.kept_memory())
    # The arrays of the view alone are 24 bytes an edge. Views of other seeds differ by a few edges, and so by some
    # huge pages of 2 MiB at most; one call's blocks beside the last call's would be twice as much.
    assert min(kept) > 24 * 5 * NODES
    assert max(kept) < 1.2 * kept[0]


@KEEPS
def test_the_limit_holds_and_zero_gives_all_back(edge_index: NDArray[np.int64]) -> None:
    view(edge_index, 0)
    rlap.keep_memory(8 * 2**20)
    assert rlap.kept_memory() <= 8 * 2**20
    view(edge_index, 1)
    assert rlap.kept_memory() <= 8 * 2**20
    assert rlap.keep_memory(2**30) == 8 * 2**20
    view(edge_index, 2)
    kept, before = rlap.kept_memory(), resident()
    rlap.keep_memory(0)
    assert rlap.kept_memory() == 0
    # Not every page that was asked for was written to, but most were.
    assert before - resident() > kept / 2
    view(edge_index, 3)
    assert rlap.kept_memory() == 0


@pytest.mark.parametrize("limit", [-1, 2**63])
def test_a_limit_out_of_range_is_refused(limit: int) -> None:
    with pytest.raises(ValueError, match=rf"limit must be from 0 to 2\*\*63 - 1 bytes \(got {limit}\)"):
        rlap.keep_memory(limit)


def test_a_limit_must_be_an_integer() -> None:
    with pytest.raises(TypeError):
        rlap.keep_memory(0.5)  # type: ignore[arg-type]

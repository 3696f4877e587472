"""Numbers, and the edges that they leave, against SplitMix64 written out with Python's integers."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from rlap import _core
from rlap.schur.seeds import derive_seed
from rlap.transforms.coins import Coins, to_keep, to_keep_each

STEP, WORD = 0x9E3779B97F4A7C15, 2**64


def mix(x: int) -> int:
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB % WORD
    return x ^ (x >> 31)


def number(seed: int, graph: int, first: int, second: int) -> float:
    key = (first << 32 | second) * STEP + mix(derive_seed(seed, graph=graph))
    return (mix(key % WORD) >> 11) * 2.0**-53


def numbers_of(index: np.ndarray, ptr: np.ndarray, directed: bool) -> np.ndarray:
    found = []
    for row, col in index.T.tolist():
        graph = int(np.searchsorted(ptr, row, side="right")) - 1
        u, v = row - int(ptr[graph]), col - int(ptr[graph])
        found.append(number(5, graph, *((u, v) if directed else sorted((u, v)))))
    return np.array(found)


def edges_of(index: np.ndarray) -> SimpleNamespace:
    return SimpleNamespace(edge_index=torch.from_numpy(index))


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_edges_of_a_batch(directed: bool, dtype: type) -> None:
    """Each edge stays up to its very number, and goes beyond it."""
    ptr = np.array([0, 3, 3, 8])
    index = np.array([[0, 2, 7, 3, 1, 4], [2, 0, 3, 7, 1, 6]], dtype=dtype)
    numbers = numbers_of(index, ptr, directed)
    for p in numbers:
        for just, stay in ((p, numbers >= p), (np.nextafter(p, 1), numbers > p)):
            kept = Coins(ptr, 5).keep(edges_of(index), to_keep(float(just)), directed=directed)
            assert kept.place.tolist() == np.flatnonzero(stay).tolist()
            assert kept.ends.tolist() == index[:, stay].tolist()
            assert kept.ends.dtype == torch.from_numpy(index).dtype


@pytest.mark.parametrize("graphs", [1, 40])
def test_probabilities_of_their_own_on_many_edges(graphs: int) -> None:
    """More edges than one piece of work has, with the ends of a graph anywhere among the others."""
    random = np.random.default_rng(0)
    ptr = np.arange(graphs + 1) * 100
    owner = random.integers(graphs, size=20_011)
    index = random.integers(100, size=(2, 20_011)) + ptr[owner]
    ratio = random.uniform(0, 4, 20_011)
    chance = np.minimum(ratio * 0.5, 0.7)
    kept = Coins(ptr, 5).keep(edges_of(index), leasts=to_keep_each(chance))
    stay = numbers_of(index, ptr, directed=False) >= chance
    assert kept.place.tolist() == np.flatnonzero(stay).tolist()
    assert (kept.ends.numpy() == index[:, stay]).all()


def test_threads_leave_the_same_edges() -> None:
    random = np.random.default_rng(1)
    index = random.integers(1000, size=(2, 300_001))
    task = (index, np.array([0, 1000]), np.array([3], dtype=np.uint64), False, to_keep(0.4), None)
    one, many = (_core.drop_edges(*task, threads) for threads in (1, 4))
    assert all((a == b).all() for a, b in zip(one, many, strict=True))
    mask = random.random(1000) < 0.5
    one, many = (_core.edges_between(index, mask, mask, threads) for threads in (1, 4))
    assert all((a == b).all() for a, b in zip(one, many, strict=True))
    assert (one[0] == np.flatnonzero(mask[index].all(axis=0))).all()
    data = random.integers(2**60, size=1 << 20)
    assert _core.fingerprint(data, 1) == _core.fingerprint(data, 4)


def test_numbers_of_nodes() -> None:
    ptr = np.array([0, 3, 3, 8])
    start = [mix(derive_seed(5, graph=graph)) for graph in (0, 0, 0, 2, 2, 2, 2, 2)]
    expected = [
        (mix(((1 << 61 | node) * STEP + begin) % WORD) >> 11) * 2.0**-53
        for node, begin in zip([0, 1, 2, 0, 1, 2, 3, 4], start, strict=True)
    ]
    assert Coins(ptr, 5).of_nodes().tolist() == expected


def test_ends_that_are_no_nodes_are_refused() -> None:
    for wrong in (-1, 8):
        with pytest.raises(ValueError, match=rf"edge_index must lie in \[0, num_nodes\) = \[0, 8\) \(got {wrong}\)"):
            Coins(np.array([0, 8]), 5).keep(edges_of(np.array([[0, wrong], [1, 2]])))
        with pytest.raises(ValueError, match=rf"\[0, 8\) \(got {wrong}\)"):
            _core.edges_between(np.array([[0, wrong], [1, 2]]), np.ones(8, bool), None, 1)


@pytest.mark.parametrize("size", [1, 7, 8, 63, 64, 65, 1 << 14, (1 << 14) + 1])
def test_a_fingerprint_sees_every_bit_and_every_place(size: int) -> None:
    data = np.random.default_rng(2).integers(2**63, size=size)
    prints = {_core.fingerprint(data, 1)}
    places = {*range(min(size, 9)), size // 2, size - 1}
    for place in places:
        changed = data.copy()
        changed[place] ^= 1 << (place % 63)
        prints.add(_core.fingerprint(changed, 1))
    assert len(prints) == 1 + len(places)
    assert _core.fingerprint(np.append(data, 0), 1) not in prints
    if size > 1:
        assert _core.fingerprint(data[::-1].copy(), 1) not in prints

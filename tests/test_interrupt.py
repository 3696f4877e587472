"""Ctrl-C, and any other signal that Python handles, is heard while the core works, and breaks nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import rlap
from rlap import _core
from rlap.centrality import eigenvector, pagerank
from rlap.diffusion import grounded, heat, markov, ppr
from rlap.walks import visited_nodes

DEADLINE = 1.0  # seconds from the signal to the exception: what is promised
pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers that send signals")


class Alarm(Exception):
    """What the handler raises."""


@cache
def edges(nodes: int, pairs: int) -> tuple[np.ndarray, np.ndarray]:
    """A graph where every node has neighbours at the same distances along a ring; sorted, with weights."""
    rng = np.random.default_rng(0)
    away = rng.choice(np.arange(1, (nodes - 1) // 2), size=pairs // nodes, replace=False)
    col = (np.arange(nodes)[:, None] + np.concatenate([away, -away])) % nodes
    col.sort(axis=1)
    row = np.repeat(np.arange(nodes), col.shape[1])
    weight = 1.0 + (row + col.ravel()) % 7  # the same in both directions
    return np.stack([row, col.ravel()]), weight


def matrix(nodes: int, pairs: int) -> sp.csr_array:
    (row, col), weight = edges(nodes, pairs)
    return sp.csr_array((weight, (row, col)), shape=(nodes, nodes))


def view(**options: Any) -> Callable[[int], Any]:
    """Hundreds of views: every step of making one is met sooner or later."""
    index, weight = edges(30_000, 120_000)
    graph = rlap.prepare(index, weight, num_nodes=30_000)
    return lambda threads: rlap.schur_view(graph, num_views=300, seed=0, num_threads=threads, **options)


def far_walks() -> Callable[[int], Any]:
    """Every fifth node of a ring stays, but it takes thousands of steps to leave a strong bond."""
    nodes = 40_000
    ring = np.arange(nodes)
    weight = np.where(ring % 5 == 2, 3e3, 1.0)
    adjacency = sp.csr_array((weight, (ring, (ring + 1) % nodes)), shape=(nodes, nodes))
    return lambda threads: rlap.walk_schur(
        adjacency + adjacency.T, keep=np.flatnonzero(ring % 5 == 0), rng=0, num_threads=threads
    )


def long_chain(nodes: int) -> sp.csr_array:
    steps = np.arange(nodes - 1)
    half = sp.csr_array((np.ones(nodes - 1), (steps, steps + 1)), shape=(nodes, nodes))
    return half + half.T


# Each would take half a minute or more.
CALLS: dict[str, Callable[[], Callable[[int], Any]]] = {
    "random view": lambda: view(fraction=0.5),
    "degree view": lambda: view(fraction=0.5, node_order="degree"),
    "coarsening": lambda: view(fraction=0.5, method="coarsening"),
    "walks": lambda: view(fraction=0.5, method="walks"),
    "given view": lambda: view(fraction=0.5, node_order=np.arange(30_000)),
    "far walks": far_walks,
    "path": lambda: lambda threads: rlap.schur_path(matrix(30_000, 120_000), fractions=np.linspace(0, 0.9, 999), rng=0),
    "ppr": lambda: lambda threads: ppr(matrix(30_000, 120_000), 0.01, 1e-6, 1e-7, num_threads=threads),
    "symmetric ppr": lambda: (
        lambda threads: ppr(matrix(30_000, 120_000), 0.01, 1e-6, 1e-7, transition="symmetric", num_threads=threads)
    ),
    "heat": lambda: lambda threads: heat(matrix(30_000, 120_000), 30.0, 1e-6, num_threads=threads),
    "markov": lambda: lambda threads: markov(matrix(30_000, 120_000), 0.1, 200, 1e-6, num_threads=threads),
    "grounded": lambda: (
        lambda threads: grounded(
            matrix(30_000, 120_000), np.full(30_000, 1e-3), np.full(30_000, 1e-3), 1e-5, num_threads=threads
        )
    ),
    "pagerank": lambda: lambda threads: pagerank(matrix(30_000, 120_000), 1 - 1e-9, tol=1e-12),
    "eigenvector": lambda: lambda threads: eigenvector(long_chain(100_000)),
    "restarting walks": lambda: (
        lambda threads: visited_nodes(
            *edges(3000, 9000), num_nodes=3000, start=np.arange(16), length=10**9, num_threads=threads
        )
    ),
}


@contextmanager
def alarm(delay: float, handler: Callable[..., Any]) -> Iterator[None]:
    """Send a signal after so many seconds of this process's time, so that a busy machine changes nothing."""
    before = signal.signal(signal.SIGPROF, handler)
    signal.setitimer(signal.ITIMER_PROF, delay)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def threads_of_this_process() -> int:
    return len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else threading.active_count()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", CALLS)
def test_a_handler_that_raises_stops_the_call(name: str, threads: int) -> None:
    call = CALLS[name]()
    small = matrix(3000, 9000)
    expected = rlap.randomized_schur(small, fraction=0.5, rng=3, num_threads=threads)

    def ring(*_: Any) -> None:
        raise Alarm

    count = threads_of_this_process()
    start = time.process_time()
    with pytest.raises(Alarm), alarm(0.3, ring):
        call(threads)
    assert time.process_time() - start < 0.3 + threads * DEADLINE
    assert threads_of_this_process() <= count
    again = rlap.randomized_schur(small, fraction=0.5, rng=3, num_threads=threads)
    assert np.array_equal(again.indices, expected.indices)
    assert np.array_equal(again.data, expected.data)


def large() -> tuple[np.ndarray, np.ndarray]:
    return edges(600_000, 2_400_000)


def huge() -> tuple[np.ndarray, np.ndarray]:
    return edges(800_000, 6_400_000)


def unsorted_reading() -> Callable[[int], Any]:
    index, weight = huge()
    order = np.random.default_rng(1).permutation(weight.size)
    index, weight = np.ascontiguousarray(index[:, order]), weight[order]
    return lambda threads: rlap.prepare(index, weight, num_nodes=800_000)


def one_view(graph: tuple[np.ndarray, np.ndarray], **options: Any) -> Callable[[int], Any]:
    prepared = rlap.prepare(*graph, num_nodes=int(graph[0].max()) + 1)
    return lambda threads: rlap.schur_view(prepared, fraction=0.9, seed=0, num_threads=threads, **options)


def one_factor() -> Callable[[int], Any]:
    (row, col), weight = large()
    adjacency = sp.csr_array((weight, (row, col)), shape=(600_000, 600_000))
    return lambda threads: rlap.approximate_factor(adjacency, rng=0)


def one_part() -> Callable[[int], Any]:
    (row, col), weight = large()
    half = row < col
    low, high, weight = row[half].astype(np.int32), col[half].astype(np.int32), weight[half]
    order = np.random.default_rng(2).permutation(600_000).astype(np.int32)[:540_000]
    filled = np.zeros(low.size, dtype=bool)
    rule = _core.NeighborOrder.asc
    return lambda threads: _core.eliminate_part(low, high, weight, filled, np.arange(600_000), order, rule, 0)


def walks_in_a_part() -> Callable[[int], Any]:
    """A ring that one node leads out of."""
    nodes, walks = 100, 120_000
    ring = np.arange(nodes)
    to = np.stack([(ring + 1) % nodes, (ring - 1) % nodes], axis=1).astype(np.int32).ravel()
    to[0] = -1
    start, weight = 2 * np.arange(nodes + 1), np.ones(2 * nodes)
    place = (np.arange(walks) % 20).astype(np.int32)
    key = np.arange(walks, dtype=np.uint64)
    zero = np.zeros(walks)
    return lambda threads: _core.walk_part(start, to, weight, key, zero.astype(np.int64), place, zero)


# Each takes a second or so, and is one call of the core, or nearly.
LARGE: dict[str, Callable[[], Callable[[int], Any]]] = {
    "unsorted reading": unsorted_reading,
    "random view": lambda: one_view(huge()),
    "degree view": lambda: one_view(large(), node_order="degree"),
    "factor": one_factor,
    "part": one_part,
    "walks in a part": walks_in_a_part,
}


@pytest.mark.parametrize(("name", "threads"), [*((name, 1) for name in LARGE), ("random view", 2), ("degree view", 2)])
def test_one_large_call_hears_before_it_ends(name: str, threads: int) -> None:
    call = LARGE[name]()
    start = time.process_time()
    call(threads)
    whole = time.process_time() - start
    assert whole > 0.25, "too short to tell"

    def ring(*_: Any) -> None:
        raise Alarm

    start = time.process_time()
    with pytest.raises(Alarm), alarm(0.1 * whole, ring):
        call(threads)
    # Handlers get their turn every 50 ms, and to free memory takes time, too; a busy machine may be slower than before.
    assert time.process_time() - start < 0.75 * whole + 0.1 * threads


@pytest.mark.parametrize("threads", [1, 2])
def test_a_handler_that_returns_changes_nothing_and_may_use_the_core(threads: int) -> None:
    index, weight = edges(30_000, 120_000)
    options = {"num_nodes": 30_000, "fraction": 0.5, "num_views": 60, "num_threads": threads}
    expected = rlap.schur_view(index, weight, seed=1, **options)
    heard = []

    def ring(*_: Any) -> None:
        heard.append(rlap.schur_view(index, weight, num_nodes=30_000, fraction=0.5, seed=derived, num_threads=threads))
        signal.setitimer(signal.ITIMER_PROF, 0.1)

    derived = 7
    with alarm(0.1, ring):
        found = rlap.schur_view(index, weight, seed=1, **options)
    for one, other in zip(found, expected, strict=True):
        assert np.array_equal(one.edge_index, other.edge_index)
        assert np.array_equal(one.edge_weight, other.edge_weight)
    assert heard
    alone = rlap.schur_view(index, weight, num_nodes=30_000, fraction=0.5, seed=derived)
    for one in heard:
        assert np.array_equal(one.edge_weight, alone.edge_weight)


def test_other_threads_go_on_and_are_not_stopped() -> None:
    """A signal stops what the main thread waits for. A call of another thread runs to its end."""
    index, weight = edges(30_000, 120_000)
    expected = rlap.schur_view(index, weight, num_nodes=30_000, fraction=0.5, num_views=60, seed=1)
    results: list[Any] = []

    def work() -> None:
        results.append(rlap.schur_view(index, weight, num_nodes=30_000, fraction=0.5, num_views=60, seed=1))

    other = threading.Thread(target=work)

    def ring(*_: Any) -> None:
        raise Alarm

    with alarm(0.3, ring):
        other.start()
        with pytest.raises(Alarm):
            rlap.schur_view(index, weight, num_nodes=30_000, fraction=0.5, num_views=300, seed=2)
    other.join()
    for one, wanted in zip(results[0], expected, strict=True):
        assert np.array_equal(one.edge_weight, wanted.edge_weight)


SCRIPT = """
import numpy as np, rlap
rng = np.random.default_rng(0)
pairs = rng.integers(30_000, size=(2, 120_000))
print("ready", flush=True)
try:
    rlap.schur_view(np.concatenate([pairs, pairs[::-1]], axis=1), num_nodes=30_000, fraction=0.5, num_views=300)
except KeyboardInterrupt:
    print(rlap.schur_view([[0, 1], [1, 0]], num_nodes=2, fraction=0.0).edge_index.tolist())
"""


def test_ctrl_c() -> None:
    child = subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    start = time.monotonic()
    out, _ = child.communicate(timeout=60)
    assert time.monotonic() - start < 10  # it has to end, too, on a machine that may be busy
    assert child.returncode == 0
    assert out == "[[0, 1], [1, 0]]\n"

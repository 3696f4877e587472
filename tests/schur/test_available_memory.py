"""A graph that is too large for memory is refused before the work begins, with the figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import rlap
from rlap.schur import memory
from rlap.schur.memory import available_memory, bytes_needed, check_memory
from rlap.walks import random_walks

GIB = 2**30


def test_the_message_has_both_figures_and_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_memory", lambda: 3 * GIB)
    check_memory(3 * GIB)
    with pytest.raises(MemoryError, match=r"about 5\.0 GiB of memory \(3\.0 GiB are available\); rlap\.scale"):
        check_memory(5 * GIB)


def test_where_the_system_does_not_say_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_memory", lambda: None)
    check_memory(10**6 * GIB)


def test_small_calls_do_not_ask_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_memory", lambda: pytest.fail("asked"))
    rlap.schur_view(np.array([[0, 1], [1, 0]]), num_nodes=2, fraction=0.5, seed=0)


def test_views_and_matrices_are_refused_before_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_memory", lambda: 2**20)
    monkeypatch.setattr(memory, "_SMALL", 0)
    path = np.array([np.arange(40_000), np.arange(40_000) + 1])  # one direction: reading it would be a ValueError
    with pytest.raises(MemoryError, match=r"rlap\.scale"):
        rlap.schur_view(path, num_nodes=40_001, fraction=0.5, seed=0)
    matrix = sp.csr_array((np.ones(40_000), (path[0], path[1])), shape=(40_001, 40_001))
    for call in (rlap.randomized_schur, rlap.walk_schur, rlap.vertex_coarsening):
        with pytest.raises(MemoryError, match=r"rlap\.scale"):
            call(matrix, fraction=0.5, rng=0)


# Each of these is one number of a few bytes, and asks for gigabytes.
@pytest.mark.parametrize(
    "call",
    [
        lambda: rlap.schur_view(np.array([[0, 1], [1, 0]]), num_nodes=2**31 - 2, fraction=0.5, seed=0),
        lambda: rlap.prepare(np.array([[0, 1], [1, 0]]), num_nodes=2**31 - 2),
        lambda: rlap.exact_schur(sp.coo_array(([1.0, 1.0], ([0, 1], [1, 0])), shape=(2**31 - 2,) * 2), keep=[0]),
        lambda: random_walks(np.array([[0, 1], [1, 0]]), num_nodes=2, start=[0], length=2**31 - 1),
        lambda: rlap.schur_view(np.array([[0, 1], [1, 0]]), num_nodes=2, fraction=0.5, num_views=2**23, seed=0),
    ],
)
def test_one_number_does_not_decide_memory(call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_memory", lambda: 6 * GIB)
    with pytest.raises(MemoryError, match=r"the call needs about [\d.]+ GiB of memory \(6\.0 GiB are available\)"):
        call()


def test_more_of_anything_needs_more() -> None:
    least = bytes_needed(1000, 10, weighted=False, single=True)
    for more in (
        bytes_needed(2000, 10, weighted=False, single=True),
        bytes_needed(1000, 20, weighted=False, single=True),
        bytes_needed(1000, 10, weighted=True, single=True),
        bytes_needed(1000, 10, weighted=False, single=False),
        bytes_needed(1000, 10, weighted=False, single=True, views=2),
        bytes_needed(1000, 10, weighted=False, single=True, num_threads=2),
        bytes_needed(1000, 10, weighted=False, single=True, in_order=False),
    ):
        assert more > least


# The estimate covers what is measured, and not by more than double. Buckets, threads and the allocator take some
# megabytes besides.
@pytest.mark.parametrize(("nodes", "edges"), [(400_000, 400_000), (50_000, 500_000)])
@pytest.mark.parametrize("num_threads", [1, 2])
@pytest.mark.parametrize("in_order", [True, False])
def test_the_estimate_covers_what_is_used(nodes: int, edges: int, num_threads: int, in_order: bool) -> None:
    from rlap.experiments.overheads.memory import peak_growth

    rng = np.random.default_rng(0)
    u, v = rng.integers(nodes, size=(2, edges))
    low, high = np.minimum(u, v)[u != v], np.maximum(u, v)[u != v]
    both = np.unique(np.concatenate([low * nodes + high, high * nodes + low]))
    edge_index = np.stack([both // nodes, both % nodes])
    if not in_order:
        edge_index = edge_index[:, rng.permutation(edge_index.shape[1])]
    needed = bytes_needed(edge_index.shape[1], nodes, weighted=False, num_threads=num_threads, in_order=in_order)
    grown, _ = peak_growth(
        lambda: rlap.schur_view(edge_index, num_nodes=nodes, fraction=0.5, seed=0, num_threads=num_threads)
    )
    assert 0.5 * needed < grown < needed + 16 * 2**20


def files(root: Path, monkeypatch: pytest.MonkeyPatch, system: str, groups: dict[str, dict[str, str]]) -> None:
    (root / "meminfo").write_text(system)
    (root / "self").write_text("0::/job/step\n")
    for group, values in groups.items():
        (root / "cgroup" / group).mkdir(parents=True, exist_ok=True)
        for name, text in values.items():
            (root / "cgroup" / group / name).write_text(text)
    monkeypatch.setattr(memory, "_SYSTEM", root / "meminfo")
    monkeypatch.setattr(memory, "_OWN_GROUP", root / "self")
    monkeypatch.setattr(memory, "_GROUPS", root / "cgroup")


def test_the_narrowest_limit_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free = {"memory.max": "max\n", "memory.current": "500\n", "memory.stat": "inactive_file 7\n"}
    tight = {"memory.max": "4000\n", "memory.current": "1500\n", "memory.stat": "anon 3\ninactive_file 200\n"}
    files(tmp_path, monkeypatch, "MemTotal: 90 kB\nMemAvailable: 80 kB\n", {"job/step": free})
    assert available_memory() == 80 * 1024
    files(tmp_path, monkeypatch, "MemTotal: 90 kB\nMemAvailable: 80 kB\n", {"job/step": free, "job": tight})
    assert available_memory() == 4000 - 1500 + 200


def test_without_such_files_nothing_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_SYSTEM", "_OWN_GROUP", "_GROUPS"):
        monkeypatch.setattr(memory, name, tmp_path / "missing")
    assert available_memory() is None

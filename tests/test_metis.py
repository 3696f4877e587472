"""METIS in a process of its own: the parts that it gives alone, whatever other threads do."""

from __future__ import annotations

import ctypes
import importlib.util
import threading

import numpy as np
import pymetis
import pytest
import scipy.sparse as sp

from rlap import metis


@pytest.fixture(scope="module")
def graph():
    """Hubs and many nodes of low degree, which METIS has to draw for."""
    rng = np.random.default_rng(0)
    ends = (rng.random((2, 40_000)) ** 3 * 4_000).astype(np.int64)
    ends = ends[:, ends[0] != ends[1]]
    half = sp.coo_array((np.ones(ends.shape[1]), tuple(ends)), shape=(4_000, 4_000))
    return sp.csr_array(half + half.T)


def alone(graph, parts, seed):
    found = pymetis.part_graph(
        parts,
        pymetis.CSRAdjacency(graph.indptr, graph.indices),
        vweights=np.diff(graph.indptr),
        options=pymetis.Options(seed=seed),
        recursive=False,
    )
    return np.asarray(found.vertex_part)


@pytest.mark.parametrize("seed", [3, 4])
def test_parts_are_those_of_metis(graph, seed):
    part = metis.cut(16, graph.indptr, graph.indices, node_weight=np.diff(graph.indptr), seed=seed)
    assert part.dtype == np.int32
    np.testing.assert_array_equal(part, alone(graph, 16, seed))


def test_a_thread_that_draws_changes_nothing(graph):
    draw, over = ctypes.CDLL(None).rand, threading.Event()

    def keep_drawing():
        while not over.is_set():
            draw()

    thread = threading.Thread(target=keep_drawing)
    thread.start()
    try:
        part = metis.cut(16, graph.indptr, graph.indices, node_weight=np.diff(graph.indptr), seed=3)
    finally:
        over.set()
        thread.join()
    np.testing.assert_array_equal(part, alone(graph, 16, 3))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"parts": 0}, "parts must be at least 1"),
        ({"begin": np.array([0, 1])}, "begin must rise from 0 to the number of neighbours, 4"),
        ({"begin": np.array([0, 3, 2, 3, 4])}, "begin must rise"),
        ({"neighbor": np.array([1, 0, 4, 2])}, r"neighbor must be in 0 .. 3 \(got 0 .. 4\)"),
        ({"node_weight": np.ones(3, np.int64)}, "one weight for every node, 4"),
    ],
)
def test_arrays_that_are_no_graph_are_refused(changed, message):
    pairs = {"parts": 2, "begin": np.array([0, 1, 2, 3, 4]), "neighbor": np.array([1, 0, 3, 2])}
    with pytest.raises(ValueError, match=message):
        metis.cut(**pairs | changed)


def test_a_process_that_fails_is_an_error(graph, monkeypatch, tmp_path):
    failing = tmp_path / "failing.py"
    failing.write_text("raise MemoryError('no room')")
    monkeypatch.setattr("rlap.metis.partition._PROCESS", failing)
    with pytest.raises(RuntimeError, match="METIS failed with exit status 1: MemoryError: no room"):
        metis.cut(16, graph.indptr, graph.indices)


def test_without_pymetis(graph, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match=r"rlap\[cluster\]"):
        metis.cut(2, graph.indptr, graph.indices)

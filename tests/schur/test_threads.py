"""Threads within one graph: the same bits as one thread gives, whatever their number.

Graphs here are far below the size from which threads are used; `least_edges=0` lets the core use them all the same.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

import rlap
from rlap import _core
from tests.schur.variants import same, view_arrays

THREADS = (2, 3, 4, 8)
NEIGHBOR_ORDERS = tuple(_core.NeighborOrder)


def undirected(low: NDArray[np.int64], high: NDArray[np.int64]) -> NDArray[np.int64]:
    """Both directions of all edges, sorted, without duplicates and self-loops."""
    nodes = int(max(low.max(initial=0), high.max(initial=0))) + 1
    u, v = np.concatenate([low, high]), np.concatenate([high, low])
    both = np.unique((u * nodes + v)[u != v])
    return np.stack([both // nodes, both % nodes])


def r_mat(scale: int, edges: int, seed: int = 0) -> NDArray[np.int64]:
    """Hubs and leaves: every bit of both ends falls into one of four quarters, with unequal chances."""
    rng = np.random.default_rng(seed)
    quarter = rng.choice(4, size=(scale, edges), p=[0.57, 0.19, 0.19, 0.05])
    bits = 2 ** np.arange(scale)[:, None]
    return undirected((bits * (quarter // 2)).sum(0), (bits * (quarter % 2)).sum(0))


def several_parts() -> NDArray[np.int64]:
    grid = np.arange(900).reshape(30, 30)
    ends = [(grid[:, :-1], grid[:, 1:]), (grid[:-1], grid[1:]), (np.arange(1000, 1400), np.arange(1001, 1401))]
    return undirected(*(np.concatenate([pair[side].ravel() for pair in ends]) for side in (0, 1)))


GRAPHS = {
    "r-mat": (r_mat(11, 12_000), 2**11),
    "path": (undirected(np.arange(1999), np.arange(1, 2000)), 2000),
    "star": (undirected(np.zeros(1500, dtype=np.int64), np.arange(1, 1501)), 1501),
    "clique": (undirected(*np.triu_indices(120, 1)), 120),
    "parts": (several_parts(), 1500),  # a grid, a path, and nodes without edges
    "one edge": (undirected(np.array([0]), np.array([1])), 2),
    "no edges": (np.zeros((2, 0), dtype=np.int64), 50),
}


def read(name: str, weighted: bool, single: bool = False, threads: int = 1) -> _core.Graph:
    edge_index, nodes = GRAPHS[name]
    weight = 0.1 + (edge_index.sum(0) * 2654435761 % 1000) / 100 if weighted else None
    if weight is not None and single:
        weight = weight.astype(np.float32)
    row, col = np.ascontiguousarray(edge_index)
    return _core.Graph(row, col, weight, nodes, np.array([0, nodes]), False, threads, 0)


def eliminate(
    graph: _core.Graph, order: str, neighbors: _core.NeighborOrder, threads: int, **options: Any
) -> list[Any]:
    nodes = graph.num_nodes
    given = None if order != "given" else np.arange(nodes, dtype=np.int32)
    if options.get("chosen"):
        given = np.flatnonzero(np.arange(nodes) % 3).astype(np.int32)
    candidates = nodes if given is None else given.size
    ground = np.arange(nodes) % 4 / 8.0 if options.get("grounded") else None
    (view,) = _core.eliminate(
        graph,
        np.array([[int(options.get("share", 0.5) * candidates)]]),
        np.array([5], dtype=np.uint64),
        given,
        None if given is None else np.array([0, given.size]),
        _core.NodeOrder[order],
        neighbors,
        ground,
        options.get("relabel", False),
        options.get("single", False),
        threads,
        0,
    )
    return [array for array in view if array is not None]


# In the given order every node of a path waits for the one before it, and the core goes on with one thread.
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("order", ["random", "given", "degree"])
@pytest.mark.parametrize("weighted", [False, True])
def test_elimination(name: str, order: str, weighted: bool) -> None:
    graph = read(name, weighted)
    for neighbors in NEIGHBOR_ORDERS:
        for share in (0.5, 1.0):
            alone = eliminate(graph, order, neighbors, 1, share=share)
            for threads in THREADS:
                assert same(alone, eliminate(graph, order, neighbors, threads, share=share)), (
                    neighbors,
                    share,
                    threads,
                )


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize(
    "options",
    [{"grounded": True}, {"chosen": True}, {"relabel": True, "single": True}, {"share": 0.97, "grounded": True}],
    ids=str,
)
def test_options(name: str, options: dict[str, Any]) -> None:
    graph = read(name, weighted=True)
    for order in ("random", "given"):
        for neighbors in (_core.NeighborOrder.asc, _core.NeighborOrder.coarsen):
            alone = eliminate(graph, order, neighbors, 1, **options)
            for threads in THREADS:
                assert same(alone, eliminate(graph, order, neighbors, threads, **options)), (order, threads)


@pytest.mark.parametrize("name", GRAPHS)
def test_walks(name: str) -> None:
    nodes = GRAPHS[name][1]
    keep = np.arange(nodes) % 3 == 0
    for weighted in (False, True):
        for ground in (None, np.full(nodes, 0.25)):
            graph = read(name, weighted)
            alone = [array for array in _core.walk(graph, keep, 3, ground, False, False, 1) if array is not None]
            for threads in THREADS:
                made = _core.walk(graph, keep, 3, ground, False, False, threads, 0)
                assert same(alone, [array for array in made if array is not None]), (weighted, threads)


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("single", [False, True])
def test_reading(name: str, single: bool) -> None:
    alone = eliminate(read(name, True, single), "random", _core.NeighborOrder.asc, 1, share=0.25)
    for threads in THREADS:
        graph = read(name, True, single, threads)
        assert same(alone, eliminate(graph, "random", _core.NeighborOrder.asc, 1, share=0.25)), threads


@pytest.mark.parametrize("at", [0.0, 0.3, 0.5, 0.9])
def test_faults_are_found_by_any_number_of_threads(at: float) -> None:
    edge_index, nodes = GRAPHS["r-mat"]
    place = int(at * edge_index.shape[1])
    messages = []
    for threads in (1, *THREADS):
        row, col = edge_index.copy()
        col[place] = nodes
        with pytest.raises(ValueError, match="edge_index must lie in") as out_of_range:
            _core.Graph(row, col, None, nodes, np.array([0, nodes]), False, threads, 0)
        row, col = np.delete(edge_index, place, axis=1)
        with pytest.raises(ValueError, match="both directions") as one_way:
            _core.Graph(row, col, None, nodes, np.array([0, nodes]), False, threads, 0)
        messages.append((str(out_of_range.value), str(one_way.value)))
    assert len(set(messages)) == 1


# Large enough for the threads to be used without being asked.
def test_the_public_functions() -> None:
    edge_index = r_mat(14, 200_000)
    nodes = 2**14
    matrix = sp.csr_array((np.ones(edge_index.shape[1]), (edge_index[0], edge_index[1])), shape=(nodes, nodes))
    assert edge_index.shape[1] > 2**18
    for method in ("elimination", "walks", "coarsening"):
        views = [
            rlap.schur_view(edge_index, num_nodes=nodes, fraction=0.5, method=method, seed=4, num_threads=threads)
            for threads in (1, 2, 5)
        ]
        assert same(view_arrays(views[0]), view_arrays(views[1]))
        assert same(view_arrays(views[0]), view_arrays(views[2]))
    for function in (rlap.randomized_schur, rlap.walk_schur, rlap.vertex_coarsening):
        alone, shared = (function(matrix, fraction=0.5, rng=4, num_threads=threads) for threads in (1, 3))
        assert same([alone.indptr, alone.indices, alone.data], [shared.indptr, shared.indices, shared.data])
    two = [
        rlap.schur_view(edge_index, num_nodes=nodes, fraction=0.5, num_views=2, seed=4, num_threads=threads)
        for threads in (1, 4)
    ]
    for left, right in zip(*two, strict=True):
        assert same(view_arrays(left), view_arrays(right))


def test_calls_at_the_same_time_do_not_meet() -> None:
    graph = read("r-mat", True)
    alone = eliminate(graph, "random", _core.NeighborOrder.asc, 1)
    found: list[bool] = []

    def call() -> None:
        found.extend(same(alone, eliminate(graph, "random", _core.NeighborOrder.asc, 3)) for _ in range(5))

    callers = [threading.Thread(target=call) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert found == [True] * 20

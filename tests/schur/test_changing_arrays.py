"""Arrays that another thread writes to while a call reads them: a result or an exception, and never a crash.

Calls release the interpreter's lock, and NumPy does too while it copies. What is read is any mixture of good and bad
values, so all that a call owes is a ValueError, or a view that keeps its promises.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import rlap
from rlap import _core, centrality, diffusion, walks
from tests.child import doing, run_in_child

CALLS = 150
NODES = 1500
Arrays = dict[str, Any]


def arrays(sort: bool) -> Arrays:
    """A graph with weights, as two graphs of a batch, and what calls take besides."""
    rng = np.random.default_rng(0)
    low, high = rng.integers(0, NODES // 2, (2, 12_000))
    shift = np.repeat([0, NODES // 2], 6000)
    both = np.stack([np.concatenate([low, high]), np.concatenate([high, low])]) + np.tile(shift, 2)
    both = np.unique(both[:, both[0] != both[1]], axis=1)
    weight = 1.0 + (both.sum(axis=0) % 7)
    if not sort:
        place = rng.permutation(weight.size)
        both, weight = both[:, place], weight[place]
    return {
        "edge_index": np.ascontiguousarray(both),
        "edge_weight": weight,
        "ptr": np.array([0, NODES // 2, NODES]),
        "keep": np.arange(0, NODES, 2),
        "mask": np.arange(NODES) % 2 == 0,
        "ground": np.full(NODES, 50.0),
        "start": np.arange(20, dtype=np.int64),
    }


def spoil(given: Arrays, over: threading.Event) -> None:
    """Write bad values and then the good ones again, whole arrays and single entries, until it is over."""
    rng = np.random.default_rng(1)
    good = {name: array.copy() for name, array in given.items()}
    bad = {
        name: rng.permutation(array.ravel()).reshape(array.shape)
        if array.dtype != np.int64
        else rng.choice([-1, 0, 7, NODES - 1, NODES, 2**31, -(2**63)], array.shape)
        for name, array in good.items()
    }
    while not over.is_set():
        for name, array in given.items():
            if rng.random() < 0.1:
                np.copyto(array, bad[name])
            else:
                at = rng.integers(0, array.size)
                array.ravel()[at] = bad[name].ravel()[at]
            np.copyto(array, good[name])


def edges(function: Callable[..., Any], *names: str, **options: Any) -> Callable[[Arrays, int], Any]:
    """A call on the edge list, with other arrays by name."""
    return lambda given, seed: function(
        given["edge_index"],
        given["edge_weight"],
        num_nodes=NODES,
        **{name: given[name] for name in names},
        **options,
        **({} if function in (diffusion.diffuse_edges, centrality.centrality_of_edges) else {"seed": seed}),
    )


def matrix(function: Callable[..., Any], *arguments: Any, **options: Any) -> Callable[[Arrays, int], Any]:
    """A call on a matrix that shares its memory with the edge list."""

    def call(given: Arrays, seed: int) -> Any:
        row, col = given["edge_index"]
        made = sp.coo_array((NODES, NODES))
        made.coords, made.data = (row, col), given["edge_weight"]
        return function(made, *arguments, **options)

    return call


def core_threads(given: Arrays, seed: int) -> Any:
    """The reader with two threads, however small the list is."""
    row, col = given["edge_index"]
    return _core.Graph(row, col, given["edge_weight"], NODES, given["ptr"], False, 2, 0)


ENTRIES: dict[str, Callable[[Arrays, int], Any]] = {
    "schur_view": edges(rlap.schur_view, "ptr", fraction=0.5),
    "schur_view ground": edges(rlap.schur_view, "ground", fraction=0.5, num_views=2, num_threads=2),
    "schur_view keep": edges(rlap.schur_view, "keep"),
    "schur_view walks": edges(rlap.schur_view, "ptr", fraction=0.3, method="walks"),
    "schur_view coarsening": edges(rlap.schur_view, fraction=0.5, method="coarsening"),
    "schur_view degree": edges(rlap.schur_view, fraction=0.5, node_order="degree"),
    "prepare": lambda given, seed: rlap.prepare(given["edge_index"], given["edge_weight"], num_nodes=NODES),
    "reading with threads": core_threads,
    "walk_schur": lambda given, seed: matrix(rlap.walk_schur, keep=given["mask"], rng=seed)(given, seed),
    "vertex_coarsening": matrix(rlap.vertex_coarsening, fraction=0.5, rng=0),
    "approximate_factor": matrix(rlap.approximate_factor, rng=0),
    "schur_path": matrix(rlap.schur_path, [0.2, 0.5], rng=0),
    "diffusion": edges(diffusion.diffuse_edges, series=diffusion.PPR(0.5), eps=1e-2),
    "grounded": lambda given, seed: matrix(diffusion.grounded, given["ground"], given["ground"])(given, seed),
    "centrality": edges(centrality.centrality_of_edges, kind="degree"),
    "random_walks": edges(walks.random_walks, "start", length=5),
}


def hammer(names: list[str], calls: int) -> None:
    """Run in a child: every call often, on sorted and on unsorted lists, while another thread writes."""
    sys.setswitchinterval(1e-5)
    for sort in (True, False):
        given, over = arrays(sort), threading.Event()
        quiet = {name: ENTRIES[name](given, 0) for name in names}
        assert all(result is not None for result in quiet.values())
        writer = threading.Thread(target=spoil, args=(given, over))
        writer.start()
        try:
            for name in names:
                doing(f"{name}, sorted: {sort}")
                for seed in range(calls):
                    try:
                        result = ENTRIES[name](given, seed)
                    except ValueError:
                        continue
                    except RuntimeError as error:
                        if "terminal walks took over" not in str(error):
                            raise
                        continue
                    for view in result if isinstance(result, list) else [result]:
                        if isinstance(view, rlap.View):
                            check(view)
        finally:
            over.set()
            writer.join()


def check(view: rlap.View) -> None:
    """The promises of a view, whatever it was made of."""
    row, col = view.edge_index
    key = row * NODES + col
    assert (np.diff(key) > 0).all()
    assert ((row >= 0) & (col >= 0) & (row < NODES) & (col < NODES)).all()
    back = np.searchsorted(key, col * NODES + row)
    assert (key[back] == col * NODES + row).all()
    assert (view.edge_weight[back] == view.edge_weight).all()
    assert (np.isfinite(view.edge_weight) & (view.edge_weight > 0)).all()


@pytest.mark.parametrize("part", range(4))
def test_no_call_dies_of_it(part: int) -> None:
    run_in_child("tests.schur.test_changing_arrays", "hammer", list(ENTRIES)[part::4], CALLS)

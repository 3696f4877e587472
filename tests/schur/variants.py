"""Every way to make a view, by name: a graph and a seed in, arrays out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

import rlap
from tests.graphs import NEIGHBOR_ORDERS, NODE_ORDERS, Example

Arrays = list[NDArray[Any]]
Variant = Callable[[Example, int], Arrays]


def view_arrays(view: rlap.View) -> Arrays:
    ground = [] if view.ground is None else [view.ground]
    return [view.edge_index, view.edge_weight, view.node_mask, *ground]


def same(left: Sequence[NDArray[Any]], right: Sequence[NDArray[Any]]) -> bool:
    """The same bits."""
    return len(left) == len(right) and all(
        a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
        for a, b in zip(left, right, strict=True)
    )


def digest(arrays: Sequence[NDArray[Any]]) -> str:
    whole = hashlib.sha256()
    for array in arrays:
        whole.update(f"{array.dtype} {array.shape}".encode())
        whole.update(np.ascontiguousarray(array).tobytes())
    return whole.hexdigest()


def elimination(word: str, neighbor_order: str, kept: bool = False, grounded: bool = False) -> Variant:
    def make(example: Example, seed: int) -> Arrays:
        view = rlap.schur_view(
            example.edge_index,
            example.edge_weight,
            num_nodes=example.num_nodes,
            fraction=None if kept else 0.5,
            keep=example.keep if kept else None,
            node_order=example.node_order(word),
            neighbor_order=neighbor_order,
            ground=example.leak if grounded else None,
            seed=seed,
        )
        return view_arrays(view)

    return make


def other(method: Any, word: str = "random", kept: bool = False, grounded: bool = False) -> Variant:
    def make(example: Example, seed: int) -> Arrays:
        view = rlap.schur_view(
            example.edge_index,
            example.edge_weight,
            num_nodes=example.num_nodes,
            fraction=None if kept else 0.5,
            keep=example.keep if kept else None,
            node_order=example.node_order(word),
            method=method,
            ground=example.leak if grounded else None,
            seed=seed,
        )
        return view_arrays(view)

    return make


def path(word: str, neighbor_order: str) -> Variant:
    def make(example: Example, seed: int) -> Arrays:
        graphs = rlap.schur_path(
            example.sparse,
            [0.2, 0.4, 0.6],
            node_order=example.node_order(word),
            neighbor_order=neighbor_order,
            rng=seed,
        )
        return [array for graph in graphs for array in _matrix_arrays(graph)]

    return make


def factor(word: str, neighbor_order: str) -> Variant:
    def make(example: Example, seed: int) -> Arrays:
        made = rlap.approximate_factor(
            example.sparse, node_order=example.node_order(word), neighbor_order=neighbor_order, rng=seed
        )
        return [made.order, made.diagonal, *_matrix_arrays(made.lower)]

    return make


def _matrix_arrays(matrix: Any) -> Arrays:
    coo = sp.coo_array(matrix)
    return [coo.coords[0].astype(np.int64), coo.coords[1].astype(np.int64), coo.data]


ORDERS = [(word, neighbor_order) for word in NODE_ORDERS for neighbor_order in NEIGHBOR_ORDERS]
VARIANTS: dict[str, Variant] = {
    **{f"{word}/{order}": elimination(word, order) for word, order in ORDERS},
    **{f"{word}/{order} keep": elimination(word, order, kept=True) for word, order in ORDERS},
    **{f"{word}/{order} ground": elimination(word, order, grounded=True) for word, order in ORDERS},
    **{f"{word}/{order} path": path(word, order) for word, order in ORDERS},
    **{f"{word}/{order} factor": factor(word, order) for word, order in ORDERS},
    **{f"{word} coarsening": other("coarsening", word) for word in NODE_ORDERS},
    **{f"{word} coarsening keep": other("coarsening", word, kept=True) for word in NODE_ORDERS},
    "walks": other("walks"),
    "walks keep": other("walks", kept=True),
    "walks keep ground": other("walks", kept=True, grounded=True),
}

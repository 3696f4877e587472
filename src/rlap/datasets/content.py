"""A digest of what a data set holds, whatever form its features have."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp
from torch import Tensor

from rlap.datasets.features import as_scipy

_ROWS = 1024  # a block, so that wide features are never copied whole


def digest(graphs: Iterable[Any]) -> str:
    """Give the SHA-256 of the features, edges and labels of all graphs, in order.

    Only entries of the features that are not zero count, so dense and sparse features of the same values agree.
    """
    state = hashlib.sha256()
    for graph in graphs:
        for block in _rows(graph.x):
            block.sort_indices()
            block.eliminate_zeros()
            for array, kind in ((block.indptr, "<i8"), (block.indices, "<i8"), (block.data, "<f4")):
                state.update(np.ascontiguousarray(array, dtype=kind).data)
        shape = np.array([*graph.x.shape, *graph.edge_index.shape], dtype="<i8")
        for array in (shape, graph.edge_index.numpy(), graph.y.numpy()):
            state.update(np.ascontiguousarray(array, dtype="<i8").data)
    return state.hexdigest()


def _rows(x: Tensor) -> Iterable[Any]:
    matrix = as_scipy(x) if x.is_sparse_csr else x.numpy()
    for begin in range(0, len(x), _ROWS):
        yield sp.csr_array(matrix[begin : begin + _ROWS], copy=True)

"""From the caller's edge arrays to the core's graph."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rlap import _core
from rlap.schur.memory import bytes_needed, check_memory

_FEW_EDGES = 2**22  # fit anywhere, sorted or not
MANY_GRAPHS = 2**20  # so many may be empty, in a batch of any size


def check_num_nodes(num_nodes: Any) -> int:
    """Require a whole number of nodes."""
    try:
        nodes = operator.index(num_nodes)
    except TypeError:
        raise TypeError(f"num_nodes must be an integer (got {type(num_nodes).__name__})") from None
    if not 0 <= nodes < 2**31 - 1:
        raise ValueError(f"num_nodes must lie in [0, {2**31 - 2}] (got {nodes})")
    return nodes


def check_edge_index(edge_index: ArrayLike) -> NDArray[np.integer]:
    """Require whole numbers in the shape (2, E)."""
    index = np.asarray(edge_index)
    if index.ndim != 2 or index.shape[0] != 2:
        raise ValueError(f"edge_index must have the shape (2, E) (got {index.shape})")
    if index.dtype in (np.int64, np.int32):
        return index
    if index.size == 0:
        return np.zeros(index.shape, dtype=np.int64)
    if not np.issubdtype(index.dtype, np.integer):
        raise TypeError(f"edge_index must hold integers (got {index.dtype})")
    if index.dtype == np.uint64 and int(index.max()) > np.iinfo(np.int64).max:
        raise ValueError(f"edge_index must fit in 64 bits with sign (got {index.max()})")
    return index.astype(np.int64)


def check_edge_weight(edge_weight: ArrayLike | None, edges: int) -> NDArray[np.floating] | None:
    """Require one real number for every edge, in single or double precision; their values are checked when read."""
    if edge_weight is None:
        return None
    weight = np.asarray(edge_weight)
    if weight.ndim == 2 and 1 in weight.shape:
        weight = weight.reshape(-1)
    if weight.shape != (edges,):
        raise ValueError(f"edge_weight must have one value for every edge, the shape ({edges},) (got {weight.shape})")
    if weight.dtype in (np.float32, np.float64):
        return weight
    if weight.dtype == np.float16:
        return weight.astype(np.float32)
    if weight.dtype.kind not in "fiub":
        raise TypeError(f"edge_weight must hold real numbers (got {weight.dtype})")
    return weight.astype(np.float64)


def check_ptr(ptr: ArrayLike | None, batch: ArrayLike | None, num_nodes: int) -> NDArray[np.int64]:
    """Turn `ptr` or `batch` into the offsets of the graphs of a batch; neither means one graph."""
    if ptr is not None and batch is not None:
        raise ValueError("ptr and batch say the same thing: give one of them")
    if ptr is not None:
        offsets = _integers(ptr, "ptr")
        if offsets.size < 2 or offsets[0] != 0 or offsets[-1] != num_nodes or bool((np.diff(offsets) < 0).any()):
            raise ValueError(f"ptr must rise from 0 to num_nodes = {num_nodes} (got {_brief(offsets)})")
        return offsets
    if batch is not None:
        graph = _integers(batch, "batch")
        if graph.size != num_nodes:
            raise ValueError(f"batch must have one value for every node, {num_nodes} of them (got {graph.size})")
        if graph.size and (graph[0] < 0 or bool((np.diff(graph) < 0).any())):
            raise ValueError(f"batch must be sorted and not negative (got {_brief(graph)})")
        if graph.size and graph[-1] >= max(MANY_GRAPHS, num_nodes):
            raise ValueError(
                f"batch must number its graphs from 0, with few that are empty (got graph {graph[-1]} for "
                f"{num_nodes} nodes)"
            )
        sizes = np.bincount(graph, minlength=1) if graph.size else np.zeros(1, np.int64)
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return np.array([0, num_nodes], dtype=np.int64)


def check_ground(ground: ArrayLike | None, num_nodes: int) -> NDArray[np.float64] | None:
    """Require one finite, non-negative weight to the ground for every node."""
    if ground is None:
        return None
    values = np.asarray(ground)
    if values.dtype.kind not in "fiub":
        raise TypeError(f"ground must hold real numbers (got {values.dtype})")
    if values.shape != (num_nodes,):
        raise ValueError(f"ground must have one value for every node, the shape ({num_nodes},) (got {values.shape})")
    values = np.ascontiguousarray(values, dtype=np.float64)
    bad = ~((values >= 0) & np.isfinite(values))
    if bad.any():
        at = int(bad.argmax())
        raise ValueError(f"ground must be finite and not negative (got {values[at]} at node {at})")
    return values


def read_edges(
    edge_index: ArrayLike,
    edge_weight: ArrayLike | None,
    num_nodes: int,
    ptr: NDArray[np.int64] | None = None,
    symmetrize: bool = False,
    num_threads: int = 1,
) -> _core.Graph:
    """Check an edge list and read it into the core. Threads help where it is large, and sorted in either direction.

    Raises:
        MemoryError: when the graph and a view of it would not fit in memory: a large `num_nodes` is a single number.
    """
    nodes = check_num_nodes(num_nodes)
    index = check_edge_index(edge_index)
    weight = check_edge_weight(edge_weight, index.shape[1])
    single = weight is not None and weight.dtype == np.float32
    check_memory(
        bytes_needed(
            index.shape[1],
            nodes,
            weighted=weight is not None,
            single=single,
            num_threads=num_threads,
            in_order=index.shape[1] < _FEW_EDGES or _in_order(*index) or _in_order(*index[::-1]),
        )
    )
    return _core.Graph(
        np.ascontiguousarray(index[0]),
        np.ascontiguousarray(index[1]),
        None if weight is None else np.ascontiguousarray(weight),
        nodes,
        np.array([0, nodes], dtype=np.int64) if ptr is None else ptr,
        bool(symmetrize),
        num_threads,
    )


def _in_order(major: NDArray[np.integer], minor: NDArray[np.integer]) -> bool:
    rises, stays = major[1:] > major[:-1], major[1:] == major[:-1]
    return bool((rises | (stays & (minor[1:] >= minor[:-1]))).all())


def _integers(values: ArrayLike, name: str) -> NDArray[np.int64]:
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension (got {array.ndim})")
    if array.size == 0:  # an empty list has no type of its own
        return np.zeros(0, dtype=np.int64)
    if not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"{name} must hold integers (got {array.dtype})")
    return np.ascontiguousarray(array, dtype=np.int64)


def _brief(values: NDArray[np.int64]) -> str:
    return np.array2string(values, threshold=8, edgeitems=3)

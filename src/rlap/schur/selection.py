"""Which nodes go, and in which order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rlap import _core

NODE_ORDERS = {"random": _core.NodeOrder.random, "degree": _core.NodeOrder.degree}
NEIGHBOR_ORDERS = {
    "asc": _core.NeighborOrder.asc,
    "desc": _core.NeighborOrder.desc,
    "random": _core.NeighborOrder.random,
}


@dataclass(frozen=True)
class Selection:
    """The nodes that may go, graph after graph (None: all), and how many of them go in each graph."""

    order: _core.NodeOrder
    nodes: NDArray[np.int32] | None
    begin: NDArray[np.int64] | None
    count: NDArray[np.int64]


def check_neighbor_order(neighbor_order: str) -> _core.NeighborOrder:
    """Turn the word for o_n into the core's."""
    if not isinstance(neighbor_order, str) or neighbor_order not in NEIGHBOR_ORDERS:
        raise ValueError(f"neighbor_order must be one of {_words(NEIGHBOR_ORDERS)} (got {neighbor_order!r})")
    return NEIGHBOR_ORDERS[neighbor_order]


def check_fraction(fraction: float, name: str = "fraction") -> float:
    """Require a share of the nodes."""
    try:
        if np.iscomplexobj(fraction):  # float() would drop the imaginary part
            raise TypeError
        value = float(fraction)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number (got {type(fraction).__name__})") from None
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must lie in [0, 1] (got {value})")
    return value


def check_nodes(nodes: ArrayLike, num_nodes: int, name: str) -> NDArray[np.bool_]:
    """Turn node numbers, or a mask, into a mask."""
    array = np.asarray(nodes)
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension (got {array.ndim})")
    if array.dtype == np.bool_:
        if array.size != num_nodes:
            raise ValueError(f"{name} as a mask must have one value for every node, {num_nodes} (got {array.size})")
        return array
    _check_range(array, num_nodes, name)
    mask = np.zeros(num_nodes, dtype=np.bool_)
    mask[array.astype(np.int64)] = True
    return mask


def gone_mask(num_nodes: int, keep: ArrayLike | None, eliminate: ArrayLike | None) -> NDArray[np.bool_] | None:
    """Say which nodes `keep` or `eliminate` send away; None when neither is given."""
    if keep is not None and eliminate is not None:
        raise ValueError("keep and eliminate say the same thing: give one of them")
    if keep is not None:
        return ~check_nodes(keep, num_nodes, "keep")
    if eliminate is not None:
        return check_nodes(eliminate, num_nodes, "eliminate")
    return None


def select(
    ptr: NDArray[np.int64],
    *,
    fraction: float | None,
    keep: ArrayLike | None,
    eliminate: ArrayLike | None,
    node_order: str | ArrayLike,
) -> Selection:
    """Combine `fraction`, `keep` or `eliminate` with the node order.

    With `fraction`, every graph loses `floor(fraction * its nodes)` nodes.
    """
    num_nodes = int(ptr[-1])
    gone = gone_mask(num_nodes, keep, eliminate)
    if (gone is None) == (fraction is None):
        raise ValueError("give exactly one of fraction, keep and eliminate")
    if gone is None:
        assert fraction is not None
        count = np.floor(check_fraction(fraction) * np.diff(ptr)).astype(np.int64)
    else:
        count = np.diff(np.concatenate([[0], np.cumsum(gone)])[ptr]).astype(np.int64)

    if isinstance(node_order, str):
        if node_order not in NODE_ORDERS:
            words = _words(NODE_ORDERS)
            raise ValueError(f"node_order must be one of {words}, or a permutation of the nodes (got {node_order!r})")
        if gone is None:
            return Selection(NODE_ORDERS[node_order], None, None, count)
        nodes = np.flatnonzero(gone)
        return Selection(NODE_ORDERS[node_order], nodes.astype(np.int32), _offsets(count), count)

    order = _check_permutation(node_order, num_nodes)
    if gone is not None:
        order = order[gone[order]]
    graph = np.searchsorted(ptr, order, side="right") - 1
    order = order[np.argsort(graph, kind="stable")]
    sizes = np.diff(ptr) if gone is None else count
    return Selection(_core.NodeOrder.given, order.astype(np.int32), _offsets(sizes), count)


def _check_permutation(node_order: ArrayLike, num_nodes: int) -> NDArray[np.int64]:
    order = np.asarray(node_order)
    if order.ndim != 1 or order.size != num_nodes:
        raise ValueError(f"node_order must hold each of the {num_nodes} nodes once (got the shape {order.shape})")
    _check_range(order, num_nodes, "node_order")
    seen = np.bincount(order.astype(np.int64), minlength=num_nodes)
    if num_nodes and seen.max() > 1:
        raise ValueError(f"node_order must hold each node once (got {int(seen.argmax())} {seen.max()} times)")
    return order.astype(np.int64)


def _check_range(nodes: NDArray[np.generic], num_nodes: int, name: str) -> None:
    none = nodes.size == 0 and nodes.dtype == np.float64  # what NumPy makes of an empty list
    if not (none or np.issubdtype(nodes.dtype, np.integer)):
        raise TypeError(f"{name} must hold integers (got {nodes.dtype})")
    if nodes.size == 0:
        return
    for value in (nodes.min(), nodes.max()):
        if not 0 <= int(value) < num_nodes:
            raise ValueError(f"{name} must lie in [0, num_nodes) = [0, {num_nodes}) (got {int(value)})")


def _offsets(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _words(table: Iterable[str]) -> str:
    return ", ".join(f'"{word}"' for word in table)

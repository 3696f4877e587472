"""Random walks with restart, all at once, and what they visit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap.transforms.coins import Coins


def visited(
    edge_index: NDArray[np.int64],
    edge_weight: Any,
    coins: Coins,
    starts: NDArray[np.int64],
    graph: NDArray[np.int64],
    *,
    walk_length: int,
    restart: float,
) -> NDArray[np.bool_]:
    """Mark the nodes that walks from `starts`, which lie in these graphs in turn, visit."""
    num_nodes = int(coins.ptr[-1])
    seen = np.zeros(num_nodes, dtype=np.bool_)
    seen[starts] = True
    row, col = edge_index
    if (row[1:] < row[:-1]).any():
        order = np.argsort(row, kind="stable")
        row, col = row[order], col[order]
        edge_weight = None if edge_weight is None else edge_weight[order]
    bounds = np.searchsorted(row, np.arange(num_nodes + 1))
    upto = None if edge_weight is None else np.concatenate([[0.0], np.cumsum(edge_weight, dtype=np.float64)])
    walk = np.arange(len(starts)) - np.searchsorted(graph, graph)  # its number in its own graph
    at = starts
    for step in range(walk_length):
        back = coins.of_walks(walk, graph, 2 * step) < restart if restart else None
        number = coins.of_walks(walk, graph, 2 * step + 1)
        first, last = bounds[at], bounds[at + 1]
        if upto is None:
            place = first + (number * (last - first)).astype(np.int64)
        else:
            mark = upto[first] + number * (upto[last] - upto[first])
            place = np.clip(np.searchsorted(upto, mark, side="right") - 1, first, last - 1)
        moved = np.where(first < last, col[np.minimum(place, len(col) - 1)], at) if len(col) else at
        at = moved if back is None else np.where(back, starts, moved)
        seen[at] = True
    return seen

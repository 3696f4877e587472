"""The first task of every block: check it, and set apart the edges that no elimination will touch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap.scale.choice import Choice
from rlap.scale.edges import Edges
from rlap.scale.keys import edge_key
from rlap.scale.sources import Rows, read_block


@dataclass(frozen=True)
class Found:
    """What a block has. `balance` is zero when all blocks together hold both directions of every edge."""

    rows: int
    live: int
    settled: int
    balance: int
    nbytes: int


def largest_id(block: Any) -> int:
    """Give the largest node id of a block; -1 when there is none."""
    rows = read_block(block, None)
    return max((int(ids.max()) for ids in (rows.source, rows.target) if ids.size), default=-1)


def read_edges(
    block: Any, choice: Choice, num_nodes: int, both: bool, column: str | None
) -> tuple[Edges, NDArray[np.int64] | None, Edges, Found]:
    """Read a block: edges with an end that goes, with the parts of their ends if it has them, and the other edges."""
    rows = read_block(block, column)
    _check(rows, num_nodes)
    low, high = np.minimum(rows.source, rows.target), np.maximum(rows.source, rows.target)
    chosen = low != high
    balance = 0
    if both:
        up = rows.source < rows.target
        balance = (_digest(rows, low, high, up) - _digest(rows, low, high, rows.source > rows.target)) % 2**64
        chosen = up
    live = chosen & (choice.goes(low) | choice.goes(high))
    edges = Edges(low, high, rows.weight, np.zeros(low.size, np.bool_))
    parts = None
    if rows.source_part is not None and rows.target_part is not None:
        swapped = rows.source > rows.target
        parts = np.stack([rows.source_part, rows.target_part])
        parts[:, swapped] = parts[::-1, swapped]
        parts = parts[:, live]
    touched, settled = edges.take(live), edges.take(chosen & ~live)
    size = touched.nbytes + settled.nbytes
    return touched, parts, settled, Found(low.size, touched.size, settled.size, int(balance), size)


def _check(rows: Rows, num_nodes: int) -> None:
    for ids in (rows.source, rows.target):
        bad = (ids < 0) | (ids >= num_nodes)
        if bad.any():
            raise ValueError(f"node ids must lie in [0, num_nodes) = [0, {num_nodes}) (got {ids[bad.argmax()]})")
    bad = ~((rows.weight > 0) & np.isfinite(rows.weight))
    if bad.any():
        at = int(bad.argmax())
        ends = f"{rows.source[at]} - {rows.target[at]}"
        raise ValueError(f"weights must be positive and finite (got {rows.weight[at]} for the edge {ends})")


def _digest(rows: Rows, low: NDArray[np.int64], high: NDArray[np.int64], chosen: NDArray[np.bool_]) -> int:
    """Sum the hashes of edges. Two lists that differ have the same sum by a chance of 2^-64."""
    bits = rows.weight[chosen].view(np.uint64)
    hashes = edge_key(0, low[chosen], high[chosen], np.zeros(bits.size, np.uint8)) ^ (
        bits * np.uint64(0x9E3779B97F4A7C15)
    )
    hashes = (hashes ^ (hashes >> np.uint64(32))) * np.uint64(0xBF58476D1CE4E5B9)
    return int((hashes ^ (hashes >> np.uint64(29))).sum(dtype=np.uint64))

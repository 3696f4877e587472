"""What a worker does with its part: eliminate the nodes that touch no other part."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap.experiments.environment import peak_memory, start_peak
from rlap.scale.choice import Choice
from rlap.scale.edges import Edges, eliminate, join
from rlap.scale.keys import order_key
from rlap.scale.split import Piece
from rlap.schur.selection import NEIGHBOR_ORDERS


@dataclass(frozen=True)
class Reduced:
    """What became of a part: numbers for the summary, and nothing large."""

    edges: int
    nodes: int
    boundary: int
    eliminated: int
    live: int
    settled: int
    nbytes: int
    peak_memory: int
    cpu_seconds: float


def reduce_part(
    choice: Choice, neighbor_order: str, seed: int, *pieces: Piece
) -> tuple[Edges, Edges, NDArray[np.int64], Reduced]:
    """Eliminate what can be: edges that are left at nodes that go, other edges, the nodes in their order, numbers."""
    start_peak()
    began = time.process_time()
    edges = join([piece.edges for piece in pieces])
    ends = np.unique(np.concatenate([edges.source, edges.target]))
    going = ends[choice.goes(ends)]
    boundary = np.unique(np.concatenate([piece.boundary for piece in pieces])) if pieces else going[:0]
    inside = np.setdiff1d(going, boundary, assume_unique=True)
    order = inside[np.argsort(order_key(choice.seed, inside))]
    left = eliminate(edges, order, NEIGHBOR_ORDERS[neighbor_order], seed)
    live = choice.goes(left.source) | choice.goes(left.target)
    touched, settled = left.take(live), left.take(~live)
    nodes = int(np.union1d(going, boundary).size)
    size = sum(_nbytes(piece) for piece in pieces)
    spent = time.process_time() - began
    numbers = Reduced(
        edges.size, nodes, int(boundary.size), order.size, touched.size, settled.size, size, peak_memory(), spent
    )
    return touched, settled, order, numbers


def _nbytes(piece: Any) -> int:
    return int(piece.edges.nbytes + piece.boundary.nbytes)

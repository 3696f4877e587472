"""Which node belongs to which part. Only nodes that go have parts; those that stay belong to all."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rlap import _core, metis
from rlap.scale.choice import Choice
from rlap.scale.edges import Edges, join, localise, merge

Partitioner: TypeAlias = Literal["metis", "streaming", "range"]
_ROUNDS = 3  # passes of the streaming partitioner


@dataclass(frozen=True)
class Parts:
    """Tells the part of any node: by a list of ids, which rise, or by ranges of ids, or by an array over all nodes."""

    parts: int
    num_nodes: int = 0
    ids: NDArray[np.int64] | None = None
    part: NDArray[np.int32] | None = None

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.int32]:
        """Give the parts of nodes that go."""
        if self.part is None:
            part = (ids.astype(np.float64) / max(1, self.num_nodes) * self.parts).astype(np.int32)
            return np.minimum(part, np.int32(self.parts - 1))  # ids above 2^53 are rounded, perhaps to num_nodes
        if self.ids is None:
            return self.part[ids]
        if self.ids.size == 0:
            return np.zeros(ids.size, np.int32)
        # A node that is not in the list has no edge to another that goes: any part will do.
        return self.part[np.minimum(np.searchsorted(self.ids, ids), self.ids.size - 1)]


def inner_edges(edges: Edges, choice: Choice) -> Edges:
    """Give the edges between nodes that go: all that a partition is about."""
    return edges.take(choice.goes(edges.source) & choice.goes(edges.target))


def metis_parts(parts: int, *pieces: Edges) -> Parts:
    """Cut the graph of the nodes that go by METIS, so that few edges lie between parts, each of about as many edges.

    This is for one machine that holds all of these edges: 100 bytes for each in this process, 250 in that of METIS.
    """
    import scipy.sparse as sp

    edges = merge(join(pieces))
    if edges.size == 0:
        return Parts(parts, 0, np.zeros(0, np.int64), np.zeros(0, np.int32))
    ids, low, high = localise(edges)
    ends = np.concatenate([low, high]), np.concatenate([high, low])
    graph = sp.csr_array((np.ones(2 * edges.size, np.int8), ends), shape=(ids.size, ids.size))
    # METIS does not like parts of less than two nodes. A worker's memory goes with its edges.
    count = min(parts, max(1, ids.size // 2))
    part = metis.cut(count, graph.indptr, graph.indices, node_weight=np.diff(graph.indptr), seed=0)
    return Parts(parts, 0, ids, part)


def streaming_parts(parts: int, num_nodes: int, total: int, blocks: Sequence[Any]) -> Parts:
    """Cut the graph by reading its edges a few times, one block after the other.

    Nodes join the larger cluster at an edge as long as it has room (the streaming clustering of Hollocou et al. 2017,
    with the bound of Mayer et al. 2020), and clusters are put together into parts of about equal numbers of edges. The
    process that does so holds 20 bytes for every node, and one block of edges: `blocks` are references, of `total`
    edges together.
    """
    import ray

    cluster = np.full(num_nodes, -1, np.int64)
    degree = np.zeros(num_nodes, np.int32)
    volume = np.zeros(num_nodes, np.int64)
    most = max(2, 2 * total // (8 * parts))
    for number in range(_ROUNDS):
        for block in blocks:
            piece = ray.get(block)
            _core.cluster_edges(piece.source, piece.target, cluster, degree, volume, most, number == 0)
    seen = np.flatnonzero(cluster >= 0)
    return Parts(parts, 0, seen, _pack(cluster[seen], volume, parts))


def _pack(cluster: NDArray[np.int64], volume: NDArray[np.int64], parts: int) -> NDArray[np.int32]:
    names, place = np.unique(cluster, return_inverse=True)
    room = [(0, part) for part in range(parts)]
    chosen = np.zeros(names.size, np.int32)
    for at in np.argsort(-volume[names], kind="stable"):
        held, part = room[0]
        chosen[at] = part
        heapq.heapreplace(room, (held + int(volume[names[at]]), part))
    return np.asarray(chosen[place])


def check_array(partition: Sequence[int] | NDArray[np.generic], num_nodes: int) -> Parts:
    """Take the caller's own partition: a part for every node."""
    part = np.asarray(partition)
    if part.shape != (num_nodes,):
        raise ValueError(f"partition must have one part for every node, {num_nodes} (got the shape {part.shape})")
    if part.size and not np.issubdtype(part.dtype, np.integer):
        raise TypeError(f"partition must hold integers (got {part.dtype})")
    if part.size and part.min() < 0:
        raise ValueError(f"partition must not be negative (got {part.min()})")
    return Parts(int(part.max(initial=0)) + 1, num_nodes, None, part.astype(np.int32))

"""The edges of the view, merged and sorted, shard by shard."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rlap.scale.edges import Edges, join, merge

_SAMPLE = 1 << 10


def sample_sources(edges: Edges) -> NDArray[np.int64]:
    """Give some first ends, evenly spread, as many as tell how to cut all into shards of about equal size."""
    low = np.minimum(edges.source, edges.target)
    return low[:: max(1, low.size // _SAMPLE)]


def cut_points(samples: list[NDArray[np.int64]], sizes: list[int], shards: int) -> NDArray[np.int64]:
    """Give the ids at which shards begin, but for the first."""
    ids = np.concatenate([np.zeros(0, np.int64), *samples])
    if ids.size == 0:
        return np.zeros(shards - 1, np.int64)
    share = np.concatenate([np.full(s.size, n / s.size) for s, n in zip(samples, sizes, strict=True) if s.size])
    by_id = np.argsort(ids, kind="stable")
    total = np.cumsum(share[by_id])
    places = np.searchsorted(total, total[-1] * np.arange(1, shards) / shards)
    return np.asarray(ids[by_id][np.minimum(places, ids.size - 1)])


def split_shards(edges: Edges, cuts: NDArray[np.int64]) -> tuple[Edges, ...] | Edges:
    """Cut a block of edges into shards."""
    if cuts.size == 0:
        return edges
    shard = np.searchsorted(cuts, np.minimum(edges.source, edges.target), side="right")
    return tuple(edges.take(shard == number) for number in range(cuts.size + 1))


def merge_shard(folder: str | None, number: int, *pieces: Edges) -> tuple[Edges | None, int]:
    """Merge the pieces of a shard; write it, each edge once with source < target, or give it back."""
    edges = merge(join(pieces))
    if folder is None:
        return edges, edges.size
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({"source": edges.source, "target": edges.target, "weight": edges.weight})
    path = Path(folder) / f"part-{number:05}.parquet"
    pq.write_table(table, path)
    return None, edges.size


def both_directions(edges: Edges) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Give both directions of merged edges, sorted by row and column."""
    row = np.concatenate([edges.source, edges.target])
    col = np.concatenate([edges.target, edges.source])
    order = np.lexsort((col, row))
    return np.stack([row[order], col[order]]), np.concatenate([edges.weight, edges.weight])[order]

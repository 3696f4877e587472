"""Which nodes belong to which graph of a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap.adapters.torch import to_numpy


def node_ptr(nodes: Any, num_nodes: int) -> NDArray[np.int64]:
    """Say where the nodes of every graph begin, and where the last ones end."""
    if "ptr" in nodes:
        return np.asarray(to_numpy(nodes.ptr), dtype=np.int64)
    if "batch" not in nodes:
        return np.array([0, num_nodes], dtype=np.int64)
    batch = np.asarray(to_numpy(nodes.batch), dtype=np.int64)
    falls = np.flatnonzero(np.diff(batch) < 0)
    if falls.size:
        place = int(falls[0])
        raise ValueError(f"batch must not fall (got {batch[place]} before {batch[place + 1]} at node {place + 1})")
    count = int(batch[-1]) + 1 if batch.size else 0
    return np.searchsorted(batch, np.arange(count + 1)).astype(np.int64)


def graph_of_node(ptr: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the number of its graph for every node."""
    return np.repeat(np.arange(len(ptr) - 1), np.diff(ptr))

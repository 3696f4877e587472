"""Which nodes belong to which graph of a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap.adapters.torch import to_numpy
from rlap.schur.edges import check_ptr


def node_ptr(nodes: Any, num_nodes: int) -> NDArray[np.int64]:
    """Say where the nodes of every graph begin, and where the last ones end."""
    if "ptr" in nodes:
        return check_ptr(to_numpy(nodes.ptr), None, num_nodes)
    return check_ptr(None, to_numpy(nodes.batch) if "batch" in nodes else None, num_nodes)


def graph_of_node(ptr: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the number of its graph for every node."""
    return np.repeat(np.arange(len(ptr) - 1), np.diff(ptr))

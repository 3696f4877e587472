"""Which nodes belong to which graph of a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap.adapters.torch import to_numpy
from rlap.schur.edges import check_ptr


def node_ptr(nodes: Any, num_nodes: int) -> NDArray[np.int64]:
    """Say where the nodes of every graph begin, and where the last ones end."""
    ptr, batch = (to_numpy(nodes[key]) if key in nodes else None for key in ("ptr", "batch"))
    return check_ptr(ptr, batch if ptr is None else None, num_nodes)


def graph_of_node(ptr: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the number of its graph for every node."""
    return np.repeat(np.arange(len(ptr) - 1), np.diff(ptr))

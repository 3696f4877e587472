"""Which edges stay, as the core says it and as torch wants it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from rlap import _core
from rlap.adapters.torch import to_numpy, to_torch
from rlap.schur.threads import check_num_threads


@dataclass(frozen=True)
class Staying:
    """Edges that stay, in their order: where they stood, and their ends, of the shape (2, k)."""

    place: Tensor
    ends: Tensor


def read_ends(edges: Any) -> NDArray[np.int64]:
    """Read the ends of edges as the core wants them."""
    return np.ascontiguousarray(to_numpy(edges.edge_index), dtype=np.int64)


def staying(edges: Any, found: _core.Staying) -> Staying:
    """Bring what the core says to where the edges lie."""
    place, ends = found
    index = edges.edge_index
    return Staying(to_torch(place, index.device), to_torch(ends, index.device, index.dtype))


def between(edges: Any, sides: list[int], kept: Tensor) -> Staying:
    """Find the edges that have kept nodes on these sides."""
    mask = np.ascontiguousarray(to_numpy(kept))
    row_stays, col_stays = (mask if side in sides else None for side in (0, 1))
    return staying(edges, _core.edges_between(read_ends(edges), row_stays, col_stays, check_num_threads(0)))

"""Sends every edge to the part that needs it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rlap.scale.choice import Choice
from rlap.scale.edges import Edges
from rlap.scale.parts import Parts


class Piece(NamedTuple):
    """What one block has for one part: edges, and those nodes of the part that touch another part."""

    edges: Edges
    boundary: NDArray[np.int64]


def ends_in_parts(
    edges: Edges, choice: Choice, parts: Parts | None, given: NDArray[np.int64] | None
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Give the parts of both ends of every edge; -1 for ends that stay."""
    found = []
    for column, ids in enumerate((edges.source, edges.target)):
        if given is not None:
            part = given[column].astype(np.int32)
        else:
            assert parts is not None
            part = parts.of(ids)
        found.append(np.where(choice.goes(ids), part, np.int32(-1)))
    return found[0], found[1]


def split_edges(
    edges: Edges, choice: Choice, parts: Parts | None, given: NDArray[np.int64] | None, count: int
) -> tuple[Piece | Edges, ...]:
    """Give every part its edges, and, last, the edges between parts.

    An edge to a node that stays belongs to the other end's part. So a part has all edges of those of its nodes that
    touch no other part, and what comes of eliminating them joins nodes of this part and nodes that stay.
    """
    first, second = ends_in_parts(edges, choice, parts, given)
    _check_parts(first, second, count)
    across = (first >= 0) & (second >= 0) & (first != second)
    owner = np.where(across, np.int32(count), np.maximum(first, second))
    cross = edges.take(across)
    by_owner = np.argsort(owner, kind="stable")
    begin = np.searchsorted(owner[by_owner], np.arange(count + 1))
    ends = np.concatenate([cross.source, cross.target])
    part = np.concatenate([first[across], second[across]])
    pieces = [Piece(edges.take(by_owner[begin[p] : begin[p + 1]]), np.unique(ends[part == p])) for p in range(count)]
    return (*pieces, cross)


def _check_parts(first: NDArray[np.int32], second: NDArray[np.int32], count: int) -> None:
    for part in (first, second):
        if part.size and part.max() >= count:
            raise ValueError(f"parts must lie in [0, parts) = [0, {count}) (got {part.max()})")

"""A similarity matrix in pieces, so that the whole of it is never stored."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

# 16 MB of single-precision similarities. Smaller ones take as long on one thread, but threads that must wait for each
# other after every tile lose much time where cores are shared.
TILE = 2048


def tiles(rows: int, columns: int, size: int) -> Iterator[tuple[slice, slice]]:
    """Cover a matrix by squares, and give the rows and the columns of each."""
    for top in range(0, rows, size):
        for left in range(0, columns, size):
            yield slice(top, min(top + size, rows)), slice(left, min(left + size, columns))


def products(first: Tensor, second: Tensor, size: int, *, fresh: bool = False) -> Iterator[tuple[slice, slice, Tensor]]:
    """Give the products of all rows of both matrices, tile by tile, in memory that is used again or fresh."""
    buffer = first.new_empty(0 if fresh else min(size, len(first)) * min(size, len(second)))
    columns = second.t()
    for row, column in tiles(len(first), len(second), size):
        shape = (row.stop - row.start, column.stop - column.start)
        tile = first.new_empty(shape) if fresh else buffer[: shape[0] * shape[1]].view(shape)
        torch.mm(first[row], columns[:, column], out=tile)
        yield row, column, tile


def check_pair(first: Tensor, second: Tensor) -> None:
    """Refuse two matrices whose rows do not belong together."""
    if first.dim() != 2 or first.shape != second.shape:
        shapes = f"{tuple(first.shape)} and {tuple(second.shape)}"
        raise ValueError(f"both views must be matrices of one shape, a row for each (got {shapes})")

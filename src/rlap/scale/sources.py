"""Where edges come from: Parquet files, a Ray Dataset, or arrays. Each is a list of blocks that workers read alone."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

_AT_ONCE = 4 << 20  # rows of a block


@dataclass(frozen=True)
class RowGroups:
    """Some row groups of a Parquet file, which a worker reads itself."""

    path: str
    groups: tuple[int, ...]


Block: TypeAlias = Any  # RowGroups, or a reference to a table, or to a dictionary of arrays


class Rows(NamedTuple):
    """The rows of a block as they are."""

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    weight: NDArray[np.float64]
    source_part: NDArray[np.int64] | None
    target_part: NDArray[np.int64] | None


def find_files(edges: Any) -> list[Block] | None:
    """List the blocks of Parquet files; None if the edges are something else. It needs no cluster."""
    return _parquet_blocks(os.fspath(edges)) if isinstance(edges, str | os.PathLike) else None


def find_blocks(edges: Any, put: Any) -> list[Block]:
    """List the blocks of a Dataset or of arrays; `put` stores what is at hand where workers find it."""
    if hasattr(edges, "to_arrow_refs"):
        return list(edges.materialize().to_arrow_refs())
    return _array_blocks(edges, put)


def read_block(block: Any, column: str | None) -> Rows:
    """Read a block: columns source, target and perhaps weight, and the parts of both ends when `column` is given."""
    names = ["source", "target", "weight"]
    parts = [] if column is None else [f"source_{column}", f"target_{column}"]
    if isinstance(block, RowGroups):
        import pyarrow.parquet as pq

        file = pq.ParquetFile(block.path)
        block = file.read_row_groups(
            list(block.groups), [name for name in names + parts if name in file.schema_arrow.names]
        )
    there = set(block) if isinstance(block, dict) else set(block.column_names)
    for name in ["source", "target", *parts]:
        if name not in there:
            raise ValueError(f"edges must have a column {name!r} (got {', '.join(sorted(there))})")
    source, target = (_integers(block, name) for name in names[:2])
    weight = _column(block, "weight").astype(np.float64) if "weight" in there else np.ones(source.size)
    if not parts:
        return Rows(source, target, weight, None, None)
    return Rows(source, target, weight, _integers(block, parts[0]), _integers(block, parts[1]))


def _column(block: Any, name: str) -> NDArray[Any]:
    if isinstance(block, dict):
        return np.asarray(block[name])
    column = block[name]
    if column.null_count:
        raise ValueError(f"the column {name!r} must have no empty values (got {column.null_count})")
    return np.asarray(column.to_numpy())


def _integers(block: Any, name: str) -> NDArray[np.int64]:
    values = _column(block, name)
    if values.size and not np.issubdtype(values.dtype, np.integer):
        raise TypeError(f"the column {name!r} must hold integers (got {values.dtype})")
    return values.astype(np.int64)


def _parquet_blocks(pattern: str) -> list[Block]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    found = (
        sorted(Path(pattern).rglob("*.parquet")) if Path(pattern).is_dir() else sorted(map(Path, glob.glob(pattern)))
    )
    if not found:
        raise ValueError(f"edges must name Parquet files, or a folder of them (got {pattern!r})")
    blocks: list[Block] = []
    for path in found:
        try:
            metadata = pq.ParquetFile(path).metadata
        except pa.ArrowInvalid as problem:
            raise ValueError(f"edges must be Parquet files (got {str(path)!r}: {problem})") from None
        for groups in _bundles([metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]):
            blocks.append(RowGroups(str(path.resolve()), groups))
    return blocks


def _bundles(rows: Sequence[int]) -> list[tuple[int, ...]]:
    bundles: list[list[int]] = []
    held = _AT_ONCE
    for number, count in enumerate(rows):
        if held + count > _AT_ONCE:
            bundles.append([])
            held = 0
        bundles[-1].append(number)
        held += count
    return [tuple(bundle) for bundle in bundles]


def _array_blocks(edges: Any, put: Any) -> list[Block]:
    if not isinstance(edges, tuple | list) or len(edges) not in (2, 3):
        kind = type(edges).__name__
        raise TypeError(f"edges must be a path, a Ray Dataset, or arrays (source, target[, weight]) (got {kind})")
    columns = dict(zip(("source", "target", "weight"), map(np.asarray, edges), strict=False))
    sizes = {column.shape for column in columns.values()}
    if len(sizes) > 1 or any(len(shape) != 1 for shape in sizes):
        raise ValueError(f"arrays of edges must have one dimension and the same length (got {sorted(sizes)})")
    [(rows,)] = sizes
    return [
        put({name: column[first : first + _AT_ONCE] for name, column in columns.items()})
        for first in range(0, rows, _AT_ONCE)
    ]

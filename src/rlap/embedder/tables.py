"""Tables of numbers with or without row names: CSV, TSV, Parquet, and NumPy's own files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet
import scipy.sparse as sp
import torch
from torch import Tensor

from rlap.adapters.files.archive import Archive, checked_text
from rlap.adapters.files.streams import reading_with
from rlap.embedder.inputs import from_scipy
from rlap.schur.coordinates import checked_csr

NAME_TITLES = ("node", "name", "id", "graph")
TABLES = (".csv", ".tsv", ".txt", ".parquet", ".npy", ".npz")


@dataclass(frozen=True)
class Table:
    """Numbers, one row each, and the names of the rows where they have any."""

    values: Tensor
    names: list[Any] | None


def read_table(path: Path, *, named: bool = False) -> Table:
    """Read a table of numbers.

    The first column has names if its title is node, name, id or graph, if it is text, or if `named` says so and it has
    no title. A first line that is not all numbers is the titles.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "x.csv")
        >>> _ = path.write_text("ann,1,2\\nbob,3,4\\n")
        >>> table = read_table(path)
        >>> table.names, table.values.tolist()
        (['ann', 'bob'], [[1.0, 2.0], [3.0, 4.0]])
    """
    frame = read_frame(path)
    if not isinstance(frame, pd.DataFrame):
        return Table(_numbers(frame, path), None)
    if not len(frame):
        raise ValueError(f"{path}: a table must have a row (got none)")
    if not frame.columns.is_unique or not len(frame.columns):
        raise ValueError(f"{path}: columns must have different titles (got {list(frame.columns)[:8]})")
    first = frame.columns[0]
    untitled = isinstance(first, int)
    has_names = str(first).lower() in NAME_TITLES or not _is_number(frame[first]) or (named and untitled)
    if has_names:
        if frame.shape[1] < 2:
            raise ValueError(f"{path}: there must be a column of numbers (got names alone)")
        _check_names(frame[first].tolist(), path)
    values = frame.drop(columns=first) if has_names else frame
    for title in values.columns:
        if not _is_number(values[title]):
            raise ValueError(f"{path}: columns must be numbers (got {values[title].tolist()[0]!r} in column {title!r})")
    return Table(_numbers(values.to_numpy(), path), frame[first].tolist() if has_names else None)


def read_frame(path: Path) -> Any:
    """Read a data frame, or an array from NumPy's own files; columns without titles are numbered."""
    kind = path.suffix.lower()
    if kind not in TABLES:
        raise ValueError(f"the file's ending must be one of {', '.join(TABLES)} (got {str(path)!r})")
    if not path.is_file():
        raise ValueError(f"the file must exist (got {str(path)!r})")
    try:
        if kind == ".npz":
            return _archive(path)
        if kind == ".npy":
            # Mapped first: an array that is larger than its file is refused.
            with reading_with("NumPy"), np.errstate(over="ignore"):
                return checked_text(np.array(np.load(path, mmap_mode="r", allow_pickle=False)))
        if kind == ".parquet":
            with reading_with("pyarrow"):
                table = pyarrow.parquet.read_table(path)
                table.validate(full=True)  # such as text that is not UTF-8, which would be met only when it is used
                return table.to_pandas()
        return _text(path)
    except (ValueError, OSError) as problem:
        raise ValueError(f"{path}: {str(problem).splitlines()[0]}") from problem


def _text(path: Path) -> Any:
    with path.open(encoding="utf-8-sig") as file:
        line = file.readline().strip()
    if not line:
        raise ValueError("a table must have a row (got an empty first line)")
    mark = next((one for one in ("\t", ",", ";") if one in line), None)
    # A line of text alone may be titles, or the first name before numbers: titles have no number in them.
    cells = [cell.strip() for cell in (line.split(mark) if mark else line.split())]
    titled = not any(_reads_as_number(cell) for cell in cells)
    with reading_with("pandas"):
        return pd.read_csv(path, sep=mark or r"\s+", header=0 if titled else None, encoding="utf-8-sig")


def _archive(path: Path) -> Any:
    with path.open("rb") as stream:
        archive = Archive(stream)
        if archive.is_matrix:
            return checked_csr(archive.matrix())
        return archive["x" if len(archive.names) != 1 else archive.names[0]]


def _numbers(array: Any, path: Path) -> Tensor:
    if array.ndim != 2 or 0 in array.shape or array.dtype.kind not in "fiub":
        raise ValueError(f"{path}: must be a table of numbers (got {array.dtype} of shape {tuple(array.shape)})")
    if sp.issparse(array):
        return from_scipy(array)
    return torch.from_numpy(np.ascontiguousarray(array, dtype=np.float32))


def _check_names(names: list[Any], path: Path) -> None:
    seen: set[Any] = set()
    for name in names:
        if not isinstance(name, str | int | float):
            raise ValueError(f"{path}: names must be words or numbers (got {name!r:.80})")
        if name in seen:
            raise ValueError(f"{path}: names must be different (got {name!r} twice)")
        seen.add(name)


def _is_number(column: Any) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column))


def _reads_as_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True

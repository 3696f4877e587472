"""The entries of a SciPy matrix, checked before anything compiled follows its offsets."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

Coordinates: TypeAlias = tuple[NDArray[np.integer], NDArray[np.integer], NDArray[Any]]


def coordinates(matrix: Any) -> Coordinates:
    """Return the rows, columns and values of a sparse matrix of any format.

    Some of SciPy's conversions trust the arrays of a matrix, which anybody can set: offsets that fall, or point past
    the end, make them write out of bounds. Here nothing is converted before its arrays are known to fit together.

    Raises:
        ValueError: when they do not; the message says which, and the value.

    Example:
        >>> row, col, value = coordinates(sp.csr_array([[0, 2.0], [3.0, 0]]))
        >>> row.tolist(), col.tolist(), value.tolist()
        ([0, 1], [1, 0], [2.0, 3.0])
    """
    if len(matrix.shape) != 2:
        raise ValueError(f"a sparse matrix must have two dimensions (got the shape {matrix.shape})")
    rows, columns = (int(size) for size in matrix.shape)
    kind = matrix.format
    if kind == "csr":
        row, col = _expand(matrix, rows, columns)
        return row, col, np.asarray(matrix.data)[: row.size]
    if kind == "csc":
        col, row = _expand(matrix, columns, rows)
        return row, col, np.asarray(matrix.data)[: row.size]
    if kind == "coo":
        return _listed(matrix, rows, columns)
    if kind == "bsr":
        _check_blocks(matrix, rows, columns)
    elif kind == "dia":
        _check_diagonals(matrix)
    elif kind == "lil":
        _check_lists(matrix, rows)
    return coordinates(sp.coo_array(matrix))


def checked_csr(matrix: Any) -> sp.csr_array:
    """Return a sparse matrix of any format as a CSR array in canonical form, checked as `coordinates` does.

    Example:
        >>> checked_csr(sp.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(1, 2))).toarray().tolist()
        [[0.0, 3.0]]
    """
    row, col, value = coordinates(matrix)
    rows = sp.coo_array((value, (row, col)), shape=matrix.shape).tocsr()
    rows.sum_duplicates()
    return rows


def _expand(matrix: Any, major: int, minor: int) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
    """Return the row and the column of every entry of a matrix that is compressed by rows."""
    begin = np.array(_whole(matrix.indptr, "indptr"), dtype=np.int64)  # a copy: what is checked is what is used
    index = _whole(matrix.indices, "indices")
    values = np.shape(matrix.data)[0]
    if begin.size != major + 1:
        raise ValueError(f"indptr must have {major + 1} offsets, one more than there are rows (got {begin.size})")
    if begin[0] != 0:
        raise ValueError(f"indptr must begin with 0 (got {begin[0]})")
    falls = begin[1:] < begin[:-1]
    if falls.any():
        at = int(falls.argmax())
        raise ValueError(f"indptr must not fall (got {begin[at + 1]} after {begin[at]})")
    if index.size != values:
        raise ValueError(f"there must be one value for every index, {index.size} of them (got {values})")
    if begin[-1] > values:
        raise ValueError(f"indptr must not go beyond the {values} entries (got {begin[-1]})")
    across = _within(index[: begin[-1]], minor)
    return np.repeat(np.arange(major, dtype=across.dtype if major < 2**31 else np.int64), np.diff(begin)), across


def _listed(matrix: Any, rows: int, columns: int) -> Coordinates:
    row, col = (_whole(one, "indices") for one in matrix.coords)
    value = np.asarray(matrix.data)
    if value.ndim != 1 or not row.size == col.size == value.size:
        sizes = f"{row.size}, {col.size}, {value.size}"
        raise ValueError(f"there must be one value for every pair of indices (got {sizes})")
    return _within(row, rows), _within(col, columns), value


def _check_blocks(matrix: Any, rows: int, columns: int) -> None:
    shape = np.shape(matrix.data)
    if len(shape) != 3 or 0 in shape[1:] or rows % shape[1] or columns % shape[2]:
        raise ValueError(f"the values must be blocks that divide {rows} x {columns} (got the shape {shape})")
    _expand(matrix, rows // shape[1], columns // shape[2])


def _check_diagonals(matrix: Any) -> None:
    shape, offsets = np.shape(matrix.data), _whole(matrix.offsets, "offsets")
    if len(shape) != 2 or shape[0] != offsets.size:
        raise ValueError(f"the values must have a row for each of {offsets.size} diagonals (got the shape {shape})")


def _check_lists(matrix: Any, rows: int) -> None:
    sizes = [[len(one) for one in lists] for lists in (matrix.rows, matrix.data)]
    if len(sizes[0]) != rows or sizes[0] != sizes[1]:
        raise ValueError(f"each of the {rows} rows must have one value for every column that it lists")


def _within(index: NDArray[np.integer], size: int) -> NDArray[np.integer]:
    if index.size and not 0 <= int(index.min()) <= int(index.max()) < size:
        bad = int(index.min()) if int(index.min()) < 0 else int(index.max())
        raise ValueError(f"indices must lie in [0, {size}) (got {bad})")
    return index


def _whole(values: ArrayLike, name: str) -> NDArray[np.integer]:
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be whole numbers in one dimension (got {array.dtype} of shape {array.shape})")
    return array

"""Labels in a file, and which row of an embedding each belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rlap.embedder.tables import Table, read_frame


@dataclass(frozen=True)
class Labels:
    """One label each, and names where the file has them."""

    values: NDArray[Any]
    names: list[Any] | None


def read_labels(path: Path) -> Labels:
    """Read labels: an array, a column, or a column of names and one of labels.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "labels.csv")
        >>> _ = path.write_text("node,label\\nann,red\\nbob,blue\\n")
        >>> read_labels(path).names
        ['ann', 'bob']
    """
    frame = read_frame(path)
    if not isinstance(frame, pd.DataFrame):
        array = np.asarray(frame)
        if array.ndim != 1:
            raise ValueError(f"{path}: labels must be one column (got the shape {array.shape})")
        return Labels(_whole(array, path), None)
    if frame.shape[1] not in (1, 2):
        raise ValueError(
            f"{path}: there must be a column of labels, or names and labels (got {frame.shape[1]} columns)"
        )
    values = _whole(frame.iloc[:, -1].to_numpy(), path)
    return Labels(values, frame.iloc[:, 0].tolist() if frame.shape[1] == 2 else None)


def match_labels(table: Table, labels: Labels, file: str) -> NDArray[np.int64]:
    """Give a class number for every row of the table: by name where both have names, else by order.

    Example:
        >>> import torch
        >>> rows = Table(torch.zeros(2, 1), ["bob", "ann"])
        >>> match_labels(rows, Labels(np.array(["red", "blue"]), ["ann", "bob"]), "labels.csv").tolist()
        [0, 1]
    """
    values = labels.values
    if labels.names is not None:
        names = range(len(table.values)) if table.names is None else table.names
        found = dict(zip(map(str, labels.names), values, strict=True))
        missing = next((name for name in names if str(name) not in found), None)
        if missing is not None:
            raise ValueError(f"{file}: every row of the embedding needs a label (got none for {missing!r})")
        values = np.array([found[str(name)] for name in names])
    if len(values) != len(table.values):
        raise ValueError(
            f"{file}: there must be {len(table.values)} labels, as the embedding has rows (got {len(values)})"
        )
    return np.unique(values, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _whole(values: NDArray[Any], path: Path) -> NDArray[Any]:
    if values.dtype.kind == "f":
        broken = (values != np.round(values)) | ~(np.abs(values) < 2**62)
        if broken.any():
            raise ValueError(f"{path}: labels must be words or whole numbers (got {values[broken][0]})")
        return values.astype(np.int64)
    if values.dtype.kind == "O":
        if pd.isna(values).any():
            raise ValueError(f"{path}: every row needs a label (got none in row {int(np.argmax(pd.isna(values)))})")
        return values.astype(str)
    if values.dtype.kind not in "iubUS":
        raise ValueError(f"{path}: labels must be words or whole numbers (got {values.dtype})")
    return values

"""Matrix Market files: the adjacency matrix, as SciPy reads and writes it."""

from __future__ import annotations

import io
import json
from typing import Any, BinaryIO

import numpy as np
import scipy.io
import scipy.sparse as sp
from numpy.typing import NDArray

from rlap.adapters.files.csv import write_rows
from rlap.adapters.files.edge_file import EdgeFile
from rlap.adapters.files.names import check_names
from rlap.adapters.files.streams import reading_with
from rlap.schur.coordinates import coordinates

# The format has no place for names, so they stand in its comments, which every reader skips.
_NAME = b"%node "
_NUMBERS = b"0123456789+-.eEdDnNaAiIfFtTyY \t\r\n"  # and inf, infinity, nan
_SYMMETRIES = ("general", "symmetric")


def read_matrix_market(stream: BinaryIO, num_nodes: int | None = None) -> EdgeFile:
    """Read a square real matrix. Stored zeros are no edges, and row 1 of the file is node 0.

    >>> import io
    >>> text = b"%%MatrixMarket matrix coordinate pattern symmetric\\n3 3 2\\n2 1\\n3 2\\n"
    >>> graph = read_matrix_market(io.BytesIO(text))
    >>> graph.edge_index.shape, graph.edge_weight is None
    ((2, 4), True)
    """
    # SciPy's reader moves a stream when it is thrown away, which ends the process if the stream is closed by then.
    data = io.BytesIO(stream.read() + b"\n")
    field, symmetry, names = _read_head(data)
    if field not in ("real", "integer", "pattern", "double", "unsigned-integer") or symmetry not in _SYMMETRIES:
        raise ValueError(f"an adjacency matrix must be real, general or symmetric (got {field} {symmetry})")
    _check_body(data)
    data.seek(0)
    with reading_with("SciPy"):
        matrix = scipy.io.mmread(data)
    graph = from_matrix(matrix if sp.issparse(matrix) else sp.coo_array(matrix))
    edge_weight = None if field == "pattern" else graph.edge_weight
    return EdgeFile(graph.edge_index, edge_weight, graph.num_nodes, check_names(names, graph.num_nodes))


def write_matrix_market(stream: BinaryIO, graph: EdgeFile, both_directions: bool) -> None:
    """Write a symmetric matrix; by the rules of the format, that is its lower half."""
    ends, weight = graph.one_direction()
    head = ["%%MatrixMarket matrix coordinate real symmetric"]
    if graph.node_names is not None:
        head += [f"%node {json.dumps(name)}" for name in graph.node_names.tolist()]
    head.append(f"{graph.num_nodes} {graph.num_nodes} {weight.size}")
    stream.write(("\n".join(head) + "\n").encode())
    write_rows(stream, [ends[1] + 1, ends[0] + 1, weight], " ")


def from_matrix(matrix: Any) -> EdgeFile:
    """Read the entries of an adjacency matrix as edges."""
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"an adjacency matrix must be square (got {matrix.shape[0]} x {matrix.shape[1]})")
    row, col, weight = coordinates(matrix)
    stored = weight != 0
    index = np.stack([end[stored].astype(np.int64) for end in (row, col)])
    weight = weight[stored]
    return EdgeFile(index, weight.astype(np.float32 if weight.dtype == np.float32 else np.float64), matrix.shape[0])


def _read_head(stream: io.BytesIO) -> tuple[str, str, NDArray[Any] | None]:
    """Give the kind of the numbers, the symmetry, and the names that `write_matrix_market` has put into comments.

    Raises:
        ValueError: also when there are fewer bytes than the entries that it promises would take.
    """
    words = stream.readline().decode("utf-8", "replace").lower().split()
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"]:
        raise ValueError(f"a Matrix Market file must begin with %%MatrixMarket matrix (got {' '.join(words)[:80]!r})")
    names: list[str | int] = []
    for line in stream:
        if line.startswith(_NAME):
            names.append(_read_name(line[len(_NAME) :]))
        elif line.strip() and not line.startswith(b"%"):
            _check_size(line, words[2], len(stream.getbuffer()))
            break
    if not names:
        return words[3], words[4], None
    kind = np.int64 if all(isinstance(name, int) for name in names) else object
    return words[3], words[4], np.array(names, dtype=kind)


def _read_name(text: bytes) -> str | int:
    with reading_with("JSON"):
        name = json.loads(text)
    if not isinstance(name, str | int):
        raise ValueError(
            f"a node's name must be a word or a whole number (got {text.decode('utf-8', 'replace')[:80]!r})"
        )
    return name


def _check_body(stream: io.BytesIO) -> None:
    """Require numbers in the rest of a file: SciPy's reader runs on behind zero bytes, and letters at the end."""
    strange = stream.read().translate(None, _NUMBERS)
    if strange:
        raise ValueError(f"the entries of a Matrix Market file must be numbers (got {strange[:20]!r})")


def _check_size(line: bytes, kind: str, size: int) -> None:
    """Require that the file can hold as many entries as it says: memory for them is taken before they are read."""
    try:
        numbers = [int(word) for word in line[:100].split()]
    except ValueError:
        numbers = []
    if len(numbers) != (2 if kind == "array" else 3) or min(numbers) < 0:
        raise ValueError(f"a Matrix Market file must say its size (got {line[:80]!r})")
    entries, least = (numbers[0] * numbers[1], 1) if kind == "array" else (numbers[2], 4)  # "1 1" and a line's end
    if entries * least > size + 1:
        raise ValueError(f"a file of {size} bytes cannot hold {entries} entries")

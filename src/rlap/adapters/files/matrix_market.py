"""Matrix Market files: the adjacency matrix, as SciPy reads and writes it."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
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
_FIELDS = ("real", "integer", "pattern", "double", "unsigned-integer")
_SYMMETRIES = ("general", "symmetric")


def read_matrix_market(stream: BinaryIO, num_nodes: int | None = None) -> EdgeFile:
    """Read a square real matrix. Stored zeros are no edges, and row 1 of the file is node 0.

    >>> import io
    >>> text = b"%%MatrixMarket matrix coordinate pattern symmetric\\n3 3 2\\n2 1\\n3 2\\n"
    >>> graph = read_matrix_market(io.BytesIO(text))
    >>> graph.edge_index.shape, graph.edge_weight is None
    ((2, 4), True)
    """
    head = _read_head(stream)
    body = stream.read()
    strange = body.translate(None, _NUMBERS)
    if strange:  # SciPy's reader runs on behind zero bytes, and behind letters at the end
        raise ValueError(f"the entries of a Matrix Market file must be numbers (got {strange[:20]!r})")
    if head.entries * head.least_bytes > len(body) + 1:  # memory for entries is taken before they are read
        raise ValueError(f"Truncated file: {len(body)} bytes of entries cannot hold {head.entries} of them")
    graph = from_matrix(_dense(head, body) if head.dense else _sparse(head, body))
    edge_weight = None if head.field == "pattern" else graph.edge_weight
    return EdgeFile(graph.edge_index, edge_weight, graph.num_nodes, check_names(head.names, graph.num_nodes))


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


@dataclass(frozen=True)
class _Head:
    dense: bool
    field: str
    symmetric: bool
    nodes: int
    entries: int
    names: NDArray[Any] | None

    @property
    def least_bytes(self) -> int:
        """The bytes of an entry and the end of its line: of "1", or of "1 1"."""
        return 2 if self.dense else 4


def _read_head(stream: BinaryIO) -> _Head:
    """Read what comes before the entries, with the names that `write_matrix_market` has put into comments."""
    words = stream.readline().decode("utf-8", "replace").lower().split()
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"] or words[2] not in ("coordinate", "array"):
        raise ValueError(f"a Matrix Market file must begin with %%MatrixMarket matrix (got {' '.join(words)[:80]!r})")
    dense, field, symmetry = words[2] == "array", words[3], words[4]
    if field not in _FIELDS or symmetry not in _SYMMETRIES or (dense and field == "pattern"):
        raise ValueError(f"an adjacency matrix must be real, general or symmetric (got {field} {symmetry})")
    names: list[str | int] = []
    line = stream.readline()
    while line.startswith(b"%") or line.isspace():
        if line.startswith(_NAME):
            names.append(_read_name(line[len(_NAME) :]))
        line = stream.readline()
    try:
        sizes = [int(word) for word in line.split()]
    except ValueError:
        sizes = []
    if len(sizes) != (2 if dense else 3) or min(sizes) < 0:
        raise ValueError(f"a Matrix Market file must say its size (got {line[:80]!r})")
    if sizes[0] != sizes[1]:
        raise ValueError(f"an adjacency matrix must be square (got {sizes[0]} x {sizes[1]})")
    nodes = sizes[0]
    entries = (nodes * (nodes + 1) // 2 if symmetry == "symmetric" else nodes**2) if dense else sizes[2]
    kind = np.int64 if all(isinstance(name, int) for name in names) else object
    return _Head(dense, field, symmetry == "symmetric", nodes, entries, np.array(names, dtype=kind) if names else None)


def _read_name(text: bytes) -> str | int:
    with reading_with("JSON"):
        name = json.loads(text)
    if not isinstance(name, str | int):
        raise ValueError(f"a node's name must be a word or a whole number (got {text[:80]!r})")
    return name


def _sparse(head: _Head, body: bytes) -> Any:
    """Let SciPy read entries, under the head that was checked."""
    symmetry = "symmetric" if head.symmetric else "general"
    start = f"%%MatrixMarket matrix coordinate {head.field} {symmetry}\n{head.nodes} {head.nodes} {head.entries}\n"
    # In a stream of its own: its reader moves it when thrown away, which ends the process if it is closed by then.
    with reading_with("SciPy"):
        return scipy.io.mmread(io.BytesIO(start.encode() + body + b"\n"))


def _dense(head: _Head, body: bytes) -> Any:
    """Read all entries, column by column; SciPy's reader writes out of bounds for some."""
    with reading_with("NumPy"):
        values = np.array(body.split(), dtype=np.float64)
    if values.size != head.entries:
        raise ValueError(f"the matrix must have {head.entries} entries (got {values.size})")
    if not head.symmetric:
        return sp.coo_array(values.reshape(head.nodes, head.nodes).T)
    col, row = np.triu_indices(head.nodes)
    lower = sp.coo_array((values, (row, col)), shape=(head.nodes, head.nodes))
    return sp.coo_array(lower + sp.triu(lower.T, 1))

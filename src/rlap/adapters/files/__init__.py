"""Graphs in files: tables (CSV, TSV), NumPy archives, Matrix Market and GraphML, packed with gzip or not.

The ending says the format. Files mean undirected graphs: most list every edge once.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from rlap.adapters.files.csv import read_csv, write_csv, write_tsv
from rlap.adapters.files.edge_file import EdgeFile
from rlap.adapters.files.graphml import read_graphml, write_graphml
from rlap.adapters.files.matrix_market import read_matrix_market, write_matrix_market
from rlap.adapters.files.names import find_nodes
from rlap.adapters.files.npz import read_npz, write_npz
from rlap.adapters.files.streams import Progress, check_output, open_input, open_output
from rlap.adapters.files.undirected import Symmetrize, to_undirected
from rlap.schur.edges import check_num_nodes


@dataclass(frozen=True)
class Format:
    """A file format: its endings, the first of which is for new files, and how it is read and written."""

    endings: tuple[str, ...]
    read: Callable[[BinaryIO, int | None], EdgeFile]
    write: Callable[[BinaryIO, EdgeFile, bool], None]


FORMATS = {
    "csv": Format((".csv",), read_csv, write_csv),
    "tsv": Format((".tsv", ".tab", ".txt", ".edges", ".edgelist"), read_csv, write_tsv),
    "npz": Format((".npz",), read_npz, write_npz),
    "mtx": Format((".mtx", ".mm"), read_matrix_market, write_matrix_market),
    "graphml": Format((".graphml",), read_graphml, write_graphml),
}


def ending(path: Path) -> str:
    """Give the ending that says the format, with `.gz` when it is packed."""
    packed = path.suffix if path.suffix.lower() == ".gz" else ""
    return Path(path.name[: len(path.name) - len(packed)]).suffix + packed


def find_format(path: Path, name: str | None = None) -> Format:
    """Find the format by its name, or by the ending of the file."""
    if name is not None:
        if name not in FORMATS:
            raise ValueError(f"the format must be one of {', '.join(FORMATS)} (got {name!r})")
        return FORMATS[name]
    plain = ending(path).lower().removesuffix(".gz")
    for known in FORMATS.values():
        if plain in known.endings:
            return known
    endings = ", ".join(one for known in FORMATS.values() for one in known.endings)
    raise ValueError(f"the file's ending must be one of {endings}, with or without .gz (got {str(path)!r})")


def read_graph(
    path: str | Path,
    format: str | None = None,
    *,
    num_nodes: int | None = None,
    symmetrize: Symmetrize | None = None,
    progress: Progress | None = None,
) -> EdgeFile:
    """Read an undirected graph from a file.

    Args:
        path: the file.
        format: a name in `FORMATS`; None means that the ending says it.
        num_nodes: how many nodes there are; None means what the file says, or the largest node number of a table and
            one more. Only for nodes that go by number.
        symmetrize: what an edge is worth that is listed in both directions with different weights: their "mean" or
            "sum"; None means that this is an error. An edge that is listed in one direction gets the other.
        progress: is called with the number of bytes read so far.

    Returns:
        Both directions of every edge, sorted; parallel edges summed and self-loops dropped.

    Raises:
        ValueError: when the file breaks a rule; the message says the file, the rule and the value.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "path.csv")
        >>> _ = path.write_text("0,1\\n1,2\\n")
        >>> graph = read_graph(path)
        >>> graph.edge_index.tolist(), graph.num_nodes
        ([[0, 1, 1, 2], [1, 0, 2, 1]], 3)
    """
    place = Path(path)
    kind = find_format(place, format)
    count = None if num_nodes is None else check_num_nodes(num_nodes)
    with open_input(place, progress) as stream:
        try:
            raw = kind.read(stream, count)
            check_num_nodes(raw.num_nodes)
            return to_undirected(_with_num_nodes(raw, count), symmetrize)
        except (ValueError, TypeError, ArithmeticError, EOFError, OSError, zipfile.BadZipFile, zlib.error) as problem:
            line = (str(problem) or type(problem).__name__).splitlines()[0]  # others quote rows, which may have more
            raise ValueError(f"{place}: {line}") from problem


def write_graph(path: str | Path, graph: EdgeFile, format: str | None = None, *, both_directions: bool = False) -> None:
    """Write an undirected graph to a file, which appears when it is complete.

    Tables hold every edge once, or both directions of it on demand; NPZ always holds both, Matrix Market and GraphML
    say that they are symmetric. GraphML has only the nodes that `node_mask` leaves.

    Example:
        >>> import pathlib, tempfile, numpy as np
        >>> path = pathlib.Path(tempfile.mkdtemp(), "path.csv")
        >>> write_graph(path, EdgeFile(np.array([[0, 1], [1, 0]]), np.array([2.5, 2.5]), num_nodes=2))
        >>> path.read_text()
        'source,target,weight\\n0,1,2.5\\n'
    """
    place = Path(path)
    kind = find_format(place, format)
    with open_output(place) as stream:
        kind.write(stream, graph, both_directions)


def _with_num_nodes(raw: EdgeFile, num_nodes: int | None) -> EdgeFile:
    if num_nodes is None or num_nodes == raw.num_nodes:
        return raw
    if raw.node_names is not None:
        raise ValueError(f"num_nodes is for nodes that go by number; these have names, {raw.num_nodes} of them")
    if num_nodes < raw.num_nodes:
        raise ValueError(f"num_nodes must be at least {raw.num_nodes}, as the file says (got {num_nodes})")
    return replace(raw, num_nodes=num_nodes)


__all__ = [
    "FORMATS",
    "EdgeFile",
    "Format",
    "Symmetrize",
    "check_output",
    "ending",
    "find_format",
    "find_nodes",
    "read_graph",
    "write_graph",
]

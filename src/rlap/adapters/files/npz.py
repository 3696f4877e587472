"""NumPy archives: `edge_index`, `edge_weight`, `num_nodes`, or a matrix that `scipy.sparse.save_npz` wrote."""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np

from rlap.adapters.files.archive import Archive
from rlap.adapters.files.edge_file import EdgeFile
from rlap.adapters.files.matrix_market import from_matrix
from rlap.adapters.files.names import check_names
from rlap.schur.edges import check_edge_index, check_edge_weight
from rlap.schur.selection import check_nodes


def read_npz(stream: BinaryIO, num_nodes: int | None = None) -> EdgeFile:
    """Read an archive. Without `num_nodes` in it, there are as many nodes as the largest number says.

    >>> import io, numpy as np
    >>> file = io.BytesIO()
    >>> np.savez(file, edge_index=[[0, 1], [1, 2]], num_nodes=4)
    >>> _ = file.seek(0)
    >>> read_npz(file).num_nodes
    4
    """
    archive = Archive(stream)
    if archive.is_matrix:
        return from_matrix(archive.matrix())
    index = check_edge_index(archive["edge_index"]).astype(np.int64)
    weight = check_edge_weight(archive.get("edge_weight"), index.shape[1])
    count = _whole(archive["num_nodes"]) if "num_nodes" in archive else int(index.max(initial=-1)) + 1
    if index.size and not 0 <= index.min() <= index.max() < count:
        bad = index.min() if index.min() < 0 else index.max()
        raise ValueError(f"edge_index must lie in [0, num_nodes) = [0, {count}) (got {bad})")
    node_names = check_names(archive.get("node_names"), count)
    mask = check_nodes(archive["node_mask"].astype(np.bool_), count, "node_mask") if "node_mask" in archive else None
    return EdgeFile(index, weight, count, node_names, mask)


def write_npz(stream: BinaryIO, graph: EdgeFile, both_directions: bool) -> None:
    """Write both directions of every edge, as `rlap.schur_view` and PyTorch Geometric want them."""
    ends, weight = graph.every_direction()
    arrays: dict[str, Any] = {"edge_index": ends, "edge_weight": weight, "num_nodes": np.int64(graph.num_nodes)}
    if graph.node_mask is not None:
        arrays["node_mask"] = graph.node_mask
    if graph.node_names is not None:
        kind = np.int64 if graph.node_names.dtype.kind == "i" else np.str_
        arrays["node_names"] = graph.node_names.astype(kind)
    np.savez(stream, **arrays)


def _whole(value: Any) -> int:
    if value.size != 1 or value.dtype.kind not in "iu":
        raise ValueError(f"num_nodes must be one whole number (got {value.dtype} of shape {value.shape})")
    return int(value.item())

"""Amazon and Coauthor: one .npz with sparse matrices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch_geometric.data import Data

from rlap.datasets.features import node_features
from rlap.datasets.sets import NodeSet


def read(name: str, raw: Path, file: str, sparse: bool) -> NodeSet:
    """Read a graph as PyG does (counts of words become 0 or 1), but without a dense matrix on the way.

    The features of Coauthor-Physics are 8415 wide: 1.2 GB when dense, 14 MB as they are stored.
    """
    with np.load(raw / file) as arrays:
        features = _matrix(arrays, "attr")
        edges = _matrix(arrays, "adj")
        labels = torch.from_numpy(arrays["labels"].astype(np.int64))
    features.data[features.data > 0] = 1
    return NodeSet(
        name,
        Data(x=node_features(features, sparse), edge_index=_undirected(edges), y=labels),
        int(labels.max()) + 1,
    )


def _matrix(arrays: Any, kind: str) -> Any:
    matrix = sp.csr_array(
        tuple(arrays[f"{kind}_{part}"] for part in ("data", "indices", "indptr")), shape=arrays[f"{kind}_shape"]
    )
    matrix.sum_duplicates()
    return matrix


def _undirected(adjacency: Any) -> torch.Tensor:
    ends = adjacency.tocoo()
    row, col = (end.astype(np.int64) for end in (ends.row, ends.col))
    count = len(adjacency.indptr) - 1
    keys = np.concatenate([row * count + col, col * count + row])[np.tile(row != col, 2)]
    return torch.from_numpy(np.stack(np.divmod(np.unique(keys), count)))

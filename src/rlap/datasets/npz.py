"""Amazon and Coauthor: one .npz with sparse matrices."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import torch
from torch_geometric.data import Data

from rlap.adapters.files.archive import Archive
from rlap.datasets.features import node_features
from rlap.datasets.raw_files import RawFiles
from rlap.datasets.sets import NodeSet
from rlap.schur.coordinates import checked_csr


def read(name: str, raw: RawFiles, file: str, sparse: bool) -> NodeSet:
    """Read a graph as PyG does (counts of words become 0 or 1), but without a dense matrix on the way.

    The features of Coauthor-Physics are 8415 wide: 1.2 GB when dense, 14 MB as they are stored.
    """
    arrays = Archive(io.BytesIO(raw.read(file)))
    features, edges = (checked_csr(arrays.matrix(kind)) for kind in ("attr_", "adj_"))
    labels = arrays["labels"]
    if labels.dtype.kind not in "iu" or labels.shape != (features.shape[0],) or edges.shape != (features.shape[0],) * 2:
        raise ValueError(
            f"{file} must have a label and a row of edges for each of {features.shape[0]} nodes (got labels of "
            f"{labels.dtype} of shape {labels.shape}, edges of shape {edges.shape})"
        )
    features.data[features.data > 0] = 1
    y = torch.from_numpy(labels.astype(np.int64))
    data = Data(x=node_features(features, sparse), edge_index=_undirected(edges), y=y)
    return NodeSet(name, data, int(y.max()) + 1)


def _undirected(adjacency: Any) -> torch.Tensor:
    ends = adjacency.tocoo()
    row, col = (end.astype(np.int64) for end in (ends.row, ends.col))
    count = len(adjacency.indptr) - 1
    keys = np.concatenate([row * count + col, col * count + row])[np.tile(row != col, 2)]
    return torch.from_numpy(np.stack(np.divmod(np.unique(keys), count)))

"""Graphs as people hold them, to what training takes."""

from __future__ import annotations

import copy
import math
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor
from torch_geometric.data import Batch, Data

from rlap.datasets import GraphSet, NodeSet
from rlap.models import csr_matrix
from rlap.schur.coordinates import checked_csr, coordinates
from rlap.schur.edges import check_edge_index


def read_input(graphs: Any, level: Literal["node", "graph"]) -> NodeSet | GraphSet:
    """Read one graph, to embed its nodes, or many, to embed each of them.

    A graph is a PyG `Data` with features `x`, or a pair of the graph (an `edge_index`, or a SciPy adjacency matrix) and
    its features (an array, a tensor, or a SciPy matrix). Many are a list of such, or a PyG `Batch`.

    Example:
        >>> import numpy as np
        >>> read_input((np.array([[0, 1], [1, 0]]), np.eye(2)), "node").num_features
        2
    """
    if level == "node":
        if isinstance(graphs, list | Batch):
            raise ValueError(f"this method embeds the nodes of one graph (got {type(graphs).__name__} of graphs)")
        return NodeSet("own", read_graph(graphs), num_classes=0)
    if isinstance(graphs, Batch):
        graphs = graphs.to_data_list()
    if not isinstance(graphs, list):
        raise ValueError(f"this method embeds whole graphs, and needs a list of them (got {type(graphs).__name__})")
    if not graphs:
        raise ValueError("there must be a graph (got an empty list)")
    read = [read_graph(graph) for graph in graphs]
    widths = [graph.x.shape[1] for graph in read]
    odd = next((at for at, width in enumerate(widths) if width != widths[0]), None)
    if odd is not None:
        raise ValueError(f"all graphs must have {widths[0]} features, as the first (got {widths[odd]} in graph {odd})")
    return GraphSet("own", read, num_classes=0)


def read_graph(graph: Any) -> Data:
    """Read one graph, and see that it can be trained on.

    Example:
        >>> import scipy.sparse as sp
        >>> read_graph((sp.csr_array([[0, 2.0], [2.0, 0]]), sp.eye_array(2))).edge_weight
        tensor([2., 2.])
    """
    if isinstance(graph, tuple) and len(graph) == 2:
        data = _from_pair(*graph)
    elif isinstance(graph, Data):
        data = copy.copy(graph)
        if not isinstance(data.get("x"), Tensor) or not isinstance(data.get("edge_index"), Tensor):
            raise ValueError(f"the data must have features x and edges edge_index (got {sorted(data.keys())})")
    else:
        raise ValueError(f"a graph must be a PyG Data, or a pair of a graph and features (got {type(graph).__name__})")
    data.x = _check_features(data.x)
    index = data.edge_index
    if index.layout != torch.strided:
        raise ValueError(f"edge_index must be a dense tensor (got one of the layout {index.layout})")
    index = data.edge_index = torch.from_numpy(check_edge_index(index.detach().cpu().numpy())).long()
    if index.numel() and not 0 <= int(index.min()) <= int(index.max()) < len(data.x):
        bad = int(index.min()) if int(index.min()) < 0 else int(index.max())
        raise ValueError(f"edge_index must lie in [0, {len(data.x)}), the rows of x (got {bad})")
    return data


def from_scipy(features: Any) -> Tensor:
    """Give a SciPy matrix to torch, as float32 in CSR form.

    Example:
        >>> from_scipy(sp.eye_array(2)).to_dense().tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """
    rows = checked_csr(features)
    if math.prod(rows.shape) >= 2**63:
        raise ValueError(f"features must have fewer than 2**63 entries, zeros counted (got the shape {rows.shape})")
    begin, index = (torch.from_numpy(part.astype(np.int64)) for part in (rows.indptr, rows.indices))
    return csr_matrix(begin, index, torch.from_numpy(rows.data.astype(np.float32)), rows.shape)


def _from_pair(graph: Any, features: Any) -> Data:
    x = _to_tensor(features)
    if sp.issparse(graph):
        if graph.shape != (len(x), len(x)):
            raise ValueError(f"the adjacency matrix must be square, {len(x)} wide as x is long (got {graph.shape})")
        row, col, value = coordinates(graph)
        stored = value != 0
        index = torch.from_numpy(np.stack([row[stored], col[stored]]).astype(np.int64))
        return Data(x=x, edge_index=index, edge_weight=torch.from_numpy(value[stored].astype(np.float32)))
    index = graph if isinstance(graph, Tensor) else torch.from_numpy(check_edge_index(graph).astype(np.int64))
    return Data(x=x, edge_index=index)


def _to_tensor(features: Any) -> Tensor:
    if isinstance(features, Tensor):
        return features
    if sp.issparse(features):
        return from_scipy(features)
    array = np.asarray(features)
    if array.dtype.kind not in "fiub":
        raise ValueError(f"features must be numbers (got an array of {array.dtype})")
    return torch.from_numpy(array.astype(np.float32))


def _check_features(x: Tensor) -> Tensor:
    if x.dim() != 2 or not x.shape[1]:
        raise ValueError(f"features must have a row for every node and a column at least (got {tuple(x.shape)})")
    x = x.float()
    finite = torch.isfinite(x.values() if x.layout == torch.sparse_csr else x)
    if not finite.all():
        where = "" if x.layout == torch.sparse_csr else f" at node {int((~finite).nonzero()[0][0])}"
        raise ValueError(f"features must be finite (got infinity or no number{where})")
    return x

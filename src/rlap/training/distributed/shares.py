"""A share of the graphs of a batch."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch_geometric.data import Data

from rlap.adapters.pyg.rows import take_rows

_PER_NODE = ("x", "node_mask")


def take_graphs(view: Any, begin: int, end: int) -> Data:
    """Take some consecutive graphs out of a view of a batch: all that a method reads of them.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Batch, Data
        >>> pair = Data(x=torch.eye(2), edge_index=torch.tensor([[0, 1], [1, 0]]))
        >>> take_graphs(Batch.from_data_list([pair] * 3), 1, 3).ptr.tolist()
        [0, 2, 4]
    """
    first, last = int(view.ptr[begin]), int(view.ptr[end])
    index = view.edge_index
    inside = (index[0] >= first) & (index[0] < last)
    if not bool(((index[1] >= first) & (index[1] < last) == inside).all()):
        raise ValueError(
            "edges must stay inside of graphs where several processes share a batch (got one that does not)"
        )
    taken = Data(edge_index=index[:, inside] - first, batch=view.batch[first:last] - begin)
    taken.ptr = view.ptr[begin : end + 1] - first
    for key in _PER_NODE:
        if view.get(key) is not None:
            taken[key] = _rows(view[key], first, last)
    if view.get("edge_weight") is not None:
        taken.edge_weight = view.edge_weight[inside]
    return taken


def _rows(value: Tensor, first: int, last: int) -> Tensor:
    if value.layout == torch.sparse_csr:
        return take_rows(value, torch.arange(first, last))
    return value[first:last]

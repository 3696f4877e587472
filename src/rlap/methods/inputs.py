"""`Inputs`: a view as an encoder takes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor


@dataclass(frozen=True)
class Inputs:
    """Features, edges between the nodes that are left, and where these belong.

    Args:
        x: the features of all nodes.
        nodes: which nodes are left; None means all.
        edge_index: the edges, in the numbers of the nodes that are left.
        edge_weight: their weights, or None.
        owner: the graph of every node that is left, or None where there is one graph.
        num_graphs: how many graphs there are, with nodes or without.
    """

    x: Tensor
    nodes: Tensor | None
    edge_index: Tensor
    edge_weight: Tensor | None
    owner: Tensor | None
    num_graphs: int

    @property
    def num_nodes(self) -> int:
        """Count the nodes that are left."""
        return int(self.x.shape[0]) if self.nodes is None else len(self.nodes)


def read_view(view: Any, *, leaves_out: bool, weighted: bool) -> Inputs:
    """Read a view. Nodes that it has dropped, by its `node_mask`, are left out or not.

    They are taken away before the encoder, because batch norm would count them.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.methods.inputs import read_view
        >>> mask = torch.tensor([False, True, True])
        >>> view = Data(x=torch.eye(3), edge_index=torch.tensor([[1, 2], [2, 1]]), node_mask=mask)
        >>> read_view(view, leaves_out=True, weighted=False).edge_index.tolist()
        [[0, 1], [1, 0]]
    """
    x = view.get("x")
    if not isinstance(x, Tensor):
        raise ValueError(f"the data must have features x as a tensor (got {sorted(view.keys())})")
    index, weight, owner = view.edge_index, view.get("edge_weight"), view.get("batch")
    num_graphs = _count(view)
    mask = view.get("node_mask") if leaves_out else None
    nodes = None
    if mask is not None and not bool(mask.all()):
        nodes = mask.nonzero()[:, 0]
        number = mask.cumsum(0) - 1
        inside = mask[index].all(dim=0)
        if not bool(inside.all()):
            index, weight = index[:, inside], None if weight is None else weight[inside]
        index, owner = number[index], None if owner is None else owner[nodes]
    return Inputs(x, nodes, index, weight if weighted else None, owner if num_graphs != 1 else None, num_graphs)


def _count(view: Any) -> int:
    if view.get("ptr") is not None:
        return len(view.ptr) - 1
    owner = view.get("batch")
    return 1 if owner is None else int(torch.max(owner)) + 1

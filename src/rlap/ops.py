"""The interface of the authors' package: change the import, keep the call."""

from __future__ import annotations

import operator
from typing import Any, Literal

import numpy as np
import torch

from rlap.adapters import schur_view

# What the authors' words for the node order are here: a node order, and how a star is replaced.
_NODE_ORDERS: dict[str, tuple[str, Literal["elimination", "coarsening"]]] = {
    "random": ("random", "elimination"),
    "degree": ("degree", "elimination"),
    "coarsen": ("degree", "coarsening"),
}


def approximate_cholesky(
    edge_index: Any = None,
    edge_weights: Any = None,
    num_nodes: Any = None,
    num_remove: Any = None,
    o_v: Any = "random",
    o_n: Any = "asc",
    *,
    edge_info: Any = None,
    seed: Any = None,
) -> Any:
    """Eliminate nodes of a graph and return the edges of what is left, as one tensor.

    Releases of the authors' package before the last one take one tensor `edge_info` in the place of `edge_index` and
    `edge_weights`, by name or as the first of five arguments; both ways of calling work.

    Args:
        edge_index: node numbers, of the shape (2, E), both directions of every edge.
        edge_weights: positive weights, (E,) or (1, E); None means 1.
        num_nodes: how many nodes there are.
        num_remove: how many of them to eliminate.
        o_v: "random", "degree" or "coarsen"; the last is vertex coarsening by minimum degree, and has no `o_n`.
        o_n: "asc", "desc" or "random".
        edge_info: rows, columns and weights in one tensor, of the shape (E, 3).
        seed: as for `rlap.schur_view`; None draws from torch's generator, so that every call gives another graph.

    Returns:
        A float64 tensor of the shape (edges, 3), with the row, the column and the weight of every edge in both
        directions, sorted by row and column.

    Example:
        >>> import torch
        >>> from rlap.ops import approximate_cholesky
        >>> path = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> approximate_cholesky(path, None, 3, 3, "random", "asc").shape
        torch.Size([0, 3])
    """
    if isinstance(edge_weights, int | np.integer):  # edge_info, num_nodes, num_remove, o_v, o_n
        words = (o_v, o_n) if num_remove is None else (num_remove, o_v)
        edge_info, edge_index, num_nodes, num_remove = edge_index, None, edge_weights, num_nodes
        edge_weights, (o_v, o_n) = None, words
    elif edge_info is None and edge_weights is None and _is_edge_info(edge_index):
        edge_info, edge_index = edge_index, None
    if (edge_index is None) == (edge_info is None):
        raise TypeError("give either edge_index or edge_info")
    if edge_info is not None:
        edge_index, edge_weights = _split(edge_info, edge_weights)
    if o_v not in _NODE_ORDERS:
        raise ValueError(f'o_v must be one of "random", "degree", "coarsen" (got {o_v!r})')
    if o_n not in ("asc", "desc", "random"):
        raise ValueError(f'o_n must be one of "asc", "desc", "random" (got {o_n!r})')
    edge_index = torch.as_tensor(edge_index)
    nodes, removed = operator.index(num_nodes), operator.index(num_remove)
    if not 0 <= removed <= nodes:
        raise ValueError(f"num_remove must lie in [0, num_nodes] = [0, {nodes}] (got {removed})")
    node_order, method = _NODE_ORDERS[o_v]
    view = schur_view(
        edge_index,
        edge_weights,
        num_nodes=nodes,
        # Half a node more, so that rounding down finds the number that was asked for.
        fraction=min(1.0, (removed + 0.5) / max(nodes, 1)),
        node_order=node_order,
        neighbor_order="asc" if method == "coarsening" else o_n,
        method=method,
        dtype=torch.float64,
        seed=seed,
    )
    return torch.stack([view.edge_index[0].double(), view.edge_index[1].double(), view.edge_weight], dim=1)


def identity(a: Any) -> Any:
    """Return the argument: the authors check with this that tensors reach their native code and come back.

    Example:
        >>> import torch, rlap
        >>> rlap.ops.identity(torch.eye(2)).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """
    return a


def _is_edge_info(given: Any) -> bool:
    shape = np.shape(given)
    whole = not torch.is_floating_point(torch.as_tensor(given)) if given is not None else True
    return len(shape) == 2 and shape[1] == 3 and not (shape[0] == 2 and whole)


def _split(edge_info: Any, edge_weights: Any) -> tuple[Any, Any]:
    """Take rows of (row, column, weight) apart. Node numbers are whole, whatever type they share with the weights."""
    if edge_weights is not None:
        raise TypeError("edge_info holds the weights: leave edge_weights out")
    edge_info = torch.as_tensor(edge_info)
    if edge_info.dim() != 2 or edge_info.shape[1] != 3:
        raise ValueError(f"edge_info must have the shape (E, 3) (got {tuple(edge_info.shape)})")
    ends = edge_info[:, :2].t()
    index = ends.long()
    if not torch.equal(index.to(ends.dtype), ends):
        raise ValueError("edge_info must hold whole numbers of nodes in its first two columns")
    return index, edge_info[:, 2]

"""The interface of the authors' package: change the import, keep the call."""

from __future__ import annotations

import operator
from typing import Any, Literal

import torch

from rlap.adapters import schur_view

# What the authors' words for the node order are here: a node order, and how a star is replaced.
_NODE_ORDERS: dict[str, tuple[str, Literal["elimination", "coarsening"]]] = {
    "random": ("random", "elimination"),
    "degree": ("degree", "elimination"),
    "coarsen": ("degree", "coarsening"),
}


def approximate_cholesky(
    edge_index: Any,
    edge_weights: Any,
    num_nodes: int,
    num_remove: int,
    o_v: str = "random",
    o_n: str = "asc",
    *,
    seed: Any = None,
) -> Any:
    """Eliminate nodes of a graph and return the edges of what is left, as one tensor.

    Args:
        edge_index: node numbers, of the shape (2, E), both directions of every edge.
        edge_weights: positive weights, (E,) or (1, E); None means 1.
        num_nodes: how many nodes there are.
        num_remove: how many of them to eliminate.
        o_v: "random", "degree" or "coarsen"; the last is vertex coarsening by minimum degree, and has no `o_n`.
        o_n: "asc", "desc" or "random".
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

"""From nodes to graphs."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor


def pool(
    nodes: Tensor,
    owner: Tensor | None = None,
    num_graphs: int = 1,
    *,
    how: Literal["add", "mean"] = "mean",
    node_mask: Tensor | None = None,
) -> Tensor:
    """Add or average the embeddings of the nodes of every graph. Nodes outside of the mask do not enter.

    A graph without nodes has zeros.

    Example:
        >>> import torch
        >>> from rlap.models import pool
        >>> pool(torch.tensor([[1.0], [3.0], [9.0]]), node_mask=torch.tensor([True, True, False])).item()
        2.0
    """
    if how not in ("add", "mean"):
        raise ValueError(f'how must be "add" or "mean" (got {how!r})')
    if owner is None:
        owner = torch.zeros(len(nodes), dtype=torch.long, device=nodes.device)
    if node_mask is not None:
        nodes, owner = nodes[node_mask], owner[node_mask]
    total = nodes.new_zeros(num_graphs, nodes.shape[1]).index_add(0, owner, nodes)
    if how == "add":
        return total
    return total / torch.bincount(owner, minlength=num_graphs).clamp(min=1).to(nodes.dtype)[:, None]

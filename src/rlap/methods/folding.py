"""A linear layer that moves from many rows to few, where only their products matter.

(W h + b) . g = h . (W^T g) + b . g: what the last layer of the nodes' projector does to every node, its transpose does
to every graph. The bias becomes one more column, of ones for the nodes. It saves a third of MVGRL's dense products.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn


def can_fold(projector: nn.Module) -> bool:
    """Say whether the last of several layers can move: it must be linear and have a bias."""
    if not isinstance(projector, nn.Sequential) or len(projector) < 2:
        return False
    last = projector[-1]
    return isinstance(last, nn.Linear) and last.bias is not None


def without_last(rows: Tensor, projector: Any) -> Tensor:
    """Apply all layers but the last, and put a column of ones beside."""
    for layer in projector[:-1]:
        rows = layer(rows)
    return torch.cat([rows, rows.new_ones(len(rows), 1)], dim=1)


def with_folded(rows: Tensor, projector: Any) -> Tensor:
    """Give rows whose products with those of `without_last` are the products with what the projector makes.

    Example:
        >>> import torch
        >>> from rlap.methods.folding import with_folded, without_last
        >>> from rlap.models import projector
        >>> head, nodes, graphs = projector(4), torch.randn(5, 4), torch.randn(2, 4)
        >>> folded = without_last(nodes, head) @ with_folded(graphs, head).t()
        >>> torch.allclose(folded, head(nodes) @ graphs.t(), atol=1e-6)
        True
    """
    last = projector[-1]
    return torch.cat([rows @ last.weight, (rows @ last.bias)[:, None]], dim=1)

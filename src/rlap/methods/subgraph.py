"""`SubgraphViews`: both views on the same few random nodes, as the paper's scripts have it for diffusions."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from rlap.adapters.torch import draw_seed
from rlap.schur.seeds import check_seed
from rlap.transforms import TwoViews


class SubgraphViews(TwoViews):
    """Two views, and in both of them only the edges between the same `size` random nodes.

    The nodes are among those that have an edge to another one in the second view. The other nodes stay, without edges.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.methods.subgraph import SubgraphViews
        >>> from rlap.transforms import Identity
        >>> path = Data(edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3)
        >>> SubgraphViews(Identity(), Identity(), size=1)(path)[0].num_edges
        0
    """

    def __init__(self, t1: Callable[[Any], Any], t2: Callable[[Any], Any], *, size: int, seed: Any = None) -> None:
        super().__init__(t1, t2, seed=seed)
        self.size = size

    def forward(self, data: Any) -> tuple[Any, Any]:
        """Make both views, then choose nodes and take out the edges of all others."""
        one, other = super().forward(data)
        generator = torch.Generator().manual_seed(check_seed(draw_seed(self.seed)))
        ends = other.edge_index[:, other.edge_index[0] != other.edge_index[1]]
        joined = torch.unique(ends)
        if len(joined) <= self.size:
            return one, other
        kept = torch.zeros(other.num_nodes, dtype=torch.bool, device=joined.device)
        kept[joined[torch.randperm(len(joined), generator=generator)[: self.size].to(joined.device)]] = True
        return _between(one, kept), _between(other, kept)


def _between(view: Any, kept: Tensor) -> Any:
    view = copy.copy(view)
    inside = kept[view.edge_index].all(dim=0)
    view.edge_index = view.edge_index[:, inside]
    if view.get("edge_weight") is not None:
        view.edge_weight = view.edge_weight[inside]
    return view

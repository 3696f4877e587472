"""`Identity`: the graph as it is."""

from __future__ import annotations

from typing import Any

from torch_geometric.data.datapipes import functional_transform

from rlap.adapters.pyg import find_relations
from rlap.schur.selection import check_fraction
from rlap.transforms.augmentation import Augmentation


@functional_transform("identity_view")
class Identity(Augmentation):
    """Leave the graph as it is: the other view of a contrast with the original.

    Args:
        fraction: taken for the manners of the others, so that a sweep over augmentors can have this one too, and of no
            effect; in [0, 1].

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import Identity
        >>> Identity()(Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=2)).num_edges
        2
    """

    def __init__(self, fraction: float = 0.0) -> None:
        self.fraction = check_fraction(fraction)

    def forward(self, data: Any) -> Any:
        """Give back the data, which is a shallow copy of the caller's."""
        find_relations(data)  # what the others refuse is refused here too
        return data

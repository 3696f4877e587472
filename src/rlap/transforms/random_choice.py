"""`RandomChoice`: some of several transforms."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch_geometric.data.datapipes import functional_transform

from rlap.adapters.torch import seeds_from
from rlap.transforms.augmentation import Augmentation


@functional_transform("random_choice")
class RandomChoice(Augmentation):
    """Apply k of several transforms, chosen anew for every call, in the order in which they are listed.

    All choices of k are equally likely. A batch is one call: its graphs have the same transforms.

    Args:
        transforms: what to choose from.
        k: how many to apply, at most all.
        seed: an integer, a generator, or None for torch's. Transforms whose own seed is None draw from it too.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> import rlap.transforms as T
        >>> edge = Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=2)
        >>> T.RandomChoice([T.EdgeDropping(1.0), T.NodeDropping(1.0)], k=1)(edge).num_edges
        0
    """

    def __init__(self, transforms: Sequence[Callable[[Any], Any]], k: int = 1, *, seed: Any = None) -> None:
        self.transforms = list(transforms)
        self.k = operator.index(k)
        if not 1 <= self.k <= len(self.transforms):
            raise ValueError(f"k must lie between 1 and the number of transforms, {len(self.transforms)} (got {k})")
        self.seed = seed

    def forward(self, data: Any) -> Any:
        """Choose, and apply."""
        seed = self.draw()
        chosen = torch.randperm(len(self.transforms), generator=torch.Generator().manual_seed(seed))[: self.k]
        # Another seed than that of the choice, which would couple the transforms to it.
        with seeds_from(seed ^ 0x5DEECE66D):
            for place in sorted(chosen.tolist()):
                data = self.transforms[place](data)
        return data

    def __repr__(self) -> str:
        """Show what can be chosen."""
        shown = "".join(f"  {transform},\n" for transform in self.transforms)
        return f"RandomChoice([\n{shown}], k={self.k})"

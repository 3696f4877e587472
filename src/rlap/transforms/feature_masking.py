"""`FeatureMasking`: a random part of the features becomes zero."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor
from torch_geometric.data.datapipes import functional_transform

from rlap.adapters.pyg import node_ptr
from rlap.adapters.torch import to_torch
from rlap.schur.seeds import derive_seed
from rlap.schur.selection import check_fraction
from rlap.transforms.augmentation import Augmentation
from rlap.transforms.coins import Coins


@functional_transform("mask_features")
class FeatureMasking(Augmentation):
    """Set entries of the features `x`, or whole columns of them, to zero with probability p, independently.

    A column is masked in every graph of a batch by itself, so that graphs that happen to share a batch share nothing
    else. In a `HeteroData`, the features of all node types are masked. Everything else is left alone.

    Args:
        p: the probability, in [0, 1].
        per: "entry", as the paper's text has it, or "column", as its scripts do.
        shared: mask the same columns in all graphs of a batch, as the scripts do.
        seed: an integer, a generator, or None for torch's; as in `RLap`.

    Raises:
        ValueError: when the data has no `x`.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import FeatureMasking
        >>> data = Data(x=torch.ones(3, 4))
        >>> FeatureMasking(0.5, per="column", seed=0)(data).x.unique(dim=0).shape
        torch.Size([1, 4])
    """

    def __init__(
        self, p: float, per: Literal["entry", "column"] = "entry", *, shared: bool = False, seed: Any = None
    ) -> None:
        self.p = check_fraction(p, "p")
        if per not in ("entry", "column"):
            raise ValueError(f'per must be "entry" or "column" (got {per!r})')
        if shared and per == "entry":
            raise ValueError('shared needs per="column" (got per="entry")')
        self.per = per
        self.shared = shared
        self.seed = seed

    def forward(self, data: Any) -> Any:
        """Mask the features of the data, which is a shallow copy of the caller's."""
        stores = [store for store in data.node_stores if isinstance(store.get("x"), Tensor)]
        if not stores:
            raise ValueError(f"the data must have features x as a tensor (got {sorted(data.keys())})")
        seed = self.draw()
        for number, store in enumerate(stores):
            one = derive_seed(seed, view=number)
            store.x = self._columns(store, one) if self.per == "column" else self._entries(store.x, one)
        return data

    def _entries(self, x: Tensor, seed: int) -> Tensor:
        generator = torch.Generator().manual_seed(seed)
        masked = torch.empty(x.shape, dtype=torch.bool).bernoulli_(self.p, generator=generator)
        return x.masked_fill(masked.to(x.device), 0)

    def _columns(self, store: Any, seed: int) -> Tensor:
        x = store.x if store.x.dim() > 1 else store.x[:, None]
        ptr = np.array([0, len(x)]) if self.shared else node_ptr(store, len(x))
        masked = to_torch(Coins(ptr, seed).of_columns(x[0].numel() if len(x) else 0) < self.p, x.device)
        if len(ptr) != 2:
            masked = masked.repeat_interleave(torch.from_numpy(np.diff(ptr)).to(x.device), dim=0)
        masked = masked.view(-1, *x.shape[1:]) if len(x) else masked.new_zeros(x.shape)
        return x.masked_fill(masked, 0).view(store.x.shape)

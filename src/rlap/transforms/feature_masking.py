"""`FeatureMasking`: a random part of the features becomes zero."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch_geometric.data.datapipes import functional_transform

from rlap.adapters.pyg import node_ptr
from rlap.adapters.torch import to_torch
from rlap.schur.seeds import derive_seed
from rlap.schur.selection import check_fraction
from rlap.transforms.augmentation import Augmentation
from rlap.transforms.coins import Coins

_BLOCK = 1 << 15
_BITS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}  # by the bytes of an entry


@functional_transform("mask_features")
class FeatureMasking(Augmentation):
    """Set entries of the features `x`, or whole columns of them, to zero with probability p, independently.

    A column is masked in every graph of a batch by itself, so that graphs that happen to share a batch share nothing
    else. In a `HeteroData`, the features of all node types are masked. Everything else is left alone.

    Features may be torch.sparse_csr. Masked entries are then stored as zeros, and only stored ones are drawn for: the
    same columns are masked as in dense features, and other entries, which are as likely.

    Args:
        p: the probability, in [0, 1].
        per: "entry", as the paper's text has it, or "column", as its scripts do.
        shared: mask the same columns in all graphs of a batch, as the scripts do.
        seed: an integer, a generator, or None for torch's; as in `RLap`.

    Raises:
        ValueError: when the data has no `x`, or it is neither dense nor torch.sparse_csr.

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
        for store in stores:
            if store.x.layout not in (torch.strided, torch.sparse_csr):
                raise ValueError(f"x must be dense or sparse_csr (got {store.x.layout})")
        seed = self.draw()
        for number, store in enumerate(stores):
            one = derive_seed(seed, view=number)
            if store.x.is_sparse_csr:
                store.x = self._stored(store, one)
            else:
                store.x = self._columns(store, one) if self.per == "column" else self._entries(store.x, one)
        return data

    def _entries(self, x: Tensor, seed: int) -> Tensor:
        if x.requires_grad or x.device.type != "cpu":
            kept = torch.from_numpy(np.concatenate([*_keep(x.numel(), self.p, seed)])).view(x.shape)
            return torch.where(kept.to(x.device), x, x.new_zeros(()))
        # As whole numbers, because infinity times zero is not zero.
        bits = x.contiguous().view(-1).view(_BITS[x.itemsize])
        masked = torch.empty_like(bits)
        source, target, begin = bits.numpy(), masked.numpy(), 0
        for kept in _keep(x.numel(), self.p, seed):
            part = slice(begin, begin + len(kept))
            np.multiply(source[part], kept, out=target[part])
            begin = part.stop
        return masked.view(x.dtype).view(x.shape)

    def _stored(self, store: Any, seed: int) -> Tensor:
        """Mask the stored entries of sparse features; the places of all stay, and are shared with the original."""
        x: Tensor = store.x
        rows, columns, values = x.crow_indices(), x.col_indices(), x.values()
        if self.per == "entry":
            values = self._entries(values, seed)
        else:
            ptr, masked = self._masked_columns(store, x.shape[1], seed)
            if len(ptr) == 2:
                hidden = masked[0, columns]
            else:
                bounds = rows[to_torch(ptr, x.device)]
                graph = torch.arange(len(ptr) - 1, device=x.device).repeat_interleave(bounds.diff())
                hidden = masked[graph, columns]
            values = torch.where(hidden, values.new_zeros(()), values)
        return torch.sparse_csr_tensor(rows, columns, values, size=x.shape, check_invariants=False)

    def _masked_columns(self, store: Any, count: int, seed: int) -> tuple[NDArray[np.int64], Tensor]:
        """Draw which columns are masked in every graph, and say where the graphs begin."""
        ptr = np.array([0, len(store.x)]) if self.shared else node_ptr(store, len(store.x))
        return ptr, to_torch(Coins(ptr, seed).of_columns(count) < self.p, store.x.device)

    def _columns(self, store: Any, seed: int) -> Tensor:
        x = store.x if store.x.dim() > 1 else store.x[:, None]
        ptr, masked = self._masked_columns(store, x[0].numel() if len(x) else 0, seed)
        if len(ptr) != 2:
            masked = masked.repeat_interleave(torch.from_numpy(np.diff(ptr)).to(x.device), dim=0)
        masked = masked.view(-1, *x.shape[1:]) if len(x) else masked.new_zeros(x.shape)
        return torch.where(masked, x.new_zeros(()), x).view(store.x.shape)


def _keep(count: int, p: float, seed: int) -> Iterator[NDArray[np.bool_]]:
    """Say which entries stay, block after block, each small enough to stay in the cache; p is rounded to 2**-32."""
    random = np.random.SFC64(seed)
    limit = np.uint64(round(p * 2**32))
    yield np.zeros(0, dtype=np.bool_)
    for begin in range(0, count, _BLOCK):
        size = min(_BLOCK, count - begin)
        if limit > np.iinfo(np.uint32).max:
            yield np.zeros(size, dtype=np.bool_)
        else:
            # The numbers of `Generator.integers(2**32, dtype=uint32)`, two from a draw, in half the time.
            draws = random.random_raw((size + 1) // 2).astype("<u8", copy=False).view("<u4")
            yield draws[:size] >= np.uint32(limit)

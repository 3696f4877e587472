"""`FeatureMask`: `FeatureMasking` for features that may be sparse."""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor

from rlap.models import csr_matrix, sparse_features
from rlap.transforms import FeatureMasking
from rlap.transforms.augmentation import Augmentation


class FeatureMask(Augmentation):
    """Mask features, and leave them sparse where most of them are zero: zeros need no mask.

    Features with few entries become a CSR matrix first, once. Columns are the same for all graphs of a batch with
    `shared`; sparse features are those of one graph.

    Args:
        p: the probability, in [0, 1].
        per: "entry" or "column".
        shared: as in `FeatureMasking`.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.methods.masking import FeatureMask
        >>> FeatureMask(0.3)(Data(x=torch.eye(300))).x.layout
        torch.sparse_csr
    """

    def __init__(self, p: float, per: Literal["entry", "column"] = "entry", *, shared: bool = False) -> None:
        self.dense = FeatureMasking(p, per, shared=shared)
        self.p, self.per, self.shared = self.dense.p, per, shared
        self.seed = None

    def forward(self, data: Any) -> Any:
        """Mask the features of the data, which is a shallow copy of the caller's."""
        x = data.get("x")
        if not isinstance(x, Tensor):
            raise ValueError(f"the data must have features x as a tensor (got {sorted(data.keys())})")
        if data.get("batch") is None:
            x = sparse_features(x)
        if x.layout == torch.strided:
            return self.dense.forward(data) if self.p else data
        data.x = self._masked(x) if self.p else x
        return data

    def _masked(self, x: Tensor) -> Tensor:
        values, columns = x.values(), x.col_indices()
        generator = torch.Generator().manual_seed(self.draw())
        count = x.shape[1] if self.per == "column" else len(values)
        kept = (torch.rand(count, generator=generator) >= self.p).to(values.device, values.dtype)
        values = values * (kept[columns] if self.per == "column" else kept)
        # The indices are shared with the whole features: what is known about them holds for the masked ones.
        return csr_matrix(x.crow_indices(), columns, values, x.shape)

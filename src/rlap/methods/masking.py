"""`FeatureMask`: `FeatureMasking` for features that may be sparse."""

from __future__ import annotations

from typing import Any, Literal

from torch import Tensor

from rlap.models import sparse_features
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
        self.masking = FeatureMasking(p, per, shared=shared)
        self.p, self.per, self.shared = self.masking.p, per, shared
        self.seed = None

    def forward(self, data: Any) -> Any:
        """Mask the features of the data, which is a shallow copy of the caller's."""
        if isinstance(data.get("x"), Tensor) and data.get("batch") is None:
            data.x = sparse_features(data.x)
        return self.masking.forward(data) if self.p else data

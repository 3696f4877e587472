"""`WholeBatch`: a batch is taken for one graph, as the paper's scripts do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch_geometric.data import Batch, Data
from torch_geometric.transforms import BaseTransform


class WholeBatch(BaseTransform):
    """Apply a transform to a batch as if it were one graph: a share of nodes is one of the nodes of all graphs.

    The result is a `Data` with `batch` and `ptr`, which cannot be taken apart.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Batch, Data
        >>> from rlap.methods.whole_batch import WholeBatch
        >>> from rlap.transforms import RLap
        >>> single = Data(edge_index=torch.empty(2, 0, dtype=torch.long), num_nodes=1)
        >>> WholeBatch(RLap(0.5, seed=0))(Batch.from_data_list([single, single])).node_mask.sum().item()
        1
    """

    def __init__(self, transform: Callable[[Any], Any]) -> None:
        self.transform = transform

    def forward(self, data: Any) -> Any:
        """Take the batch for one graph, and say afterwards which graph every node is of."""
        if not isinstance(data, Batch):
            return self.transform(data)
        values = {key: value for key, value in data.to_dict().items() if key not in ("batch", "ptr", "y")}
        whole = self.transform(Data.from_dict({**values, "num_nodes": data.num_nodes}))
        whole.batch, whole.ptr = data.batch, data.ptr
        return whole

    def __repr__(self) -> str:
        """Show the transform."""
        return f"WholeBatch({self.transform})"

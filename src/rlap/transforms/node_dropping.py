"""`NodeDropping`: a random part of the nodes goes, with their edges."""

from __future__ import annotations

from typing import Any

from torch import Tensor
from torch_geometric.data.datapipes import functional_transform

from rlap.adapters.pyg import Relation
from rlap.schur.selection import check_fraction
from rlap.transforms.augmentation import NodeAugmentation, on_device
from rlap.transforms.coins import Coins


@functional_transform("drop_nodes")
class NodeDropping(NodeAugmentation):
    """Drop every node with probability p, independently of the others, and all edges of the dropped ones.

    Dropped nodes stay, without edges, and `node_mask` is false for them. Edges keep what is known about them.
    In a `HeteroData`, nodes are dropped of every type that has edges within itself, and lose their edges to others too.

    Args:
        p: the probability, in [0, 1].
        relabel: take the dropped nodes away, with their part of all node-level attributes, and number the others anew.
        seed: an integer, a generator, or None for torch's; as in `RLap`.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import NodeDropping
        >>> path = Data(edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3)
        >>> view = NodeDropping(0.5, seed=0)(path)
        >>> bool(view.node_mask[view.edge_index].all())
        True
        >>> NodeDropping(1.0, relabel=True)(path).num_nodes
        0
    """

    def __init__(self, p: float, *, relabel: bool = False, seed: Any = None) -> None:
        self.p = check_fraction(p, "p")
        self.relabel = relabel
        self.seed = seed

    def choose(self, relation: Relation, coins: Coins) -> Tensor:
        """Say which nodes stay."""
        return on_device(coins.of_nodes() >= self.p, relation)

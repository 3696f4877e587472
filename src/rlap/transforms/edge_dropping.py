"""`EdgeDropping`: a random part of the edges goes."""

from __future__ import annotations

from typing import Any

from torch_geometric.data.datapipes import functional_transform

from rlap.adapters.pyg import BatchRecord, Relation, keep_edges
from rlap.schur.selection import check_fraction
from rlap.transforms.augmentation import EdgeAugmentation
from rlap.transforms.coins import Coins, to_keep


@functional_transform("drop_edges")
class EdgeDropping(EdgeAugmentation):
    """Drop every undirected edge with probability p, independently of the others.

    Both directions of an edge go together, and so do repeated edges. What is known about the edges that stay is kept
    (`edge_weight`, `edge_attr`, ...), in their order; everything else is left alone.

    Args:
        p: the probability, in [0, 1].
        directed: drop each direction by itself, which leaves a directed graph, as the paper's scripts do.
        seed: an integer, a generator, or None for torch's; as in `RLap`.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import EdgeDropping
        >>> cycle = Data(edge_index=torch.tensor([[0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2]]), num_nodes=3)
        >>> EdgeDropping(0.5, seed=4)(cycle).is_undirected()
        True
        >>> EdgeDropping(1.0)(cycle).num_edges
        0
    """

    def __init__(self, p: float, *, directed: bool = False, seed: Any = None) -> None:
        self.p = check_fraction(p, "p")
        self.directed = directed
        self.seed = seed

    def change(self, data: Any, record: BatchRecord, relation: Relation, coins: Coins) -> None:
        """Drop edges of one relation."""
        keep_edges(record, data, relation.edges, coins.keep(relation.edges, to_keep(self.p), directed=self.directed))

"""`PPRSubgraph`: personalised PageRank between some random nodes."""

from __future__ import annotations

import operator
from typing import Any, Literal

import numpy as np
from torch import Tensor
from torch_geometric.data.datapipes import functional_transform

from rlap.adapters.pyg import Relation
from rlap.transforms.augmentation import NodeAugmentation, on_device
from rlap.transforms.coins import Coins
from rlap.transforms.ppr_diffusion import PPRDiffusion


@functional_transform("ppr_subgraph")
class PPRSubgraph(NodeAugmentation):
    """Diffuse a graph by `PPRDiffusion`, then keep a random subgraph of `size` nodes.

    The diffusion is made once for a graph, and remembered; the subgraph is another one every time. The other nodes
    stay, without edges, and `node_mask` is false for them.

    Args:
        size: keep so many nodes of every graph, or all if there are fewer.
        alpha: the probability of a return, between 0 and 1.
        eps: entries below are not kept.
        tol: the largest error of an entry; None means eps / 10.
        transition: "random-walk" or "symmetric", as in `PPRDiffusion`.
        self_loops: add an edge of weight 1 from every node to itself first.
        relabel: take the other nodes away and number the kept ones anew.
        seed: an integer, a generator, or None for torch's; as in `RLap`.
        num_threads: 0 means all. It does not change the result.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import PPRSubgraph
        >>> path = Data(edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3)
        >>> PPRSubgraph(2, relabel=True, seed=0)(path).num_nodes
        2
    """

    def __init__(
        self,
        size: int,
        *,
        alpha: float = 0.2,
        eps: float = 1e-4,
        tol: float | None = None,
        transition: Literal["random-walk", "symmetric"] = "random-walk",
        self_loops: bool = False,
        relabel: bool = False,
        seed: Any = None,
        num_threads: int = 0,
    ) -> None:
        self.size = operator.index(size)
        if self.size < 1:
            raise ValueError(f"size must be at least 1 (got {size})")
        self._diffusion = PPRDiffusion(
            alpha, eps, tol=tol, transition=transition, self_loops=self_loops, num_threads=num_threads
        )
        self.alpha, self.eps, self.tol = self._diffusion.alpha, self._diffusion.eps, tol
        self.transition, self.self_loops, self.num_threads = transition, self_loops, num_threads
        self.relabel = relabel
        self.seed = seed

    def forward(self, data: Any) -> Any:
        """Diffuse the data, which is a shallow copy of the caller's, and take nodes out of it."""
        return super().forward(self._diffusion.forward(data))

    def choose(self, relation: Relation, coins: Coins) -> Tensor:
        """Say which nodes stay: in every graph, those with the least random numbers."""
        sizes = np.diff(coins.ptr)
        graph = np.arange(len(sizes)).repeat(sizes)
        order = np.lexsort((coins.of_nodes(), graph))
        kept = np.zeros(len(order), dtype=np.bool_)
        kept[order[np.arange(len(order)) - coins.ptr[graph] < self.size]] = True
        return on_device(kept, relation)

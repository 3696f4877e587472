"""`RandomWalkSubgraph`: the part of a graph that random walks with restart visit."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor
from torch_geometric.data.datapipes import functional_transform

from rlap.adapters.pyg import Relation
from rlap.adapters.torch import to_numpy
from rlap.schur.selection import check_fraction
from rlap.transforms.augmentation import NodeAugmentation, edge_weights, on_device
from rlap.transforms.coins import Coins
from rlap.walks import visited_nodes


@functional_transform("random_walk_subgraph")
class RandomWalkSubgraph(NodeAugmentation):
    """Keep the subgraph that is induced by the nodes which random walks visit.

    In every graph, walks start from some different nodes. Each of their `walk_length` steps goes back to the start with
    the probability `restart`, and otherwise over one of the edges of its node, with a probability proportional to
    `edge_weight`. A node without edges ends a walk. Walks may go either way over an edge that has one direction alone,
    and take no self-loops. The nodes that no walk visits lose their edges, and `node_mask` is false for them; all edges
    between the others stay, with what is known about them.

    Args:
        fraction: start from floor(fraction * nodes) nodes of every graph, but at least one; in [0, 1].
        num_seeds: start from so many nodes of every graph instead, or from all if there are fewer.
        walk_length: the number of steps.
        restart: the probability to go back, in [0, 1]. The paper's scripts have no restart: 0.
        relabel: take the other nodes away, with their part of all node-level attributes, and number the rest anew.
        seed: an integer, a generator, or None for torch's; as in `RLap`.
        num_threads: 0 means all. It does not change the result.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import RandomWalkSubgraph
        >>> two = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 0, 3, 2]]), num_nodes=4)
        >>> RandomWalkSubgraph(num_seeds=1, walk_length=1, restart=0.0)(two).num_edges
        2
    """

    def __init__(
        self,
        fraction: float | None = None,
        *,
        num_seeds: int | None = None,
        walk_length: int = 10,
        restart: float = 0.2,
        relabel: bool = False,
        seed: Any = None,
        num_threads: int = 0,
    ) -> None:
        if (fraction is None) == (num_seeds is None):
            raise ValueError("give exactly one of fraction and num_seeds")
        self.fraction = None if fraction is None else check_fraction(fraction)
        self.num_seeds = None if num_seeds is None else operator.index(num_seeds)
        self.walk_length = operator.index(walk_length)
        if self.num_seeds is not None and self.num_seeds < 1:
            raise ValueError(f"num_seeds must be at least 1 (got {num_seeds})")
        if not 0 <= self.walk_length < 2**31:
            raise ValueError(f"walk_length must lie in [0, 2**31) (got {walk_length})")
        self.restart = check_fraction(restart, "restart")
        self.relabel = relabel
        self.seed = seed
        self.num_threads = num_threads

    def choose(self, relation: Relation, coins: Coins) -> Tensor:
        """Say which nodes are visited."""
        starts = self._starts(coins)
        if not starts.size:
            return on_device(np.zeros(relation.num_nodes, dtype=np.bool_), relation)
        seen = visited_nodes(
            to_numpy(relation.edges.edge_index),
            edge_weights(relation.edges),
            num_nodes=relation.num_nodes,
            start=starts,
            length=self.walk_length,
            restart=self.restart,
            ptr=coins.ptr,
            symmetrize=True,
            seed=coins.seed,  # from which the core derives the seeds of all graphs
            num_threads=self.num_threads,
        )
        return on_device(seen, relation)

    def _starts(self, coins: Coins) -> NDArray[np.int64]:
        """Choose where to start: the nodes with the least random numbers of every graph."""
        sizes = np.diff(coins.ptr)
        if self.num_seeds is not None:
            wanted = np.minimum(sizes, self.num_seeds)
        else:
            wanted = np.minimum(sizes, np.maximum(1, np.floor((self.fraction or 0.0) * sizes).astype(np.int64)))
        graph = np.arange(len(sizes)).repeat(sizes)
        order = np.lexsort((coins.of_nodes(), graph))
        first = (np.arange(len(order)) - coins.ptr[graph]) < wanted[graph]  # `order` goes through the graphs in turn
        return np.asarray(order[first])

"""`InducedLoader`: batches with the edges that there are between their nodes."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from rlap.adapters.pyg import find_relations
from rlap.loader.node_loader import NodeLoader, check_graph, loader_seed
from rlap.loader.plans import ByNumber, chosen_nodes
from rlap.loader.schur import small_graph


class InducedLoader(NodeLoader):
    """Batches that are induced sub-graphs of random nodes: what `SchurLoader` is compared with.

    Of a share p of the nodes, an edge stays with probability p squared, so small batches have hardly an edge left.

    Args:
        data: the graph.
        batch_size: nodes of a batch; as in `SchurLoader`, like all that follows.
        input_nodes: batches of these alone; None means all nodes.
        shuffle: put other nodes together in every epoch.
        drop_last: leave out a last batch that is smaller.
        seed: an integer, a generator, or None for torch's.
        transform: applied to every batch.
        options: of `torch.utils.data.DataLoader`.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.loader import InducedLoader
        >>> ring = torch.tensor([[0, 1, 2, 3, 1, 2, 3, 0], [1, 2, 3, 0, 0, 1, 2, 3]])
        >>> loader = InducedLoader(Data(x=torch.eye(4), edge_index=ring), 2, input_nodes=[0, 2])
        >>> [batch.num_edges for batch in loader]
        [0]
    """

    def __init__(
        self,
        data: Any,
        batch_size: int,
        *,
        input_nodes: Any = None,
        shuffle: bool = True,
        drop_last: bool = False,
        seed: Any = None,
        transform: Callable[[Any], Any] | None = None,
        **options: Any,
    ) -> None:
        key = loader_seed(seed)
        nodes = chosen_nodes(input_nodes, find_relations(check_graph(data))[0].num_nodes)
        plan = ByNumber(nodes, batch_size, shuffle=shuffle, drop_last=drop_last, seed=key)
        super().__init__(InducedCut(data), plan, key, transform, **options)


@dataclass(frozen=True)
class InducedCut:
    """Takes the edges between nodes. Nothing about it is random."""

    data: Any

    def __call__(self, nodes: Tensor, seed: int) -> Any:
        """Give the sub-graph of these nodes."""
        data = copy.copy(self.data)
        kept = torch.zeros(find_relations(data)[0].num_nodes, dtype=torch.bool)
        kept[nodes] = True
        return small_graph(data, kept)

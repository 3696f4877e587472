"""`ClusterLoader`: batches of parts of the graph that have few edges to the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from rlap import metis
from rlap.adapters.pyg import find_relations
from rlap.adapters.torch import to_numpy
from rlap.loader.induced import InducedCut
from rlap.loader.node_loader import NodeLoader, check_graph, loader_seed
from rlap.loader.plans import ByParts


class ClusterLoader(NodeLoader):
    """Batches of several METIS parts each, with all edges between their nodes, as in Cluster-GCN (Chiang et al. 2019).

    The parts are made once; which of them go together changes from epoch to epoch. PyG's loader of this name needs
    compiled companions of PyG, this one pymetis. Parts differ a little in size, and so do batches.

    Args:
        data: the graph, undirected.
        batch_size: nodes of a batch, about.
        parts_per_batch: how many parts it is made of.
        shuffle: put other parts together in every epoch.
        drop_last: leave out a last batch with fewer parts.
        seed: an integer, a generator, or None for torch's.
        transform: applied to every batch.
        options: of `torch.utils.data.DataLoader`.

    Raises:
        ModuleNotFoundError: without pymetis.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.loader import ClusterLoader
        >>> pairs = torch.tensor([[0, 1, 2, 3], [1, 0, 3, 2]])
        >>> loader = ClusterLoader(Data(edge_index=pairs, num_nodes=4), 2, parts_per_batch=1, seed=0)
        >>> [batch.num_edges for batch in loader]
        [2, 2]
    """

    def __init__(
        self,
        data: Any,
        batch_size: int,
        *,
        parts_per_batch: int = 4,
        shuffle: bool = True,
        drop_last: bool = False,
        seed: Any = None,
        transform: Callable[[Any], Any] | None = None,
        **options: Any,
    ) -> None:
        if batch_size < 1:
            raise ValueError(f"batch_size must be at least 1 (got {batch_size})")
        key = loader_seed(seed)
        relation = find_relations(check_graph(data))[0]
        count = max(1, round(relation.num_nodes * parts_per_batch / batch_size))
        parts = metis_parts(relation.edges.edge_index, relation.num_nodes, min(count, relation.num_nodes))
        plan = ByParts(parts, parts_per_batch, shuffle=shuffle, drop_last=drop_last, seed=key)
        super().__init__(InducedCut(data), plan, key, transform, **options)


def metis_parts(edge_index: Tensor, num_nodes: int, count: int) -> list[Tensor]:
    """Cut a graph into parts of nearly the same size with few edges between them; empty ones are left out."""
    row, col = (np.asarray(end, dtype=np.int64) for end in to_numpy(edge_index))
    inside = row != col  # METIS knows no loops
    order = np.lexsort((col[inside], row[inside]))
    begin = np.concatenate([[0], np.cumsum(np.bincount(row[inside], minlength=num_nodes))])
    part = torch.from_numpy(metis.cut(count, begin, col[inside][order]))
    found = [(part == number).nonzero()[:, 0] for number in range(count)]
    return [nodes for nodes in found if len(nodes)]

"""`EdgeAddition`: new edges between random nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch_geometric.data.datapipes import functional_transform

from rlap.adapters.pyg import BatchRecord, Relation, add_edges
from rlap.adapters.torch import to_numpy
from rlap.schur.selection import check_fraction
from rlap.transforms.augmentation import EdgeAugmentation, on_device
from rlap.transforms.coins import Coins


@functional_transform("add_edges")
class EdgeAddition(EdgeAugmentation):
    """Add floor(p * E) undirected edges to every graph, E being how many it has.

    They are a uniform choice, without repetition, among the pairs of different nodes of the graph that have no edge;
    where fewer pairs are left, all of them. Both directions are added. A new edge has the `edge_weight` 1 and zeros for
    other edge-level attributes; old edges keep theirs, and everything else is left alone.

    Args:
        p: how many edges to add for every edge that is there, in [0, 1].
        directed: add floor(p * entries of edge_index) ordered pairs of any two nodes, which may be loops or repeat each
            other and existing edges, and may join two graphs of a batch: the paper's scripts do that before they merge
            repeated edges. A batch can then no longer be taken apart.
        seed: an integer, a generator, or None for torch's; as in `RLap`.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import EdgeAddition
        >>> path = Data(edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3)
        >>> EdgeAddition(0.5)(path).edge_index.tolist()
        [[0, 1, 1, 2, 0, 2], [1, 0, 2, 1, 2, 0]]
    """

    def __init__(self, p: float, *, directed: bool = False, seed: Any = None) -> None:
        self.p = check_fraction(p, "p")
        self.directed = directed
        self.seed = seed

    def change(self, data: Any, record: BatchRecord, relation: Relation, coins: Coins) -> None:
        """Add edges to one relation."""
        index = np.asarray(to_numpy(relation.edges.edge_index), dtype=np.int64)
        if self.directed:
            random = np.random.default_rng(coins.seeds[0] if coins.seeds else 0)
            count = int(self.p * index.shape[1]) if relation.num_nodes else 0
            pairs = random.integers(max(relation.num_nodes, 1), size=(2, count))
            record.forget(data)
            add_edges(record, data, relation, on_device(pairs, relation), torch.zeros(count, dtype=torch.long))
            return
        low, high = index.min(axis=0), index.max(axis=0)
        low, high = low[low != high], high[low != high]
        owner = np.zeros(len(low), dtype=np.int64) if coins.graph is None else coins.graph[low]
        found, graph = [], []
        for number, (first, last) in enumerate(zip(coins.ptr[:-1], coins.ptr[1:], strict=True)):
            mine = slice(None) if coins.graph is None else owner == number
            added = self._add(low[mine] - first, high[mine] - first, int(last - first), coins.seeds[number])
            found.append(np.concatenate([added, added[::-1]], axis=1) + first)
            graph.append(np.full(found[-1].shape[1], number))
        if found:
            joined = on_device(np.concatenate(found, axis=1), relation)
            add_edges(record, data, relation, joined, torch.from_numpy(np.concatenate(graph)))

    def _add(self, low: NDArray[np.int64], high: NDArray[np.int64], nodes: int, seed: int) -> NDArray[np.int64]:
        """Choose new pairs of one graph: numbers among the missing ones, found by skipping the ones that are there."""
        there = np.unique(high * (high - 1) // 2 + low)  # pairs in the order (0,1), (0,2), (1,2), (0,3), ...
        missing = nodes * (nodes - 1) // 2 - len(there)
        count = min(int(self.p * len(there)), missing)
        chosen = np.sort(np.random.default_rng(seed).choice(missing, count, replace=False)) if count else there[:0]
        code = chosen + np.searchsorted(there - np.arange(len(there)), chosen, side="right")
        upper = ((1 + np.sqrt(8.0 * code + 1)) / 2).astype(np.int64)
        upper -= upper * (upper - 1) // 2 > code  # the root may be rounded over the next whole number
        upper += (upper + 1) * upper // 2 <= code
        return np.stack([code - upper * (upper - 1) // 2, upper])

"""`SchurLoader`: batches that keep the random walks of the whole graph."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor
from torch.utils.data import get_worker_info

from rlap.adapters import schur_view
from rlap.adapters.pyg import BatchRecord, drop_nodes, find_relations, replace_edges
from rlap.loader.node_loader import NodeLoader, check_graph, loader_seed
from rlap.loader.plans import ByNumber, chosen_nodes
from rlap.schur.selection import NODE_ORDERS, check_neighbor_order


class SchurLoader(NodeLoader):
    """Batches that are randomized Schur complements of the whole graph onto some of its nodes.

    An induced sub-graph of a few random nodes has hardly an edge. A Schur complement has one wherever a walk in the
    whole graph goes from one node of the batch to another without meeting a third: it keeps the random walks between
    its nodes. Each batch costs one elimination of all other nodes, whatever its size, and is made independently.

    A batch is a `Data`: node-level attributes of its nodes, `edge_index` in their new numbers, `edge_weight`, `n_id`
    with their numbers in the whole graph, rising, and `num_nodes`. Edge-level attributes are dropped, because an edge
    stands for paths. It is `rlap.schur_view(..., keep=n_id, relabel=True, seed=loader.batch_seed(epoch, number))`.

    Args:
        data: the graph, undirected; its `edge_weight` is read if there is one.
        batch_size: nodes of a batch. The last may have fewer, or one more where a single node would be left.
        input_nodes: batches of these alone, as numbers or a mask; None means all nodes.
        shuffle: put other nodes together in every epoch. False takes them in their order.
        drop_last: leave out a last batch that is smaller.
        node_order: "random" or "degree", for `method="elimination"`.
        neighbor_order: "asc", "desc" or "random", for `method="elimination"`.
        method: "elimination", or "walks", whose mean is exactly the Schur complement, with more edges.
        weighted: give the batches their weights.
        symmetrize: make a directed graph undirected first; without, it is an error.
        seed: an integer, a generator, or None for torch's. Epochs differ, and all of them follow from it.
        num_threads: for one batch; 0 means all, or one in a worker. It does not change the result.
        transform: applied to every batch.
        options: of `torch.utils.data.DataLoader`, such as num_workers. They do not change the batches.

    Raises:
        ValueError: when an argument, or the graph, breaks a rule of `rlap.schur_view`.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.loader import SchurLoader
        >>> ring = torch.tensor([[0, 1, 2, 3, 1, 2, 3, 0], [1, 2, 3, 0, 0, 1, 2, 3]])
        >>> loader = SchurLoader(Data(x=torch.eye(4), edge_index=ring), batch_size=2, shuffle=False, seed=0)
        >>> [(batch.n_id.tolist(), batch.edge_index.tolist()) for batch in loader]
        [([0, 1], [[0, 1], [1, 0]]), ([2, 3], [[0, 1], [1, 0]])]
    """

    def __init__(
        self,
        data: Any,
        batch_size: int,
        *,
        input_nodes: Any = None,
        shuffle: bool = True,
        drop_last: bool = False,
        node_order: Literal["random", "degree"] = "random",
        neighbor_order: Literal["asc", "desc", "random"] = "asc",
        method: Literal["elimination", "walks"] = "elimination",
        weighted: bool = True,
        symmetrize: bool = False,
        seed: Any = None,
        num_threads: int = 0,
        transform: Callable[[Any], Any] | None = None,
        **options: Any,
    ) -> None:
        if node_order not in NODE_ORDERS:
            raise ValueError(f'node_order must be "random" or "degree" (got {node_order!r})')
        check_neighbor_order(neighbor_order)
        if method not in ("elimination", "walks"):
            raise ValueError(f'method must be "elimination" or "walks" (got {method!r})')
        key = loader_seed(seed)
        cut = _SchurCut(check_graph(data), node_order, neighbor_order, method, weighted, symmetrize, num_threads)
        nodes = chosen_nodes(input_nodes, find_relations(data)[0].num_nodes)
        plan = ByNumber(nodes, batch_size, shuffle=shuffle, drop_last=drop_last, seed=key)
        super().__init__(cut, plan, key, transform, **options)


@dataclass(frozen=True)
class _SchurCut:
    data: Any
    node_order: str
    neighbor_order: str
    method: Literal["elimination", "walks"]
    weighted: bool
    symmetrize: bool
    num_threads: int

    def __call__(self, nodes: Tensor, seed: int) -> Any:
        data = copy.copy(self.data)
        relation, record = find_relations(data)[0], BatchRecord(data)
        kept = torch.zeros(relation.num_nodes, dtype=torch.bool)
        kept[nodes] = True
        view = schur_view(
            relation.edges.edge_index,
            relation.edges.edge_weight if "edge_weight" in relation.edges else None,
            num_nodes=relation.num_nodes,
            keep=kept,
            node_order=self.node_order,
            neighbor_order=self.neighbor_order,
            method=self.method,
            symmetrize=self.symmetrize,
            seed=seed,
            # Workers are as many as there are cores already.
            num_threads=1 if not self.num_threads and get_worker_info() is not None else self.num_threads,
        )
        replace_edges(record, relation, view.edge_index, view.edge_weight if self.weighted else None)
        return small_graph(data, kept)


def small_graph(data: Any, kept: Tensor) -> Any:
    """Drop the nodes of the data that are not kept, and say which are."""
    relation = find_relations(data)[0]
    drop_nodes(BatchRecord(data), data, relation, kept.to(relation.edges.edge_index.device))
    data.n_id = kept.nonzero()[:, 0].to(relation.edges.edge_index.device)
    data.num_nodes = len(data.n_id)
    return data

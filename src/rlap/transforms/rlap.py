"""`RLap`: the randomized Schur complement as an augmentation."""

from __future__ import annotations

from typing import Any, Literal

from torch_geometric.data.datapipes import functional_transform

from rlap.adapters import prepare, schur_view
from rlap.adapters.pyg import BatchRecord, Relation, drop_nodes, find_relations, mark_nodes, replace_edges
from rlap.adapters.torch import TensorOrigin, draw_seed, to_numpy
from rlap.schur import PreparedGraph
from rlap.schur.seeds import check_seed, derive_seed
from rlap.schur.selection import NODE_ORDERS, check_fraction, check_neighbor_order
from rlap.transforms.augmentation import Augmentation
from rlap.transforms.content_cache import ContentCache, content

_PREPARED = ContentCache()  # a graph of a training loop is read once


@functional_transform("rlap")
class RLap(Augmentation):
    """Replace a graph by a randomized Schur complement onto some of its nodes (the paper's Algorithm 1).

    Takes `Data`, `HeteroData` and a `Batch` of either. Every graph of a batch loses `floor(fraction * nodes)` nodes,
    and the batch still gives back its graphs. The edges become those of the view, both directions, sorted, with their
    weights as `edge_weight`; an `edge_weight` of the input weighs the graph. Edge-level attributes that the input has
    besides (`edge_attr`, `edge_type`, ...) are dropped: an edge of a view stands for paths of edges, and has no
    attribute of any of them. Everything else is left alone: features, labels, masks, positions.

    Eliminated nodes stay, without edges; `node_mask` is true for the others. In a pipeline of several such transforms,
    it is true for the nodes that all of them left.

    In a `HeteroData`, every edge type that joins nodes of one type is replaced. Where several join the same nodes, the
    first chooses which go. The other edge types are left alone, unless `relabel` takes away their ends.

    Args:
        fraction: the share of nodes to eliminate, in [0, 1].
        node_order: "random" or "degree".
        neighbor_order: "asc", "desc" or "random".
        method: "elimination", "walks" or "coarsening", as in `rlap.schur_view`.
        weighted: store the new weights. False gives the topology alone, as the paper's experiments used it.
        relabel: drop the eliminated nodes, with their part of all node-level attributes, and number the others anew.
        symmetrize: make a directed graph undirected first; without, it is an error.
        seed: an integer makes the same view of the same graph every time. None draws from torch's generator, so that
            views differ between epochs and between the workers of a loader; a `torch.Generator` is drawn from too.
        num_threads: threads for the graphs of a batch, or within a large one, as in `rlap.schur_view`; 0 means all. It
            does not change the result.

    Raises:
        ValueError: when the data has no `edge_index`, does not say how many nodes it has, or breaks a rule of
            `rlap.schur_view`.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import RLap
        >>> star = Data(x=torch.eye(3), edge_index=torch.tensor([[0, 1, 0, 2], [1, 0, 2, 0]]))
        >>> RLap(0.4, node_order="degree", relabel=True, seed=0)(star).edge_index.tolist()
        [[0, 1], [1, 0]]
    """

    def __init__(
        self,
        fraction: float,
        node_order: Literal["random", "degree"] = "random",
        neighbor_order: Literal["asc", "desc", "random"] = "asc",
        *,
        method: Literal["elimination", "walks", "coarsening"] = "elimination",
        weighted: bool = True,
        relabel: bool = False,
        symmetrize: bool = False,
        seed: Any = None,
        num_threads: int = 0,
    ) -> None:
        self.fraction = check_fraction(fraction)
        if node_order not in NODE_ORDERS:
            raise ValueError(f'node_order must be "random" or "degree" (got {node_order!r})')
        check_neighbor_order(neighbor_order)
        if method not in ("elimination", "walks", "coarsening"):
            raise ValueError(f'method must be "elimination", "walks" or "coarsening" (got {method!r})')
        self.node_order = node_order
        self.neighbor_order = neighbor_order
        self.method = method
        self.weighted = weighted
        self.relabel = relabel
        self.symmetrize = symmetrize
        self.seed = seed
        self.num_threads = num_threads

    def forward(self, data: Any) -> Any:
        """Replace the edges of the data, which is a shallow copy of the caller's."""
        relations = find_relations(data)
        record = BatchRecord(data)
        seed = check_seed(draw_seed(self.seed))
        kept: dict[Any, tuple[Relation, Any]] = {}
        for number, relation in enumerate(relations):
            kind = relation.nodes._key
            chosen = {"keep": kept[kind][1]} if kind in kept else {"fraction": self.fraction}
            view = self._view(relation, chosen, derive_seed(seed, view=number))
            replace_edges(record, relation, view.edge_index, view.edge_weight if self.weighted else None)
            kept.setdefault(kind, (relation, view.node_mask))
        for relation, node_mask in kept.values():
            left = mark_nodes(record, relation, node_mask)
            if self.relabel:
                drop_nodes(record, data, relation, left)
        return data

    def _view(self, relation: Relation, chosen: dict[str, Any], seed: int) -> Any:
        return schur_view(
            self._prepare(relation),
            node_order=self.node_order,
            neighbor_order=self.neighbor_order,
            method=self.method,
            seed=seed,
            num_threads=self.num_threads,
            **chosen,
        )

    def _prepare(self, relation: Relation) -> PreparedGraph:
        edges, graphs = relation.edges, relation.graphs()
        index, weight = edges.edge_index, edges.edge_weight if "edge_weight" in edges else None

        def read() -> tuple[PreparedGraph]:
            options = {"symmetrize": self.symmetrize, "num_threads": self.num_threads, **graphs}
            return (prepare(index, weight, num_nodes=relation.num_nodes, **options),)

        if graphs:  # the batches of a loader hardly ever come again
            return read()[0]
        origin = TensorOrigin.of(index, weight)
        key = (content(to_numpy(index), to_numpy(weight)), relation.num_nodes, self.symmetrize, origin)
        found: PreparedGraph = _PREPARED.get(key, read)[0]
        return found

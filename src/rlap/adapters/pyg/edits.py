"""Changes to PyG data that leave everything else about it right."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch_geometric.utils import select

from rlap.adapters.pyg.record import BatchRecord
from rlap.adapters.pyg.relations import Relation

_STALE = ("adj", "adj_t")  # other forms of the edges


def replace_edges(record: BatchRecord, relation: Relation, edge_index: Tensor, edge_weight: Tensor | None) -> None:
    """Give a relation new edges, sorted by row, and take away what was known about the old ones.

    An edge of a view stands for paths of old edges, and has none of their attributes: all edge-level attributes go.
    Labels stay (`y`, and everything with `edge_label` in its name), since they are not about the edges that are there.
    """
    edges = relation.edges
    for key in [*_edge_attrs(record, edges), *_STALE]:
        if key not in ("edge_index", "y") and "edge_label" not in key:
            record.remove(edges, key)
    edges.edge_index = edge_index
    if edge_weight is not None:
        edges.edge_weight = edge_weight
    if record:
        nodes = record.node_offsets(relation)
        parts = torch.searchsorted(edge_index[0].cpu().contiguous(), nodes)
        record.set(edges, "edge_index", parts, record.increments(edges).get("edge_index", nodes[:-1]))
        if edge_weight is not None:
            record.set(edges, "edge_weight", parts)
    _forget_kinds(edges)


def mark_nodes(record: BatchRecord, relation: Relation, node_mask: Tensor) -> Tensor:
    """Set `node_mask`, true for the nodes that this view and those before it have left, and give it back."""
    nodes = relation.nodes
    if "node_mask" in nodes:
        node_mask = node_mask & nodes.node_mask
    nodes.node_mask = node_mask
    if record:
        record.set(nodes, "node_mask", record.node_offsets(relation))
    return node_mask


def drop_nodes(record: BatchRecord, data: Any, relation: Relation, kept: Tensor) -> None:
    """Drop the nodes of one type that are not `kept`, with their edges, and number the others anew."""
    nodes = relation.nodes
    touched = [edges for edges in data.edge_stores if edges._key is None or nodes._key in edges._key[::2]]
    for edges in touched:
        _refuse_other_numbers(data, edges)
    before = _counts(kept)
    offsets = record.node_offsets(relation) if record else torch.tensor([0, relation.num_nodes])
    node_attrs = [
        key
        for key in nodes.node_attrs()
        if key not in ("ptr", "edge_index", "edge_weight")
        and (not record or (record.has_parts(nodes, key, offsets) and not record.follows(nodes, key)))
    ]
    for edges in touched:
        _drop_edges(record, data, edges, nodes, kept)
    for key in node_attrs:
        nodes[key] = _pick(nodes[key], kept, data.__cat_dim__(key, nodes[key], nodes))
        if key in record.slices(nodes):
            record.set(nodes, key, before.cpu()[offsets], record.increments(nodes)[key])
    if record:
        _drop_listed(nodes, kept.cpu().split(offsets.diff().tolist()))
    if "ptr" in nodes:
        nodes.ptr = before[nodes.ptr]
    if "num_nodes" in nodes:
        nodes.num_nodes = int(kept.sum())
    if "_num_nodes" in vars(nodes):  # the sizes of a batch's graphs
        nodes._num_nodes = before.cpu()[offsets].diff().tolist()
    _forget_kinds(nodes)


def _drop_edges(record: BatchRecord, data: Any, edges: Any, nodes: Any, kept: Tensor) -> None:
    """Keep the edges between kept nodes, under their new numbers."""
    sides = [side for side in (0, 1) if edges._key is None or edges._key[2 * side] == nodes._key]
    stays = torch.stack([kept[edges.edge_index[side]] for side in sides]).all(dim=0)
    if not stays.all():
        parts = record.slices(edges)
        for key in _edge_attrs(record, edges):
            edges[key] = _pick(edges[key], stays, data.__cat_dim__(key, edges[key], edges))
            if key in parts:
                record.set(edges, key, _counts(stays).cpu()[parts[key]], record.increments(edges)[key])
    before = _counts(kept)
    edge_index = edges.edge_index.clone()
    for side in sides:
        edge_index[side] = before[edge_index[side]]
    edges.edge_index = edge_index
    added = record.increments(edges).get("edge_index")
    if added is not None:
        flat = added.reshape(record.graphs, -1).clone()  # one column, or one for each side
        for column in range(flat.shape[1]):
            if flat.shape[1] == 1 or column in sides:
                flat[:, column] = before.cpu()[flat[:, column]]
        record.set(edges, "edge_index", record.slices(edges)["edge_index"], flat.reshape(added.shape))
    _forget_kinds(edges)


def _edge_attrs(record: BatchRecord, edges: Any) -> list[str]:
    """List what has one entry for every edge, of every graph if it is a batch."""
    parts = record.slices(edges).get("edge_index")
    return [
        key
        for key in edges.keys()  # noqa: SIM118 - a store is not a dict
        if key not in ("batch", "ptr")
        and not record.follows(edges, key)
        and ("edge" in key or not edges.is_node_attr(key))  # asked first, since PyG takes any list for the other kind
        and edges.is_edge_attr(key)
        and (parts is None or record.has_parts(edges, key, parts))
    ]


def _drop_listed(nodes: Any, kept: tuple[Tensor, ...]) -> None:
    """Pick in attributes that a batch keeps as a list of one sequence for every graph, such as names of nodes."""
    for key, value in list(nodes.items()):
        if isinstance(value, list) and len(value) == len(kept):
            pairs = list(zip(value, kept, strict=True))
            if all(isinstance(one, list | tuple | np.ndarray) and len(one) == len(part) for one, part in pairs):
                nodes[key] = [_pick(one, part, 0) for one, part in pairs]


def _refuse_other_numbers(data: Any, edges: Any) -> None:
    """Refuse attributes that hold numbers of nodes which may be gone: PyG renumbers them too when it joins graphs."""
    for key, value in edges.items():
        if key == "edge_index" or "batch" in key or key.endswith("_ptr") or not isinstance(value, Tensor):
            continue
        if torch.as_tensor(data.__inc__(key, value, edges)).any():
            raise ValueError(f"nodes cannot be dropped where other attributes hold their numbers (got {key!r})")


def _counts(mask: Tensor) -> Tensor:
    """Give how many are true before each place, and in all."""
    return torch.cat([mask.new_zeros(1, dtype=torch.long), mask.cumsum(0)])


def _pick(value: Any, kept: Tensor, dim: int) -> Any:
    """Take the entries that are kept out of a tensor, an array or a sequence."""
    if isinstance(value, np.ndarray):
        return np.compress(kept.cpu().numpy(), value, axis=dim)
    picked = select(value, kept, dim)
    return tuple(picked) if isinstance(value, tuple) else picked


def _forget_kinds(store: Any) -> None:
    """Let PyG find out anew which attributes belong to nodes and which to edges: it remembers what sizes told it."""
    vars(store).pop("_cached_attr", None)

"""Changes to PyG data that leave everything else about it right."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from rlap.adapters.pyg.edges import STALE, counts, edge_attrs, forget_kinds, is_label, keep_edges, pick, places
from rlap.adapters.pyg.record import BatchRecord
from rlap.adapters.pyg.relations import Relation
from rlap.adapters.pyg.staying import between


def replace_edges(record: BatchRecord, relation: Relation, edge_index: Tensor, edge_weight: Tensor | None) -> None:
    """Give a relation new edges, sorted by row, and take away what was known about the old ones.

    An edge of a view stands for paths of old edges, and has none of their attributes: all edge-level attributes go.
    Labels stay (`y`, and everything with `edge_label` in its name), since they are not about the edges that are there.
    """
    edges = relation.edges
    for key in [*edge_attrs(record, edges), *STALE]:
        if key != "edge_index" and not is_label(key):
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
    forget_kinds(edges)


def mark_nodes(record: BatchRecord, relation: Relation, node_mask: Tensor) -> Tensor:
    """Set `node_mask`, true for the nodes that this view and those before it have left, and give it back."""
    nodes = relation.nodes
    if "node_mask" in nodes:
        before = torch.as_tensor(nodes.node_mask, device=node_mask.device)
        if before.shape != node_mask.shape:
            raise ValueError(f"node_mask must have the shape {tuple(node_mask.shape)} (got {tuple(before.shape)})")
        node_mask = node_mask & (before != 0)
    nodes.node_mask = node_mask
    if record:
        record.set(nodes, "node_mask", record.node_offsets(relation))
    return node_mask


def leave_nodes(record: BatchRecord, data: Any, relation: Relation, kept: Tensor, *, relabel: bool) -> None:
    """Take away all edges of the nodes that are not `kept`, mark these, and drop them to `relabel` the others."""
    for edges, sides in _touching(data, relation.nodes):
        keep_edges(record, data, edges, between(edges, sides, kept))
    left = mark_nodes(record, relation, kept)
    if relabel:
        drop_nodes(record, data, relation, left)


def drop_nodes(record: BatchRecord, data: Any, relation: Relation, kept: Tensor) -> None:
    """Drop the nodes of one type that are not `kept`, with their edges, and number the others anew."""
    nodes = relation.nodes
    touched = _touching(data, nodes)
    for edges, _ in touched:
        _refuse_other_numbers(data, edges)
    before, place = counts(kept), places(kept)
    offsets = record.node_offsets(relation) if record else torch.tensor([0, relation.num_nodes])
    node_attrs = [
        key
        for key in nodes.node_attrs()
        if key not in ("ptr", "edge_index", "edge_weight")
        and (not record or (record.has_parts(nodes, key, offsets) and not record.follows(nodes, key)))
    ]
    for edges, sides in touched:
        _drop_edges(record, data, edges, sides, kept)
    for key in node_attrs:
        nodes[key] = pick(nodes[key], place, data.__cat_dim__(key, nodes[key], nodes))
        if key in record.slices(nodes):
            record.set(nodes, key, before.cpu()[offsets], record.increments(nodes)[key])
    if record:
        _drop_listed(nodes, kept.cpu().split(offsets.diff().tolist()))
    if "ptr" in nodes:
        nodes.ptr = before[nodes.ptr.long()]
    if "num_nodes" in nodes:
        nodes.num_nodes = int(kept.sum())
    if "_num_nodes" in vars(nodes):  # the sizes of a batch's graphs
        nodes._num_nodes = before.cpu()[offsets].diff().tolist()
    forget_kinds(nodes)


def _drop_edges(record: BatchRecord, data: Any, edges: Any, sides: list[int], kept: Tensor) -> None:
    """Keep the edges between kept nodes, under their new numbers."""
    keep_edges(record, data, edges, between(edges, sides, kept), labels=True)
    before = counts(kept)
    edge_index = edges.edge_index.clone()
    for side in sides:
        edge_index[side] = before[edge_index[side].long()]
    edges.edge_index = edge_index
    added = record.increments(edges).get("edge_index")
    if added is not None:
        flat = added.reshape(record.graphs, -1).clone()  # one column, or one for each side
        for column in range(flat.shape[1]):
            if flat.shape[1] == 1 or column in sides:
                flat[:, column] = before.cpu()[flat[:, column]]
        record.set(edges, "edge_index", record.slices(edges)["edge_index"], flat.reshape(added.shape))
    forget_kinds(edges)


def _touching(data: Any, nodes: Any) -> list[tuple[Any, list[int]]]:
    """List the edges that have an end among these nodes, and on which sides."""
    found = []
    for edges in data.edge_stores:
        sides = [side for side in (0, 1) if edges._key is None or edges._key[2 * side] == nodes._key]
        if sides and "edge_index" in edges:
            found.append((edges, sides))
    return found


def _drop_listed(nodes: Any, kept: tuple[Tensor, ...]) -> None:
    """Pick in attributes that a batch keeps as a list of one sequence for every graph, such as names of nodes."""
    for key, value in list(nodes.items()):
        if isinstance(value, list) and len(value) == len(kept):
            pairs = list(zip(value, kept, strict=True))
            if all(isinstance(one, list | tuple | np.ndarray) and len(one) == len(part) for one, part in pairs):
                nodes[key] = [pick(one, places(part), 0) for one, part in pairs]


def _refuse_other_numbers(data: Any, edges: Any) -> None:
    """Refuse attributes that hold numbers of nodes which may be gone: PyG renumbers them too when it joins graphs."""
    for key, value in edges.items():
        if key == "edge_index" or "batch" in key or key.endswith("_ptr") or not isinstance(value, Tensor):
            continue
        if torch.as_tensor(data.__inc__(key, value, edges)).any():
            raise ValueError(f"nodes cannot be dropped where other attributes hold their numbers (got {key!r})")

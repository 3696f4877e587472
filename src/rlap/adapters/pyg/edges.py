"""Edges taken away or added, with everything that is known about each of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from rlap.adapters.pyg.record import BatchRecord
from rlap.adapters.pyg.relations import Relation
from rlap.adapters.pyg.rows import take_rows

STALE = ("adj", "adj_t")  # other forms of the edges


def keep_edges(record: BatchRecord, data: Any, edges: Any, kept: Tensor) -> None:
    """Keep some of the edges, in their order, and the part of their attributes. Labels of edges stay whole."""
    place = places(kept)
    if len(place) == len(kept):
        return
    before = None
    for key in edge_attrs(record, edges):
        if is_label(key):
            continue
        parts = record.slices(edges).get(key)
        edges[key] = pick(edges[key], place, data.__cat_dim__(key, edges[key], edges))
        if parts is not None:
            before = counts(kept).cpu() if before is None else before
            record.set(edges, key, before[parts], record.increments(edges)[key])
    for key in STALE:
        record.remove(edges, key)
    forget_kinds(edges)


def add_edges(record: BatchRecord, data: Any, relation: Relation, added: Tensor, graph: Tensor) -> None:
    """Add edges of the shape (2, k), `graph` being the number of the graph that each belongs to.

    Nothing is known about them: their `edge_weight` is 1 and all other attributes are 0.
    """
    edges = relation.edges
    parts = record.slices(edges).get("edge_index")
    order = sizes = None
    if parts is not None:
        owner = torch.arange(record.graphs).repeat_interleave(parts.diff())
        order = torch.cat([owner, graph.cpu()]).argsort(stable=True).to(added.device)
        sizes = parts + counts_of(graph.cpu(), record.graphs)
    for key in [*edge_attrs(record, edges)]:
        if is_label(key):
            continue
        value = edges[key]
        if not isinstance(value, Tensor):
            raise TypeError(f"edges cannot be added where they have attributes that are no tensors (got {key!r})")
        dim = data.__cat_dim__(key, value, edges)
        shape = list(value.shape)
        shape[dim] = added.shape[1]
        fill = added.to(value.dtype) if key == "edge_index" else value.new_full(shape, key == "edge_weight")
        joined = torch.cat([value, fill], dim=dim)
        edges[key] = joined if order is None else joined.index_select(dim, order)
        if sizes is not None:
            record.set(edges, key, sizes, record.increments(edges).get(key))
    for key in STALE:
        record.remove(edges, key)
    forget_kinds(edges)


def edge_attrs(record: BatchRecord, edges: Any) -> list[str]:
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


def is_label(key: str) -> bool:
    """Say whether an attribute is a label, which is not about the edges that are there even if it is as long."""
    return key == "y" or "edge_label" in key


def pick(value: Any, place: Tensor, dim: int) -> Any:
    """Take the entries at these places out of a tensor, an array or a sequence."""
    if isinstance(value, Tensor):
        return take_rows(value, place) if value.layout == torch.sparse_csr else value.index_select(dim, place)
    if isinstance(value, np.ndarray):
        return np.take(value, place.cpu().numpy(), axis=dim)
    picked = [value[one] for one in place.tolist()]
    return tuple(picked) if isinstance(value, tuple) else picked


def places(mask: Tensor) -> Tensor:
    """Give the places where a mask is true. NumPy's one thread is quicker here than torch's many, who wait a lot."""
    return torch.from_numpy(np.flatnonzero(mask.cpu().numpy())).to(mask.device)


def counts(mask: Tensor) -> Tensor:
    """Give how many are true before each place, and in all."""
    return torch.cat([mask.new_zeros(1, dtype=torch.long), mask.cumsum(0)])


def counts_of(numbers: Tensor, count: int) -> Tensor:
    """Give how many numbers are below each of 0 .. count."""
    return torch.cat([numbers.new_zeros(1), torch.bincount(numbers, minlength=count).cumsum(0)])


def forget_kinds(store: Any) -> None:
    """Let PyG find out anew which attributes belong to nodes and which to edges: it remembers what sizes told it."""
    vars(store).pop("_cached_attr", None)

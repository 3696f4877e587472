"""Edges taken away or added, with everything that is known about each of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from rlap.adapters.pyg.record import BatchRecord
from rlap.adapters.pyg.relations import Relation
from rlap.adapters.pyg.rows import take_rows
from rlap.adapters.pyg.staying import Staying

STALE = ("adj", "adj_t")  # other forms of the edges


def keep_edges(record: BatchRecord, data: Any, edges: Any, kept: Staying, *, labels: bool = False) -> None:
    """Keep some of the edges, and the part of their attributes. Labels of edges stay whole, unless `labels`."""
    if len(kept.place) == edges.edge_index.shape[1]:
        return
    for key in edge_attrs(record, edges):
        if is_label(key) and not labels:
            continue
        parts = record.slices(edges).get(key)
        if key == "edge_index":
            edges.edge_index = kept.ends
        else:
            edges[key] = pick(edges[key], kept.place, data.__cat_dim__(key, edges[key], edges))
        if parts is not None:
            record.set(edges, key, torch.searchsorted(kept.place.cpu(), parts), record.increments(edges)[key])
    forget_forms(record, edges)


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
    forget_forms(record, edges)


def edge_attrs(record: BatchRecord, edges: Any) -> list[str]:
    """List what has one entry for every edge, of every graph if it is a batch."""
    parts = record.slices(edges).get("edge_index")
    count = edges.edge_index.shape[1]
    return [
        key
        for key, value in edges.items()
        if key == "edge_index"
        or (
            not (isinstance(value, Tensor) and count not in value.shape)  # PyG takes its time to say the same
            and key not in ("batch", "ptr")
            and not record.follows(edges, key)
            and ("edge" in key or not edges.is_node_attr(key))  # asked first: PyG takes any list for the other kind
            and edges.is_edge_attr(key)
            and (parts is None or record.has_parts(edges, key, parts))
        )
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


def forget_forms(record: BatchRecord, edges: Any) -> None:
    """Take away other forms of edges that have changed."""
    for key in STALE:
        if key in edges:
            record.remove(edges, key)
    forget_kinds(edges)


def forget_kinds(store: Any) -> None:
    """Let PyG find out anew which attributes belong to nodes and which to edges: it remembers what sizes told it."""
    vars(store).pop("_cached_attr", None)

"""Thousands of independent samples from one call: copies of a small graph as a batch, or views of it alone.

Samples are adjacency matrices of the shape (samples, N + 1, N + 1), with the ground as the last node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rlap
from rlap import _core
from rlap.schur.edges import read_edges
from rlap.schur.selection import NEIGHBOR_ORDERS, select
from tests.graphs import Example

Samples = NDArray[np.float64]
ORDERS = NEIGHBOR_ORDERS | {"coarsen": _core.NeighborOrder.coarsen}


@dataclass(frozen=True)
class Batch:
    """So many copies of a graph, and arguments for it turned into arguments for all of them."""

    example: Example
    copies: int

    @property
    def num_nodes(self) -> int:
        return self.copies * self.example.num_nodes

    @property
    def ptr(self) -> NDArray[np.int64]:
        return np.arange(self.copies + 1, dtype=np.int64) * self.example.num_nodes

    @property
    def edge_index(self) -> NDArray[np.int64]:
        shifted = self.example.edge_index[:, None, :] + self.ptr[None, :-1, None]
        return np.ascontiguousarray(shifted.reshape(2, -1))

    @property
    def edge_weight(self) -> NDArray[np.float64] | None:
        weight = self.example.edge_weight
        return None if weight is None else np.tile(weight, self.copies)

    def nodes(self, nodes: Sequence[int] | None) -> NDArray[np.int64] | None:
        if nodes is None:
            return None
        return (np.array(nodes, dtype=np.int64) + self.ptr[:-1, None]).ravel()

    def ground(self, ground: Samples | None) -> Samples | None:
        return None if ground is None else np.tile(ground, self.copies)

    def order(self, node_order: str | Sequence[int]) -> Any:
        return node_order if isinstance(node_order, str) else self.nodes(node_order)

    def unpack(self, edge_index: NDArray[np.int64], edge_weight: Samples, ground: Samples | None) -> Samples:
        nodes = self.example.num_nodes
        dense = np.zeros((self.copies, nodes + 1, nodes + 1))
        graph, row = np.divmod(edge_index[0], nodes)
        assert (graph == edge_index[1] // nodes).all(), "an edge crosses graphs"
        dense[graph, row, edge_index[1] % nodes] = edge_weight
        if ground is not None:
            dense[:, :nodes, nodes] = dense[:, nodes, :nodes] = ground.reshape(self.copies, nodes)
        return dense


def draw_batch(
    example: Example,
    samples: int,
    *,
    seed: int,
    count: int | None = None,
    keep: Sequence[int] | None = None,
    node_order: str | Sequence[int] = "random",
    neighbor_order: str = "asc",
    ground: Samples | None = None,
    method: str = "elimination",
) -> Samples:
    """Every sample is one graph of a batch."""
    batch = Batch(example, samples)
    view = rlap.schur_view(
        batch.edge_index,
        batch.edge_weight,
        num_nodes=batch.num_nodes,
        ptr=batch.ptr,
        fraction=_fraction(example, count),
        keep=batch.nodes(keep),
        node_order=batch.order(node_order),
        ground=batch.ground(ground),
        **_method(method, neighbor_order),
        seed=seed,
        num_threads=1,
    )
    return batch.unpack(view.edge_index, view.edge_weight, view.ground)


def draw_alone(
    example: Example,
    samples: int,
    *,
    seed: int,
    count: int | None = None,
    keep: Sequence[int] | None = None,
    node_order: str | Sequence[int] = "random",
    neighbor_order: str = "asc",
    ground: Samples | None = None,
    method: str = "elimination",
) -> Samples:
    """Every sample is one view of the graph by itself."""
    views = rlap.schur_view(
        example.edge_index,
        example.edge_weight,
        num_nodes=example.num_nodes,
        fraction=_fraction(example, count),
        keep=keep,
        node_order=node_order,
        ground=ground,
        **_method(method, neighbor_order),
        seed=seed,
        num_views=samples,
        num_threads=1,
    )
    batch = Batch(example, samples)
    edges = np.concatenate([view.edge_index + at * example.num_nodes for at, view in enumerate(views)], axis=1)
    weights = np.concatenate([view.edge_weight for view in views])
    return batch.unpack(edges, weights, None if ground is None else np.concatenate([view.ground for view in views]))


def draw_tracked(
    example: Example,
    samples: int,
    *,
    seed: int,
    count: int | None = None,
    keep: Sequence[int] | None = None,
    node_order: str | Sequence[int] = "random",
    neighbor_order: str = "asc",
    ground: Samples | None = None,
) -> tuple[Samples, Samples, Samples]:
    """The graphs left, and for each the sum of s_k s_k^T over the columns that its elimination leaves behind.

    The third is the sum of |s_k| |s_k|^T, the size of what is summed.
    """
    batch = Batch(example, samples)
    selection = select(
        batch.ptr,
        fraction=_fraction(example, count),
        keep=batch.nodes(keep),
        eliminate=None,
        node_order=batch.order(node_order),
    )
    (edge_index, edge_weight, _, left), _, columns = _core.eliminate_tracked(
        read_edges(batch.edge_index, batch.edge_weight, batch.num_nodes, batch.ptr),
        selection.count[None],
        seed,
        selection.nodes,
        selection.begin,
        selection.order,
        ORDERS[neighbor_order],
        batch.ground(ground),
        [],
        True,
        False,
    )
    nodes, eliminated = example.num_nodes, columns.node.size
    column = np.zeros((eliminated, nodes + 1))
    column[np.arange(eliminated), columns.node % nodes] = columns.total
    place = np.where(columns.neighbor == batch.num_nodes, nodes, columns.neighbor % nodes)
    column[np.repeat(np.arange(eliminated), np.diff(columns.begin)), place] = -columns.weight
    column /= np.sqrt(np.where(columns.total > 0, columns.total, 1.0))[:, None]
    assert (columns.node // nodes == np.repeat(np.arange(samples), eliminated // samples)).all()
    columns_of = column.reshape(samples, eliminated // samples, nodes + 1)
    remainder = batch.unpack(edge_index, np.asarray(edge_weight, dtype=np.float64), left)
    turned = columns_of.transpose(0, 2, 1)
    return remainder, turned @ columns_of, np.abs(turned) @ np.abs(columns_of)


def _method(method: str, neighbor_order: str) -> dict[str, Any]:
    """Coarsening is one more way to replace a star here, as in the core; for callers it is a method of its own."""
    if neighbor_order == "coarsen":
        return {"method": "coarsening"}
    return {"method": method, "neighbor_order": neighbor_order}


def _fraction(example: Example, count: int | None) -> float | None:
    """The share that eliminates `count` nodes, away from where rounding could decide."""
    return None if count is None else min((count + 0.5) / example.num_nodes, 1.0)

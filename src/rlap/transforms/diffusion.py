"""What the diffusions share: a series of powers of the transition matrix, and results that are remembered."""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from torch_geometric.transforms import BaseTransform

from rlap.adapters.pyg import BatchRecord, Relation, find_relations, node_ptr, replace_edges
from rlap.adapters.torch import to_numpy
from rlap.diffusion import Series, diffuse_edges
from rlap.diffusion.sparse import check_threshold, check_transition
from rlap.transforms.augmentation import edge_weights, on_device
from rlap.transforms.content_cache import ContentCache, content


class Diffusion(BaseTransform):
    """Replace the edges of every relation by the entries of a diffusion matrix; nothing about it is random."""

    # Shared by all transforms, and filled by the content of graphs: the same graph is diffused once, in any object.
    _cache: ClassVar[ContentCache] = ContentCache(1 << 30)

    def __init__(
        self, series: Series, eps: float, tol: float | None, transition: str, self_loops: bool, num_threads: int
    ) -> None:
        self.series = series
        self.eps, _ = check_threshold(eps, tol)
        self.tol = tol
        self.transition = check_transition(transition)
        self.self_loops = self_loops
        self.num_threads = num_threads

    def forward(self, data: Any) -> Any:
        """Diffuse the edges of the data, which is a shallow copy of the caller's."""
        relations = find_relations(data)
        record = BatchRecord(data)
        for relation in relations:
            index, weight = self.diffuse(relation)
            replace_edges(record, relation, on_device(index, relation), on_device(weight, relation))
        return data

    def diffuse(self, relation: Relation) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Give rows, columns and values of the diffusion matrix of one relation."""
        index = np.asarray(to_numpy(relation.edges.edge_index), dtype=np.int64)
        weight = edge_weights(relation.edges)
        ptr = node_ptr(relation.nodes, relation.num_nodes)

        def make() -> tuple[NDArray[Any], ...]:
            made, value = diffuse_edges(
                index,
                weight,
                num_nodes=relation.num_nodes,
                series=self.series,
                eps=self.eps,
                tol=self.tol,
                transition=self.transition,
                self_loops=self.self_loops,
                ptr=ptr,
                num_threads=self.num_threads,
            )
            return made.astype(np.int32), value

        words = (self.series, self.eps, self.tol, self.transition, self.self_loops)
        entries, value = self._cache.get((words, content(index, ptr, weight)), make)
        return entries.astype(np.int64), value.astype(np.float32)

    def __repr__(self) -> str:
        """Show the arguments that are not as usual."""
        usual = inspect.signature(type(self)).parameters
        words = [f"{name}={getattr(self, name)!r}" for name in usual if getattr(self, name) != usual[name].default]
        return f"{type(self).__name__}({', '.join(words)})"

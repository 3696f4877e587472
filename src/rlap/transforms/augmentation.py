"""What all transforms do alike: where their randomness comes from, which edges they change, how they are shown."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor
from torch_geometric.transforms import BaseTransform

from rlap.adapters.pyg import BatchRecord, Relation, find_relations, leave_nodes, node_ptr
from rlap.adapters.torch import draw_seed, to_numpy, to_torch
from rlap.schur.seeds import check_seed, derive_seed
from rlap.transforms.coins import Coins


class Augmentation(BaseTransform):
    """A transform that has a seed, and shows its arguments that are not as usual."""

    seed: Any

    def draw(self) -> int:
        """Draw the seed of one call."""
        return check_seed(draw_seed(self.seed))

    def __repr__(self) -> str:
        """Show the arguments that are not as usual."""
        usual = inspect.signature(type(self)).parameters
        words = [f"{name}={getattr(self, name)!r}" for name in usual if getattr(self, name) != usual[name].default]
        return f"{type(self).__name__}({', '.join(words)})"


class EdgeAugmentation(Augmentation):
    """A transform of the edges of every relation by itself."""

    def forward(self, data: Any) -> Any:
        """Change the edges of the data, which is a shallow copy of the caller's."""
        relations = find_relations(data)
        record = BatchRecord(data)
        seed = self.draw()
        for number, relation in enumerate(relations):
            ptr = node_ptr(relation.nodes, relation.num_nodes)
            self.change(data, record, relation, Coins(ptr, derive_seed(seed, view=number)))
        return data

    def change(self, data: Any, record: BatchRecord, relation: Relation, coins: Coins) -> None:
        """Change the edges of one relation."""
        raise NotImplementedError


class NodeAugmentation(Augmentation):
    """A transform that leaves some nodes of every type, as the first relation that joins them says."""

    relabel: bool

    def forward(self, data: Any) -> Any:
        """Take nodes out of the data, which is a shallow copy of the caller's."""
        relations = {relation.nodes._key: relation for relation in reversed(find_relations(data))}
        record = BatchRecord(data)
        seed = self.draw()
        for number, relation in enumerate(reversed(relations.values())):
            ptr = node_ptr(relation.nodes, relation.num_nodes)
            kept = self.choose(relation, Coins(ptr, derive_seed(seed, view=number)))
            leave_nodes(record, data, relation, kept, relabel=self.relabel)
        return data

    def choose(self, relation: Relation, coins: Coins) -> Tensor:
        """Say which nodes stay."""
        raise NotImplementedError


def edge_weights(edges: Any) -> NDArray[np.float64] | None:
    """Read the weights of edges, which must be what a random walk can use."""
    if "edge_weight" not in edges:
        return None
    weight = np.asarray(to_numpy(edges.edge_weight), dtype=np.float64).reshape(-1)
    if weight.size != edges.edge_index.shape[1]:
        count = edges.edge_index.shape[1]
        raise ValueError(f"edge_weight must have one value for every edge, {count} (got {weight.size})")
    if not (np.isfinite(weight) & (weight > 0)).all():
        place = int(np.argmin(np.isfinite(weight) & (weight > 0)))
        raise ValueError(f"edge_weight must be positive and finite (got {weight[place]} at edge {place})")
    return weight


def on_device(array: Any, relation: Relation) -> Tensor:
    """Give an array to torch, where the edges lie."""
    tensor: Tensor = to_torch(array, relation.edges.edge_index.device)
    return tensor

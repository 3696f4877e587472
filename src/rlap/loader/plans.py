"""Which nodes go together in an epoch. Everything follows from the seed and the number of the epoch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import torch
from torch import Tensor

from rlap.schur import derive_seed


class Plan(Protocol):
    """Cuts the nodes of an epoch into batches."""

    def __len__(self) -> int:
        """Say how many batches an epoch has."""

    def __call__(self, epoch: int) -> Sequence[Tensor]:
        """Give the nodes of every batch of an epoch."""


class ByNumber:
    """Batches of so many nodes, in random order or as they are given; the last may be smaller.

    A single node that would be left over joins the batch before it: it has nothing to be compared with.

    Example:
        >>> import torch
        >>> from rlap.loader.plans import ByNumber
        >>> [batch.tolist() for batch in ByNumber(torch.arange(5), 2, shuffle=False, drop_last=False, seed=0)(0)]
        [[0, 1], [2, 3, 4]]
    """

    def __init__(self, nodes: Tensor, batch_size: int, *, shuffle: bool, drop_last: bool, seed: int) -> None:
        if batch_size < 1:
            raise ValueError(f"batch_size must be at least 1 (got {batch_size})")
        if not len(nodes):
            raise ValueError("there must be a node to load (got none)")
        self.nodes = nodes
        self.shuffle = shuffle
        self.seed = seed
        self.ends = batch_ends(len(nodes), batch_size, drop_last=drop_last)
        if not drop_last and batch_size > 1 and len(self.ends) > 1 and self.ends[-1] - self.ends[-2] == 1:
            del self.ends[-2]

    def __len__(self) -> int:
        return len(self.ends)

    def __call__(self, epoch: int) -> list[Tensor]:
        """Cut the nodes, in an order that belongs to the epoch."""
        nodes = self.nodes[shuffled(len(self.nodes), self.seed, epoch)] if self.shuffle else self.nodes
        return [nodes[begin:end] for begin, end in zip([0, *self.ends], self.ends, strict=False)]


class ByParts:
    """Batches of several parts of the graph each, in random order.

    Example:
        >>> import torch
        >>> from rlap.loader.plans import ByParts
        >>> parts = [torch.tensor([0, 1]), torch.tensor([2]), torch.tensor([3, 4])]
        >>> [batch.tolist() for batch in ByParts(parts, 2, shuffle=False, drop_last=False, seed=0)(0)]
        [[0, 1, 2], [3, 4]]
    """

    def __init__(self, parts: Sequence[Tensor], together: int, *, shuffle: bool, drop_last: bool, seed: int) -> None:
        if together < 1:
            raise ValueError(f"parts_per_batch must be at least 1 (got {together})")
        self.parts = parts
        self.ends = batch_ends(len(parts), together, drop_last=drop_last)
        self.shuffle = shuffle
        self.seed = seed

    def __len__(self) -> int:
        return len(self.ends)

    def __call__(self, epoch: int) -> list[Tensor]:
        """Join parts, in an order that belongs to the epoch."""
        count = len(self.parts)
        order = shuffled(count, self.seed, epoch).tolist() if self.shuffle else list(range(count))
        return [
            torch.cat([self.parts[part] for part in order[begin:end]])
            for begin, end in zip([0, *self.ends], self.ends, strict=False)
        ]


def batch_ends(count: int, size: int, *, drop_last: bool) -> list[int]:
    """Say where each batch ends; the last may be smaller, or be left out.

    Example:
        >>> from rlap.loader.plans import batch_ends
        >>> batch_ends(5, 2, drop_last=False), batch_ends(5, 2, drop_last=True)
        ([2, 4, 5], [2, 4])
    """
    ends = [*range(size, count, size), count]
    return ends[:-1] if drop_last and count % size else ends


def shuffled(count: int, seed: int, epoch: int) -> Tensor:
    """Give a random order that belongs to a seed and an epoch."""
    generator = torch.Generator().manual_seed(derive_seed(seed, view=epoch))
    return torch.randperm(count, generator=generator)


def chosen_nodes(input_nodes: Any, num_nodes: int) -> Tensor:
    """Turn node numbers or a mask into numbers, each once; None means all.

    Example:
        >>> import torch
        >>> from rlap.loader.plans import chosen_nodes
        >>> chosen_nodes(torch.tensor([True, False, True]), 3).tolist()
        [0, 2]
    """
    if input_nodes is None:
        return torch.arange(num_nodes)
    nodes = torch.as_tensor(input_nodes).cpu()
    if nodes.dtype == torch.bool:
        if nodes.shape != (num_nodes,):
            raise ValueError(
                f"input_nodes as a mask must have one value for each of {num_nodes} nodes (got {nodes.shape})"
            )
        return nodes.nonzero()[:, 0]
    nodes = nodes.long().flatten()
    if len(nodes) and not 0 <= int(nodes.min()) <= int(nodes.max()) < num_nodes:
        wrong = nodes[(nodes < 0) | (nodes >= num_nodes)][0]
        raise ValueError(f"input_nodes must lie in [0, {num_nodes}) (got {int(wrong)})")
    if len(nodes.unique()) != len(nodes):
        raise ValueError(
            f"input_nodes must hold each node once (got {len(nodes)}, of which {len(nodes.unique())} differ)"
        )
    return nodes

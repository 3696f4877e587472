"""What is trained on in which step. Everything follows from the seed and the number of the step, so that a step can be
made ahead, in another thread, or again after an interruption.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import torch
from torch_geometric.data import Batch

from rlap.adapters.torch import seeds_from
from rlap.schur import derive_seed
from rlap.training.config import TrainConfig
from rlap.training.distributed.shares import take_graphs
from rlap.training.distributed.world import ALONE, World
from rlap.training.parts import GraphData, NodeData, Trainable

# Streams of random numbers that must not meet; `derive_seed` tells them apart by its second key.
VIEWS, ORDER, NOISE, EMBEDDING, LOADER, DRAWS, SHUFFLES = range(1, 8)


class Steps:
    """The steps of training: step number `k` belongs to epoch `k // per_epoch`.

    A node set is one step an epoch. Graphs go in batches; a single graph that would be left over joins the batch before
    it, because it has nothing to be compared with. Of several processes, each gets its share of the graphs.

    Example:
        >>> from types import SimpleNamespace
        >>> Steps(SimpleNamespace(level="graph", graphs=[None] * 257), TrainConfig(batch_size=128)).per_epoch
        2
    """

    def __init__(self, dataset: NodeData | GraphData, config: TrainConfig, world: World = ALONE) -> None:
        if world.size > 1 and dataset.level == "node":
            raise ValueError(
                f"one graph cannot be shared by {world.size} processes: take a loader, and pieces for each"
            )
        self._dataset = dataset
        self._world = world
        self._seed = config.seed
        self._shuffled = config.protocol == "clean"
        self._ends = batch_ends(len(dataset.graphs), config.batch_size) if dataset.level == "graph" else [1]
        self._order_of_epoch = lru_cache(2)(self._order)  # a prefetched step may already be in the next epoch

    @property
    def per_epoch(self) -> int:
        """How many steps an epoch has."""
        return len(self._ends)

    def input(self, step: int) -> Any:
        """Give the graph, or the batch of graphs, of a step."""
        if self._dataset.level == "node":
            return self._dataset.data
        epoch, number = divmod(step, self.per_epoch)
        begin = self._ends[number - 1] if number else 0
        chosen = self._order_of_epoch(epoch)[begin : self._ends[number]]
        return Batch.from_data_list([self._dataset.graphs[graph] for graph in chosen])

    def views(self, method: Trainable, step: int) -> tuple[Any, Any]:
        """Make the two views of a step."""
        with seeds_from(derive_seed(self._seed, view=step, graph=VIEWS)):
            views = method.views(self.input(step))
        if self._world.size == 1:
            return views
        # All views are made everywhere, because what a graph's view is may depend on its place among the others.
        begin, end = self._world.share(views[0].ptr.numel() - 1)
        return take_graphs(views[0], begin, end), take_graphs(views[1], begin, end)

    def _order(self, epoch: int) -> list[int]:
        count = self._ends[-1]
        if not self._shuffled:
            return list(range(count))
        generator = torch.Generator().manual_seed(derive_seed(self._seed, view=epoch, graph=ORDER))
        order: list[int] = torch.randperm(count, generator=generator).tolist()
        return order


def batch_ends(count: int, size: int) -> list[int]:
    """Say where each batch ends; the last may be smaller, and one larger where a single graph would be left.

    Example:
        >>> batch_ends(5, 2), batch_ends(6, 4), batch_ends(1, 4)
        ([2, 5], [4, 6], [1])
    """
    if count < 1:
        raise ValueError("a data set must have a graph (got none)")
    ends = [*range(size, count, size), count]
    if size > 1 and len(ends) > 1 and ends[-1] - ends[-2] == 1:
        del ends[-2]
    return ends

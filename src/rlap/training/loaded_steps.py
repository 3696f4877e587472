"""Steps on small graphs that a loader makes of a node set."""

from __future__ import annotations

from typing import Any

from torch_geometric.data import Batch

from rlap import loader
from rlap.adapters.torch import seeds_from
from rlap.schur import derive_seed
from rlap.training.config import TrainConfig
from rlap.training.distributed.world import ALONE, World
from rlap.training.parts import GraphData, NodeData, Trainable
from rlap.training.steps import LOADER, VIEWS, Steps


class LoadedSteps:
    """The steps of training with a loader; step number `k` belongs to epoch `k // per_epoch`.

    A step has `config.pieces` batches of the loader, the last of an epoch also those that are left over. Views are made
    of each by itself, so that a process makes those of its own share alone.

    Example:
        >>> from rlap import datasets
        >>> digits = datasets.load("digits")
        >>> LoadedSteps(digits, TrainConfig(batch_size=512, loader="schur")).per_epoch
        4
        >>> LoadedSteps(digits, TrainConfig(batch_size=512, loader="schur", pieces=2)).per_epoch
        4
    """

    def __init__(self, dataset: NodeData, config: TrainConfig, world: World = ALONE) -> None:
        assert config.loader is not None
        self._pieces = config.pieces or 1
        self._seed = config.seed
        self._world = world
        seed = derive_seed(config.seed, graph=LOADER)
        self._loader = loader.get(config.loader, dataset.data, config.batch_size // self._pieces, seed=seed)
        if len(self._loader) < self._pieces:
            raise ValueError(
                f"there must be a batch for every piece, {self._pieces} (got {len(self._loader)} in an epoch)"
            )
        if self._pieces < world.size:
            raise ValueError(f"there must be a piece for each of {world.size} processes (got {self._pieces} pieces)")

    @property
    def per_epoch(self) -> int:
        """How many steps an epoch has."""
        return len(self._loader) // self._pieces

    def views(self, method: Trainable, step: int) -> tuple[Any, Any]:
        """Make the two views of a step, or of this process' share of it."""
        epoch, number = divmod(step, self.per_epoch)
        first = number * self._pieces
        last = len(self._loader) if number == self.per_epoch - 1 else first + self._pieces
        begin, end = self._world.share(last - first)
        pairs = [self._pair(method, epoch, first + piece) for piece in range(begin, end)]
        if self._pieces == 1 and len(pairs) == 1:
            return pairs[0]
        one, other = (Batch.from_data_list(list(side)) for side in zip(*pairs, strict=True))
        return one, other

    def _pair(self, method: Trainable, epoch: int, number: int) -> tuple[Any, Any]:
        # Told apart by their number in the whole of training, as steps are.
        place = epoch * len(self._loader) + number
        with seeds_from(derive_seed(self._seed, view=place, graph=VIEWS)):
            return method.views(self._loader.batch(epoch, number))


def make_steps(dataset: NodeData | GraphData, config: TrainConfig, world: World = ALONE) -> Steps | LoadedSteps:
    """Choose the steps that a configuration asks for."""
    if config.loader is None:
        return Steps(dataset, config, world)
    if dataset.level == "graph":
        raise ValueError(f"a loader cuts one graph of nodes, and this is a set of graphs (got {config.loader!r})")
    return LoadedSteps(dataset, config, world)

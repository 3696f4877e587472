"""`NodeLoader`: what all loaders share. Batches are made in any process, in any order, and are always the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset, Sampler
from torch_geometric.data import Batch, Data

from rlap.adapters.torch import draw_seed, seeds_from
from rlap.loader.plans import Plan
from rlap.schur import derive_seed
from rlap.schur.seeds import check_seed

Ticket = tuple[Tensor, int]  # nodes, and the seed of their batch


class Cut(Protocol):
    """Makes a small graph of some nodes of a large one."""

    def __call__(self, nodes: Tensor, seed: int) -> Any:
        """Give the graph of these nodes."""


class NodeLoader(DataLoader):
    """A `torch.utils.data.DataLoader` of small graphs.

    Every iteration is another epoch, with other nodes together and other random numbers; `set_epoch` goes to any.

    Args:
        cut: makes a graph of some nodes.
        plan: says which nodes go together.
        seed: of the batches; each has one of its own, `batch_seed(epoch, number)`.
        transform: is applied to every batch; its random numbers follow from the batch's seed.
        options: of `DataLoader`: num_workers, prefetch_factor, persistent_workers, pin_memory and so on.
    """

    def __init__(
        self, cut: Cut, plan: Plan, seed: int, transform: Callable[[Any], Any] | None = None, **options: Any
    ) -> None:
        self.seed = seed
        self._plan_of_epoch: Callable[[int], Sequence[Tensor]] = lru_cache(2)(plan)
        self._sampler = _Tickets(self._tickets, len(plan))
        # The seeds of workers come from here, so that torch's global generator is left as it is.
        options.setdefault("generator", torch.Generator().manual_seed(seed))
        # Without this flag, torch would take a graph for a collection to be stacked.
        super().__init__(_Made(cut, transform), sampler=self._sampler, batch_size=None, collate_fn=_as_it_is, **options)

    def batch(self, epoch: int, number: int) -> Any:
        """Make one batch, whatever was made before."""
        return self.dataset[self._plan_of_epoch(epoch)[number], self.batch_seed(epoch, number)]

    def batch_seed(self, epoch: int, number: int) -> int:
        """Give the seed of a batch."""
        return derive_seed(self.seed, view=epoch, graph=number + 1)

    def set_epoch(self, epoch: int) -> None:
        """Let the next iteration be this epoch; they count from 0."""
        self._sampler.epoch = epoch

    def _tickets(self, epoch: int) -> Iterator[Ticket]:
        for number, nodes in enumerate(self._plan_of_epoch(epoch)):
            yield nodes, self.batch_seed(epoch, number)


class _Tickets(Sampler):
    def __init__(self, tickets: Callable[[int], Iterator[Ticket]], count: int) -> None:
        self.tickets, self.count, self.epoch = tickets, count, 0

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Ticket]:
        # On the first ticket and not before: with workers, torch asks for two iterators and uses one.
        epoch, self.epoch = self.epoch, self.epoch + 1
        yield from self.tickets(epoch)


class _Made(Dataset):
    def __init__(self, cut: Cut, transform: Callable[[Any], Any] | None) -> None:
        self.cut, self.transform = cut, transform

    def __getitem__(self, ticket: Ticket) -> Any:
        nodes, seed = ticket
        made = self.cut(nodes, seed)
        if self.transform is None:
            return made
        with seeds_from(derive_seed(seed, view=1)):
            return self.transform(made)


def _as_it_is(batch: Any) -> Any:
    return batch


def loader_seed(seed: Any) -> int:
    """Turn a seed, a generator, or None for torch's, into a seed."""
    return check_seed(draw_seed(seed))


def check_graph(data: Any) -> Any:
    """Require one graph with nodes of one type."""
    if not isinstance(data, Data) or isinstance(data, Batch):
        raise TypeError(f"a loader takes one graph as a Data (got {type(data).__name__})")
    return data

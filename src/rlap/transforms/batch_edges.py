"""The edges of a batch, as what is done to each of its graphs wants them."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from rlap import _core
from rlap.transforms.coins import Coins


class BatchEdges:
    """The edges of a batch, graph by graph: those of graph g stand between the bounds g and g + 1.

    Example:
        >>> import numpy as np
        >>> from rlap.transforms.batch_edges import BatchEdges
        >>> from rlap.transforms.coins import Coins
        >>> pairs = np.array([[0, 2, 1, 3], [1, 3, 0, 2]])
        >>> edges = BatchEdges(pairs, None, Coins(np.array([0, 2, 4]), seed=0))
        >>> edges.index.tolist(), len(set(edges.prints()))
        ([[0, 1, 2, 3], [1, 0, 3, 2]], 1)
    """

    def __init__(self, index: NDArray[np.int64], weight: NDArray[np.float64] | None, coins: Coins) -> None:
        self.index, self.weight, self.ptr = index, weight, coins.ptr
        self._order = None
        self.bounds = np.array([0, index.shape[1]])
        if coins.graph is None:
            return
        owner = coins.graph[index[0]]
        if not (owner[1:] >= owner[:-1]).all():
            self._order = np.argsort(owner, kind="stable")
            owner, self.index = owner[self._order], index[:, self._order]
            self.weight = None if weight is None else weight[self._order]
        self.bounds = np.searchsorted(owner, np.arange(len(coins.ptr)))

    def prints(self) -> list[int]:
        """Give the fingerprints of the graphs' edges, in their own numbers."""
        alone = len(self.ptr) == 2
        local = self.index if alone else self.index - np.repeat(self.ptr[:-1], np.diff(self.bounds))
        found: list[int] = _core.fingerprints(local, self.bounds).tolist()
        return found

    def marks(self, prints: Sequence[int]) -> list[Hashable]:
        """Tell graphs apart by what they hold; `prints` are those of their edges."""
        weights = [None] * len(prints)
        if self.weight is not None:
            weights = _core.fingerprints(self.weight[None], self.bounds).tolist()
        nodes, sizes = ((ends[1:] - ends[:-1]).tolist() for ends in (self.ptr, self.bounds))
        return list(zip(nodes, sizes, prints, weights, strict=True))

    def take(self, chosen: Sequence[int]) -> BatchEdges:
        """Take some of the graphs, and number their nodes anew."""
        taken = copy.copy(self)
        nodes, sizes = np.diff(self.ptr)[chosen], np.diff(self.bounds)[chosen]
        taken.ptr, taken.bounds = (np.concatenate([[0], np.cumsum(each)]) for each in (nodes, sizes))
        place = np.arange(taken.bounds[-1]) + np.repeat(self.bounds[:-1][chosen] - taken.bounds[:-1], sizes)
        taken.index = self.index[:, place] + np.repeat(taken.ptr[:-1] - self.ptr[:-1][chosen], sizes)
        taken.weight = None if self.weight is None else self.weight[place]
        return taken

    def in_order(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Give values of the edges as these came."""
        if self._order is None:
            return values
        result = np.empty_like(values)
        result[self._order] = values
        return result

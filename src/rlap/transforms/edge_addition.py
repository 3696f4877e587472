"""`EdgeAddition`: new edges between random nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch_geometric.data.datapipes import functional_transform

from rlap.adapters.pyg import BatchRecord, Relation, add_edges
from rlap.adapters.torch import to_numpy
from rlap.schur.selection import check_fraction
from rlap.transforms.augmentation import EdgeAugmentation, on_device
from rlap.transforms.coins import Coins


@functional_transform("add_edges")
class EdgeAddition(EdgeAugmentation):
    """Add floor(p * E) undirected edges to every graph, E being how many it has.

    They are a uniform choice, without repetition, among the pairs of different nodes of the graph that have no edge;
    where fewer pairs are left, all of them. Both directions are added. A new edge has the `edge_weight` 1 and zeros for
    other edge-level attributes; old edges keep theirs, and everything else is left alone.

    Args:
        p: how many edges to add for every edge that is there, in [0, 1].
        directed: add floor(p * entries of edge_index) ordered pairs of any two nodes, which may be loops or repeat each
            other and existing edges, and may join two graphs of a batch: the paper's scripts do that before they merge
            repeated edges. A batch can then no longer be taken apart.
        seed: an integer, a generator, or None for torch's; as in `RLap`.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import EdgeAddition
        >>> path = Data(edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3)
        >>> EdgeAddition(0.5)(path).edge_index.tolist()
        [[0, 1, 1, 2, 0, 2], [1, 0, 2, 1, 2, 0]]
    """

    def __init__(self, p: float, *, directed: bool = False, seed: Any = None) -> None:
        self.p = check_fraction(p, "p")
        self.directed = directed
        self.seed = seed

    def change(self, data: Any, record: BatchRecord, relation: Relation, coins: Coins) -> None:
        """Add edges to one relation."""
        index = np.asarray(to_numpy(relation.edges.edge_index), dtype=np.int64)
        if self.directed:
            random = np.random.default_rng(coins.seed)
            count = int(self.p * index.shape[1]) if relation.num_nodes else 0
            pairs = random.integers(max(relation.num_nodes, 1), size=(2, count))
            record.forget(data)
            add_edges(record, data, relation, on_device(pairs, relation), torch.zeros(count, dtype=torch.long))
            return
        added, graph = _missing_pairs(index, self.p, coins)
        joined = on_device(np.concatenate([added, added[::-1]], axis=1), relation)
        add_edges(record, data, relation, joined, torch.from_numpy(np.concatenate([graph, graph])))


def _missing_pairs(index: NDArray[np.int64], p: float, coins: Coins) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Choose new pairs in every graph, and say in which.

    All pairs of all graphs are numbered, graph after graph, within one in the order (0,1), (0,2), (1,2), (0,3), ... A
    choice is a number among those that are missing, and is found by skipping the ones that are there.
    """
    sizes = np.diff(coins.ptr)
    base = np.concatenate([[0], np.cumsum(sizes * (sizes - 1) // 2)])
    low, high = np.minimum(*index), np.maximum(*index)
    low, high = low[low != high], high[low != high]
    owner = np.zeros(low.size, dtype=np.int64) if coins.graph is None else coins.graph[low]
    low, high = low - coins.ptr[owner], high - coins.ptr[owner]
    there = _distinct(base[owner] + high * (high - 1) // 2 + low)
    present = np.diff(np.searchsorted(there, base))
    missing = np.diff(base) - present
    count = np.minimum((p * present).astype(np.int64), missing)
    chosen = _choose(missing, count, coins)
    code = chosen + np.searchsorted(there - np.arange(there.size), chosen, side="right")
    graph = np.repeat(np.arange(sizes.size), count)
    code -= base[graph]
    upper = ((1 + np.sqrt(8.0 * code + 1)) / 2).astype(np.int64)
    upper -= upper * (upper - 1) // 2 > code  # the root may be rounded over the next whole number
    upper += (upper + 1) * upper // 2 <= code
    return np.stack([code - upper * (upper - 1) // 2, upper]) + coins.ptr[graph], graph


def _choose(missing: NDArray[np.int64], count: NDArray[np.int64], coins: Coins) -> NDArray[np.int64]:
    """Choose `count` of `missing` numbers in every graph, all numbered one after the other; sorted.

    Numbers are drawn until enough differ, or, where more than half are wanted, until enough differ to be left out.
    """
    begin = np.concatenate([[0], np.cumsum(missing)[:-1]]) if missing.size else missing
    spared = 2 * count > missing
    wanted = np.where(spared, missing - count, count)
    drawn = np.zeros_like(wanted)
    found = np.zeros(0, dtype=np.int64)
    while True:
        lacking = wanted - np.diff(np.searchsorted(found, np.append(begin, missing.sum())))
        graph = np.repeat(np.arange(lacking.size), lacking)
        if not graph.size:
            break
        within = np.arange(graph.size) - np.repeat(np.cumsum(lacking) - lacking, lacking)
        numbers = coins.of_pairs(graph, drawn[graph] + within)
        found = _distinct(np.concatenate([found, begin[graph] + (numbers * missing[graph]).astype(np.int64)]))
        drawn += lacking
    full = np.flatnonzero(spared)
    whole = np.repeat(begin[full] - (np.cumsum(missing[full]) - missing[full]), missing[full])
    whole += np.arange(whole.size)
    return np.setxor1d(found, whole, assume_unique=True)


def _distinct(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sort numbers, each once. NumPy's `unique` hashes them first, which takes thirty times as long."""
    numbers = np.sort(numbers)
    return numbers[np.concatenate([[True], numbers[1:] != numbers[:-1]])] if numbers.size else numbers

"""`EdgeDroppingDegree`, `EdgeDroppingEVC`, `EdgeDroppingPR`: edges between central nodes stay more often."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch_geometric.data.datapipes import functional_transform

from rlap.adapters.pyg import BatchRecord, Relation, keep_edges, read_ends
from rlap.centrality import centrality_of_edges
from rlap.schur.selection import check_fraction
from rlap.transforms.augmentation import EdgeAugmentation, edge_weights
from rlap.transforms.batch_edges import BatchEdges
from rlap.transforms.coins import Coins, to_keep_each
from rlap.transforms.content_cache import ContentCache, known

# The probabilities of a graph's edges before they are scaled and cut, and what comes of them then.
_RATIOS, _LEASTS = ContentCache(), ContentCache()
_FLOOR = 1e-8  # of the largest centrality, as a logarithm needs
_FLAT = 1e-9  # logarithms that differ less than this differ by rounding alone


class AdaptiveEdgeDropping(EdgeAugmentation):
    """Drop every undirected edge with a probability that falls with the centrality s of its ends.

    The probability for the edge between i and j is the paper's

        min(p * (max log s - log s_ij) / (max log s - mean log s), threshold),    s_ij = (s_i + s_j) / 2,

    with the maximum and the mean over the edges of the graph, each graph of a batch by itself. Edges that are all
    alike, as in a regular graph, have the probability min(p, threshold). A centrality below 1e-8 of the graph's
    largest counts as that. The centralities depend on the graph alone and are kept for the next call with the same
    one; in them an edge that has one direction alone counts like one that has both, and a self-loop does not. Both
    directions of an edge go together, with what is known about them; everything else is left alone.

    Args:
        p: the mean probability before the cut, in [0, 1].
        threshold: the cut, in [0, 1].
        sink_only: let s_ij = s_j for the edge from i to j, and drop each direction by itself, as the scripts do.
        seed: an integer, a generator, or None for torch's; as in `RLap`.
    """

    centrality: str

    def __init__(self, p: float, threshold: float = 0.7, *, sink_only: bool = False, seed: Any = None) -> None:
        self.p = check_fraction(p, "p")
        self.threshold = check_fraction(threshold, "threshold")
        self.sink_only = sink_only
        self.seed = seed

    def change(self, data: Any, record: BatchRecord, relation: Relation, coins: Coins) -> None:
        """Drop edges of one relation."""
        edges = relation.edges
        kept = coins.keep(edges, leasts=self._leasts(edges, coins), directed=self.sink_only)
        keep_edges(record, data, edges, kept)

    def _leasts(self, edges: Any, coins: Coins) -> NDArray[np.int64]:
        """Give the least number with which each edge stays."""
        graphs = BatchEdges(read_ends(edges), edge_weights(edges), coins)
        if coins.graph is not None:
            ratios = self._ratios(graphs, graphs.marks(graphs.prints()))
            return graphs.in_order(self._scaled(np.concatenate([*ratios, np.zeros(0)])))
        marks = graphs.marks(known(edges.edge_index, graphs.index, graphs.prints))
        key = (self._key(marks[0]), self.p, self.threshold)
        least: NDArray[np.int64] = _LEASTS.get(key, lambda: (self._scaled(self._ratios(graphs, marks)[0]),))[0]
        return least

    def _scaled(self, ratio: NDArray[np.float64]) -> NDArray[np.int64]:
        return to_keep_each(np.minimum(ratio * self.p, self.threshold))

    def _key(self, mark: Hashable) -> Hashable:
        return (self.centrality, self.sink_only, mark)

    def _ratios(self, graphs: BatchEdges, marks: Sequence[Hashable]) -> list[NDArray[np.float64]]:
        """Give the probabilities of every graph's edges before they are scaled and cut; all unknown ones at once."""
        found = [_RATIOS.find(self._key(mark)) for mark in marks]
        unknown = [graph for graph, one in enumerate(found) if one is None]
        if unknown:
            chosen = graphs if len(unknown) == len(found) else graphs.take(unknown)
            made = np.split(self._measure(chosen), chosen.bounds[1:-1])
            for graph, ratio in zip(unknown, made, strict=True):
                found[graph] = _RATIOS.put(self._key(marks[graph]), (ratio.copy(),))
        return [one[0] for one in found if one is not None]

    def _measure(self, graphs: BatchEdges) -> NDArray[np.float64]:
        if not graphs.index.size:
            return np.zeros(0)
        score = centrality_of_edges(
            graphs.index,
            None if self.centrality == "degree" else graphs.weight,
            num_nodes=int(graphs.ptr[-1]),
            kind=self.centrality,
            ptr=graphs.ptr,
            symmetrize=True,
        )
        sizes = np.diff(graphs.bounds)
        logs = score[graphs.index[1]]
        if not self.sink_only:
            logs += score[graphs.index[0]]
            logs /= 2
        np.maximum(logs, np.repeat(_FLOOR * _highest(score, graphs.ptr), sizes), out=logs)
        np.log(logs, out=logs)
        # Of graphs with edges, one after the other: a sum over a graph is the same in a batch and alone.
        some = sizes > 0
        begin, sizes = graphs.bounds[:-1][some], sizes[some]
        top = np.maximum.reduceat(logs, begin)
        gap = top - np.add.reduceat(logs, begin) / sizes
        flat = gap <= _FLAT
        gap[flat] = 1.0
        ratio: NDArray[np.float64] = np.subtract(np.repeat(top, sizes), logs, out=logs)
        ratio /= np.repeat(gap, sizes)
        if flat.any():
            ratio[np.repeat(flat, sizes)] = 1.0
        return ratio


def _highest(score: NDArray[np.float64], ptr: NDArray[np.int64]) -> NDArray[np.float64]:
    """Give the largest score of every graph, 0 for one without nodes."""
    found = np.zeros(len(ptr) - 1)
    some = np.diff(ptr) > 0
    found[some] = np.maximum.reduceat(score, ptr[:-1][some])
    return found


@functional_transform("drop_edges_by_degree")
class EdgeDroppingDegree(AdaptiveEdgeDropping):
    """`AdaptiveEdgeDropping` by the number of edges that nodes have.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import EdgeDroppingDegree
        >>> cycle = Data(edge_index=torch.tensor([[0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2]]), num_nodes=3)
        >>> EdgeDroppingDegree(0.3, seed=1)(cycle).is_undirected()
        True
    """

    centrality = "degree"


@functional_transform("drop_edges_by_eigenvector")
class EdgeDroppingEVC(AdaptiveEdgeDropping):
    """`AdaptiveEdgeDropping` by the leading eigenvector of the (weighted) adjacency matrix.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import EdgeDroppingEVC
        >>> path = Data(edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3)
        >>> EdgeDroppingEVC(1.0, threshold=1.0)(path).num_edges
        0
    """

    centrality = "eigenvector"


@functional_transform("drop_edges_by_pagerank")
class EdgeDroppingPR(AdaptiveEdgeDropping):
    """`AdaptiveEdgeDropping` by the PageRank with damping 0.85, on the (weighted) graph.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import EdgeDroppingPR
        >>> path = Data(edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3)
        >>> EdgeDroppingPR(0.0)(path).num_edges
        4
    """

    centrality = "pagerank"

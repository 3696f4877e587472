"""`EdgeDroppingDegree`, `EdgeDroppingEVC`, `EdgeDroppingPR`: edges between central nodes stay more often."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch_geometric.data.datapipes import functional_transform

from rlap.adapters.pyg import BatchRecord, Relation, keep_edges, read_ends
from rlap.centrality import centrality_of_edges
from rlap.schur.selection import check_fraction
from rlap.transforms.augmentation import EdgeAugmentation, edge_weights
from rlap.transforms.coins import Coins, to_keep_each
from rlap.transforms.content_cache import ContentCache, content, known_content

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
        index = read_ends(edges)
        weight = edge_weights(edges)
        if coins.graph is None:
            held = (known_content(edges.edge_index, index), content(weight))
            return self._least(held, index, weight, int(coins.ptr[-1]))
        owner = coins.graph[index[0]]
        order = None if (owner[1:] >= owner[:-1]).all() else np.argsort(owner, kind="stable")
        if order is not None:
            index, owner = index[:, order], owner[order]
            weight = None if weight is None else weight[order]
        bounds = np.searchsorted(owner, np.arange(len(coins.ptr)))
        result = np.empty(index.shape[1], dtype=np.int64)
        for graph in range(len(coins.ptr) - 1):
            part = slice(bounds[graph], bounds[graph + 1])
            first, last = coins.ptr[graph : graph + 2]
            ends = index[:, part] - first
            one = None if weight is None else weight[part]
            where = part if order is None else order[part]
            result[where] = self._least((content(ends), content(one)), ends, one, int(last - first))
        return result

    def _least(self, held: Hashable, index: NDArray[np.int64], weight: Any, num_nodes: int) -> NDArray[np.int64]:
        key = (self.centrality, self.sink_only, num_nodes, held)

        def make() -> tuple[NDArray[np.int64]]:
            (ratio,) = _RATIOS.get(key, lambda: (self._measure(index, weight, num_nodes),))
            return (to_keep_each(np.minimum(ratio * self.p, self.threshold)),)

        (least,) = _LEASTS.get((key, self.p, self.threshold), make)
        return least

    def _measure(self, index: NDArray[np.int64], weight: Any, num_nodes: int) -> NDArray[np.float64]:
        if not index.size:
            return np.zeros(0)
        if self.centrality == "degree":
            weight = None
        score = centrality_of_edges(index, weight, num_nodes=num_nodes, kind=self.centrality, symmetrize=True)
        score = np.log(np.maximum(score, _FLOOR * score.max()))[index[1]] if self.sink_only else _mean_log(score, index)
        top, mean = score.max(), score.mean()
        if top - mean <= _FLAT:
            return np.ones(len(score))
        ratio: NDArray[np.float64] = (top - score) / (top - mean)
        return ratio


def _mean_log(score: NDArray[np.float64], index: NDArray[np.int64]) -> NDArray[np.float64]:
    logs: NDArray[np.float64] = np.log(np.maximum((score[index[0]] + score[index[1]]) / 2, _FLOOR * score.max()))
    return logs


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

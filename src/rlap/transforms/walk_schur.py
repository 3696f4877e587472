"""`WalkSchur`: the unbiased estimate of a Schur complement, by terminal random walks."""

from __future__ import annotations

from typing import Any

from torch_geometric.data.datapipes import functional_transform

from rlap.transforms.rlap import RLap


@functional_transform("walk_schur")
class WalkSchur(RLap):
    """Replace a graph by an unbiased estimate of its Schur complement, as `rlap.walk_schur` defines it.

    From both ends of every edge a random walk goes on to the first node that stays; the two nodes reached get an edge
    whose resistance is that of the whole path. Unlike `RLap`, the mean of the result is exactly the Schur complement
    onto the nodes that stay. These are a random choice. A connected graph may fall apart. Everything else is as
    in `RLap`.

    Args:
        fraction: the share of nodes to eliminate, in [0, 1].
        weighted: store the new weights.
        relabel: drop the eliminated nodes and number the others anew.
        symmetrize: make a directed graph undirected first; without, it is an error.
        seed: an integer, a generator, or None for torch's; as in `RLap`.
        num_threads: threads for the graphs of a batch, or within a large one, as in `rlap.schur_view`; 0 means all. It
            does not change the result.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import WalkSchur
        >>> edge = Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=2)
        >>> WalkSchur(0.0, seed=0)(edge).edge_weight.tolist()
        [1.0, 1.0]
    """

    def __init__(
        self,
        fraction: float,
        *,
        weighted: bool = True,
        relabel: bool = False,
        symmetrize: bool = False,
        seed: Any = None,
        num_threads: int = 0,
    ) -> None:
        super().__init__(
            fraction,
            method="walks",
            weighted=weighted,
            relabel=relabel,
            symmetrize=symmetrize,
            seed=seed,
            num_threads=num_threads,
        )

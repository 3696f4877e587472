"""`VertexCoarsening`: the star of an eliminated node becomes a star about one of its neighbours."""

from __future__ import annotations

from typing import Any, Literal

from torch_geometric.data.datapipes import functional_transform

from rlap.transforms.rlap import RLap


@functional_transform("coarsen_vertices")
class VertexCoarsening(RLap):
    """Replace a graph by a vertex coarsening of it, as `rlap.vertex_coarsening` defines it.

    An eliminated node picks one neighbour u with a probability proportional to the weight w_u of the edge to it, and
    u gets an edge to every other neighbour v, with the weight w_u w_v / (w_u + w_v). Nodes go by minimum degree.
    Everything else is as in `RLap`.

    Args:
        fraction: the share of nodes to eliminate, in [0, 1].
        node_order: "degree" or "random".
        weighted: store the new weights.
        relabel: drop the eliminated nodes and number the others anew.
        symmetrize: make a directed graph undirected first; without, it is an error.
        seed: an integer, a generator, or None for torch's; as in `RLap`.
        num_threads: threads for the graphs of a batch, or within a large one, as in `rlap.schur_view`; 0 means all. It
            does not change the result.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import VertexCoarsening
        >>> path = Data(edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3)
        >>> VertexCoarsening(0.4, relabel=True, seed=0)(path).edge_index.tolist()
        [[0, 1], [1, 0]]
    """

    def __init__(
        self,
        fraction: float,
        *,
        node_order: Literal["random", "degree"] = "degree",
        weighted: bool = True,
        relabel: bool = False,
        symmetrize: bool = False,
        seed: Any = None,
        num_threads: int = 0,
    ) -> None:
        super().__init__(
            fraction,
            node_order,
            method="coarsening",
            weighted=weighted,
            relabel=relabel,
            symmetrize=symmetrize,
            seed=seed,
            num_threads=num_threads,
        )

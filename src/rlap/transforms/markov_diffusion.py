"""`MarkovDiffusion`: the mean of the first steps of a random walk instead of the edges."""

from __future__ import annotations

from typing import Literal

from torch_geometric.data.datapipes import functional_transform

from rlap.diffusion import Markov
from rlap.transforms.diffusion import Diffusion


@functional_transform("diffuse_markov")
class MarkovDiffusion(Diffusion):
    """Replace a graph by S = 1/K sum_{i=1..K} (alpha I + (1 - alpha) T^i), entries below eps left out.

    Edge (i, j) has the weight S_ij; the diagonal is among the edges. Every graph of a batch is diffused on its own, and
    no dense matrix is built. A graph that was diffused before, recognised by its content, is not diffused again.

    Args:
        alpha: the weight of the identity, between 0 and 1.
        K: the number of steps. The paper's text has 10, its scripts 16.
        eps: entries below are not kept.
        tol: the largest error of an entry; None means eps / 10.
        transition: "random-walk", T = A D^-1, or "symmetric", T = D^-1/2 A D^-1/2. The paper's scripts have the
            symmetric one with self-loops.
        self_loops: add an edge of weight 1 from every node to itself first.
        num_threads: 0 means all. It does not change the result.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import MarkovDiffusion
        >>> pair = Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=2)
        >>> MarkovDiffusion(alpha=0.2, K=2)(pair).num_edges
        4
    """

    def __init__(
        self,
        alpha: float = 0.2,
        K: int = 10,
        eps: float = 1e-4,
        *,
        tol: float | None = None,
        transition: Literal["random-walk", "symmetric"] = "random-walk",
        self_loops: bool = False,
        num_threads: int = 0,
    ) -> None:
        series = Markov(alpha, K)
        super().__init__(series, eps, tol, transition, self_loops, num_threads)
        self.alpha = series.alpha
        self.K = series.steps

"""`PPRDiffusion`: personalised PageRank instead of the edges."""

from __future__ import annotations

from typing import Literal

from torch_geometric.data.datapipes import functional_transform

from rlap.diffusion import PPR
from rlap.transforms.diffusion import Diffusion


@functional_transform("diffuse_ppr")
class PPRDiffusion(Diffusion):
    """Replace a graph by S = alpha (I - (1 - alpha) T)^-1, with the entries below eps left out (Klicpera et al. 2019).

    Edge (i, j) has the weight S_ij; the diagonal is among the edges. Every graph of a batch is diffused on its own, and
    no dense matrix is built. A graph that was diffused before, recognised by its content, is not diffused again.

    Args:
        alpha: the probability of a return, between 0 and 1.
        eps: entries below are not kept.
        tol: the largest error of an entry; None means eps / 10.
        transition: "random-walk", T = A D^-1, or "symmetric", T = D^-1/2 A D^-1/2. The paper's scripts have the
            symmetric one with self-loops.
        self_loops: add an edge of weight 1 from every node to itself first.
        num_threads: 0 means all. It does not change the result.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import PPRDiffusion
        >>> pair = Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=2)
        >>> [round(weight, 4) for weight in PPRDiffusion(alpha=0.2)(pair).edge_weight.tolist()]
        [0.5556, 0.4444, 0.4444, 0.5556]
    """

    def __init__(
        self,
        alpha: float = 0.2,
        eps: float = 1e-4,
        *,
        tol: float | None = None,
        transition: Literal["random-walk", "symmetric"] = "random-walk",
        self_loops: bool = False,
        num_threads: int = 0,
    ) -> None:
        series = PPR(alpha)
        super().__init__(series, eps, tol, transition, self_loops, num_threads)
        self.alpha = series.alpha

"""`HeatDiffusion`: the heat kernel instead of the edges."""

from __future__ import annotations

from typing import Literal

from torch_geometric.data.datapipes import functional_transform

from rlap.diffusion import Heat
from rlap.transforms.diffusion import Diffusion


@functional_transform("diffuse_heat")
class HeatDiffusion(Diffusion):
    """Replace a graph by the heat kernel S = exp(t T - t I), with the entries below eps left out.

    Edge (i, j) has the weight S_ij; the diagonal is among the edges. Every graph of a batch is diffused on its own, and
    no dense matrix is built. A graph that was diffused before, recognised by its content, is not diffused again.

    Args:
        t: the time of diffusion, positive.
        eps: entries below are not kept.
        tol: the largest error of an entry; None means eps / 10.
        transition: "random-walk", T = A D^-1, or "symmetric", T = D^-1/2 A D^-1/2.
        self_loops: add an edge of weight 1 from every node to itself first.
        num_threads: 0 means all. It does not change the result.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import HeatDiffusion
        >>> pair = Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=2)
        >>> HeatDiffusion(1.0)(pair).num_edges
        4
    """

    def __init__(
        self,
        t: float,
        eps: float = 1e-4,
        *,
        tol: float | None = None,
        transition: Literal["random-walk", "symmetric"] = "random-walk",
        self_loops: bool = False,
        num_threads: int = 0,
    ) -> None:
        series = Heat(t)
        super().__init__(series, eps, tol, transition, self_loops, num_threads)
        self.t = series.t

"""`GlobalGlobal`: graphs against graphs."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from rlap.contrast.mode import Mode
from rlap.contrast.pairs import Rows
from rlap.contrast.side import Side, given


class GlobalGlobal(Mode):
    """A graph and itself in the other view are a positive pair; it and any other graph of the batch a negative one.

    Example:
        >>> import torch
        >>> from rlap.contrast import GlobalGlobal, Side
        >>> from rlap.losses import VICReg
        >>> one, other = (Side(graphs=torch.randn(5, 3)) for _ in range(2))
        >>> GlobalGlobal()(VICReg(), one, other).shape
        torch.Size([])
    """

    name = "g-g"
    uses_nodes = False
    uses_graphs = True

    def contrasts(self, one: Side, other: Side, *, targets: bool = False) -> list[Rows]:
        """Match the graphs of both views."""
        if targets:
            pairs = (one.graphs, other.target_graphs), (other.graphs, one.target_graphs)
            return [Rows(given(mine, "graphs"), given(theirs, "graphs of the target")) for mine, theirs in pairs]
        return [Rows(given(one.graphs, "graphs"), given(other.graphs, "graphs"))]

    def __call__(self, objective: Any, one: Side, other: Side) -> Tensor:
        """Contrast, if there is more than one graph or the objective needs no other."""
        count = len(given(one.graphs, "graphs"))
        if count < 2 and not getattr(objective, "bootstraps", False):
            raise ValueError(f"the mode g-g needs at least two graphs in a batch to compare them (got {count})")
        return super().__call__(objective, one, other)

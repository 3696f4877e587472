"""What the three modes share: contrasts are listed, then an objective is applied to each."""

from __future__ import annotations

from typing import Any, ClassVar

import torch
from torch import Tensor

from rlap.contrast.pairs import Groups, Rows
from rlap.contrast.side import Side


class Mode:
    """Says which embeddings of two views are contrasted."""

    name: ClassVar[str]
    uses_nodes: ClassVar[bool]
    uses_graphs: ClassVar[bool]

    def check(self, objective: Any) -> None:
        """Refuse an objective that makes no sense in this mode, with the reason."""

    def contrasts(self, one: Side, other: Side, *, targets: bool = False) -> list[Rows] | list[Groups]:
        """List the contrasts; with `targets`, of predictions with the slower copy's embeddings."""
        raise NotImplementedError

    def wants_noise(self, objective: Any, num_graphs: int) -> bool:
        """Say whether negatives must be made from shuffled features."""
        return False

    def __call__(self, objective: Any, one: Side, other: Side) -> Tensor:
        """Give the mean of the objective over the contrasts."""
        self.check(objective)
        losses = []
        for pairs in self.contrasts(one, other, targets=getattr(objective, "bootstraps", False)):
            if isinstance(pairs, Rows):
                losses.append(objective(pairs.first, pairs.second))
            else:
                losses.append(objective.grouped(pairs.anchors, pairs.samples, pairs.owner, pairs.noise))
        return torch.stack(losses).mean()

    def __repr__(self) -> str:
        """Show the name."""
        return f"{type(self).__name__}()"

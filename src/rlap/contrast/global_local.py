"""`GlobalLocal`: graphs against nodes."""

from __future__ import annotations

from typing import Any

import torch

from rlap.contrast.mode import Mode
from rlap.contrast.pairs import Groups
from rlap.contrast.side import Side, given


class GlobalLocal(Mode):
    """A graph in one view and each of its nodes in the other view are a positive pair.

    In a batch, a graph and a node of another graph are a negative pair. A graph that is alone has noise for negatives:
    its nodes in the other view, with shuffled features.

    Example:
        >>> import torch
        >>> from rlap.contrast import GlobalLocal, Side
        >>> from rlap.losses import JSD
        >>> owner = torch.tensor([0, 0, 1])
        >>> one, other = (Side(torch.randn(3, 4), torch.randn(2, 4), owner) for _ in range(2))
        >>> GlobalLocal()(JSD(), one, other).shape
        torch.Size([])
    """

    name = "g-l"
    uses_nodes = True
    uses_graphs = True

    def check(self, objective: Any) -> None:
        """Refuse objectives that need matching rows."""
        if objective.refuses is not None:
            raise ValueError(f"the mode g-l makes no sense with this objective: {objective.refuses}")

    def wants_noise(self, objective: Any, num_graphs: int) -> bool:
        """Ask for noise where there is no other graph."""
        return num_graphs == 1 and bool(objective.uses_negatives)

    def contrasts(self, one: Side, other: Side, *, targets: bool = False) -> list[Groups]:
        """Take the graphs of one view, the nodes of the other, and the reverse."""
        return [_groups(one, other, targets), _groups(other, one, targets)]


def _groups(whole: Side, parts: Side, targets: bool) -> Groups:
    graphs = given(whole.target_graphs if targets else whole.graphs, "graphs")
    nodes = given(parts.nodes, "nodes")
    owner = parts.owner
    if owner is None:
        owner = torch.zeros(len(nodes), dtype=torch.long, device=nodes.device)
    return Groups(graphs, nodes, owner, None if parts.noise is None else (parts.noise, owner))

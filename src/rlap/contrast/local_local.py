"""`LocalLocal`: nodes against nodes."""

from __future__ import annotations

import torch
from torch import Tensor

from rlap.contrast.mode import Mode
from rlap.contrast.pairs import Rows
from rlap.contrast.side import Side, given


class LocalLocal(Mode):
    """A node and itself in the other view are a positive pair; it and any other node of the other view a negative one.

    Nodes of other graphs of a batch are other nodes. Only nodes that both views have left take part.

    Example:
        >>> import torch
        >>> from rlap.contrast import LocalLocal, Side
        >>> from rlap.losses import InfoNCE
        >>> one, other = (Side(nodes=torch.randn(5, 3)) for _ in range(2))
        >>> LocalLocal()(InfoNCE(), one, other).shape
        torch.Size([])
    """

    name = "l-l"
    uses_nodes = True
    uses_graphs = False

    def contrasts(self, one: Side, other: Side, *, targets: bool = False) -> list[Rows]:
        """Match the nodes of both views."""
        mine, theirs = common(one.ids, other.ids)
        if targets:
            prediction, target = given(one.nodes, "nodes"), given(other.target_nodes, "nodes of the target")
            back, forth = given(other.nodes, "nodes"), given(one.target_nodes, "nodes of the target")
            return [Rows(_take(prediction, mine), _take(target, theirs)), Rows(_take(back, theirs), _take(forth, mine))]
        return [Rows(_take(given(one.nodes, "nodes"), mine), _take(given(other.nodes, "nodes"), theirs))]


def common(mine: Tensor | None, theirs: Tensor | None) -> tuple[Tensor | None, Tensor | None]:
    """Give the places, in both lists, of the nodes that are in both; None stands for a list of all."""
    if mine is None or theirs is None:
        # A list of all has every node at its own place.
        return (theirs, None) if mine is None else (None, mine)
    size = 1 + max(int(ids[-1]) if len(ids) else 0 for ids in (mine, theirs))
    masks = [torch.zeros(size, dtype=torch.bool, device=ids.device).index_fill_(0, ids, True) for ids in (mine, theirs)]
    if not bool((masks[0] & masks[1]).any()):
        raise ValueError(f"both views must have a node in common (got none, of {len(mine)} and {len(theirs)})")
    return masks[1][mine].nonzero()[:, 0], masks[0][theirs].nonzero()[:, 0]


def _take(rows: Tensor, places: Tensor | None) -> Tensor:
    return rows if places is None else rows[places]

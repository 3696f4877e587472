"""`Side`: what one view brings to a contrast."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class Side:
    """The embeddings of one view that a mode asks for; what it does not ask for is None.

    Nodes that the view has dropped are not among them.

    Args:
        nodes: of the shape (nodes left, width).
        graphs: of the shape (graphs, width).
        owner: the graph of every node.
        ids: which nodes of the whole graph are left, in rising order; None means all.
        noise: embeddings of the nodes with the features of others.
        target_nodes: `nodes` as the slower copy of the network sees them.
        target_graphs: `graphs` as the slower copy sees them.
    """

    nodes: Tensor | None = None
    graphs: Tensor | None = None
    owner: Tensor | None = None
    ids: Tensor | None = None
    noise: Tensor | None = None
    target_nodes: Tensor | None = None
    target_graphs: Tensor | None = None


def given(value: Tensor | None, what: str) -> Tensor:
    """Refuse what is missing."""
    if value is None:
        raise ValueError(f"this contrast needs {what} (got None)")
    return value

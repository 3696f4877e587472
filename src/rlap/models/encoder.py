"""What all encoders share: features meet the first weights, then edges are followed."""

from __future__ import annotations

from torch import Tensor, nn

from rlap.models.propagation import Propagation


class Encoder(nn.Module):
    """Node embeddings in two steps: `lift` the features, then call with what was lifted and the edges.

    The first weights come before the first edges, which gives the same result as after them. So features may stay
    sparse, those of wide inputs are sent along edges when they are narrow already, and shuffling the features of nodes,
    as negatives need it, is shuffling what was lifted.
    """

    in_features: int
    out_features: int

    def lift(self, x: Tensor, nodes: Tensor | None = None) -> Tensor:
        """Multiply features with the first weights, and take the rows of these nodes."""
        raise NotImplementedError

    def propagation(self, edge_index: Tensor, edge_weight: Tensor | None, num_nodes: int) -> Propagation:
        """Give the matrix that sends features along edges as this encoder does."""
        raise NotImplementedError

    def forward(self, lifted: Tensor, propagation: Propagation) -> Tensor:
        """Embed all nodes."""
        raise NotImplementedError

    def embed(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        """Do both steps."""
        embedded: Tensor = self(self.lift(x), self.propagation(edge_index, edge_weight, x.shape[0]))
        return embedded


def check_sizes(**sizes: int) -> None:
    """Refuse sizes below 1."""
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} must be at least 1 (got {size})")

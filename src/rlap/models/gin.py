"""`GIN`: graph isomorphism network."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn

from rlap.models.dropout import Dropout
from rlap.models.encoder import Encoder, check_sizes
from rlap.models.features import lift
from rlap.models.prelu import PReLU
from rlap.models.propagation import Propagation, gin_propagation


class GIN(Encoder):
    """Layers of MLP(h_i + sum of w_ij h_j over the neighbours j) (Xu et al. 2019), the MLP being Linear-ReLU-Linear.

    Args:
        in_features: width of the features.
        hidden: width of all layers.
        layers: how many.
        activation: after every layer, "relu", or "prelu" with one slope that all share.
        norm: batch norm after "each" activation, or after the "last" one alone.
        dropout: the share of entries that is dropped in training, after every activation.
        jump: give the outputs of all layers side by side, not that of the last.

    Example:
        >>> import torch
        >>> from rlap.models import GIN
        >>> GIN(3, 8, jump=True).embed(torch.eye(3), torch.tensor([[0, 1], [1, 0]])).shape
        torch.Size([3, 16])
    """

    def __init__(
        self,
        in_features: int,
        hidden: int,
        layers: int = 2,
        *,
        activation: Literal["relu", "prelu"] = "relu",
        norm: Literal["each", "last"] = "each",
        dropout: float = 0.0,
        jump: bool = False,
    ) -> None:
        super().__init__()
        check_sizes(in_features=in_features, hidden=hidden, layers=layers)
        if activation not in ("relu", "prelu"):
            raise ValueError(f'activation must be "relu" or "prelu" (got {activation!r})')
        if norm not in ("each", "last"):
            raise ValueError(f'norm must be "each" or "last" (got {norm!r})')
        self.in_features, self.out_features = in_features, hidden * layers if jump else hidden
        widths = [in_features] + [hidden] * (layers - 1)
        self.inner = nn.ModuleList([nn.Linear(width, hidden) for width in widths])
        self.outer = nn.ModuleList([nn.Linear(hidden, hidden) for _ in widths])
        normed = [norm == "each" or layer == layers - 1 for layer in range(layers)]
        self.norms = nn.ModuleList([nn.BatchNorm1d(hidden) if here else nn.Identity() for here in normed])
        self.activation = nn.ReLU() if activation == "relu" else PReLU()
        self.dropout = Dropout(dropout)
        self.jump = jump

    def lift(self, x: Tensor, nodes: Tensor | None = None) -> Tensor:
        """Multiply features with the first weights, and take the rows of these nodes."""
        return lift(x, self.inner[0].weight.t(), nodes)

    def propagation(self, edge_index: Tensor, edge_weight: Tensor | None, num_nodes: int) -> Propagation:
        """Give the adjacency matrix with ones added to its diagonal."""
        return gin_propagation(edge_index, edge_weight, num_nodes, self.inner[0].weight.dtype)

    def forward(self, lifted: Tensor, propagation: Propagation) -> Tensor:
        """Embed all nodes."""
        hidden, outputs = lifted, []
        for layer, (inner, outer, norm) in enumerate(zip(self.inner, self.outer, self.norms, strict=True)):
            if layer:
                hidden = hidden @ inner.weight.t()
            hidden = outer(torch.relu(propagation(hidden) + inner.bias))
            hidden = norm(self.dropout(self.activation(hidden)))
            if self.jump and hidden.requires_grad:
                # What comes back from below is a slice of wider rows, and batch norm is slow on such.
                hidden.register_hook(Tensor.contiguous)
            outputs.append(hidden)
        return torch.cat(outputs, dim=1) if self.jump else hidden

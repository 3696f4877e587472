"""`GCN`: graph convolutions of Kipf and Welling."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from rlap.models.encoder import Encoder, check_sizes
from rlap.models.features import lift
from rlap.models.prelu import PReLU
from rlap.models.propagation import Propagation, gcn_propagation


class GCN(Encoder):
    """Layers of D^-1/2 (A + I) D^-1/2 H W + b (Kipf and Welling 2017), each followed by one PReLU that all share.

    Weights start as Glorot and Bengio 2010 have it, biases at zero.

    Args:
        in_features: width of the features.
        hidden: width of all layers.
        layers: how many.
        slopes: let the PReLU have a slope for every coordinate, as MVGRL does, not one for all, as GRACE.
        norm: normalise every layer over the nodes before the PReLU (batch norm), as BGRL does.

    Example:
        >>> import torch
        >>> from rlap.models import GCN
        >>> GCN(3, 8).embed(torch.eye(3), torch.tensor([[0, 1], [1, 0]])).shape
        torch.Size([3, 8])
    """

    def __init__(
        self, in_features: int, hidden: int, layers: int = 2, *, slopes: bool = False, norm: bool = False
    ) -> None:
        super().__init__()
        check_sizes(in_features=in_features, hidden=hidden, layers=layers)
        self.in_features, self.out_features = in_features, hidden
        widths = [in_features] + [hidden] * (layers - 1)
        self.weights = nn.ParameterList([nn.init.xavier_uniform_(torch.empty(width, hidden)) for width in widths])
        self.biases = nn.ParameterList([torch.zeros(hidden) for _ in widths])
        self.norms = nn.ModuleList([nn.BatchNorm1d(hidden) if norm else nn.Identity() for _ in widths])
        self.activation = PReLU(hidden if slopes else 1)

    def lift(self, x: Tensor, nodes: Tensor | None = None) -> Tensor:
        """Multiply features with the first weights, and take the rows of these nodes."""
        return lift(x, self.weights[0], nodes)

    def propagation(self, edge_index: Tensor, edge_weight: Tensor | None, num_nodes: int) -> Propagation:
        """Give the normalised adjacency matrix."""
        return gcn_propagation(edge_index, edge_weight, num_nodes, self.weights[0].dtype)

    def forward(self, lifted: Tensor, propagation: Propagation) -> Tensor:
        """Embed all nodes."""
        hidden = lifted
        for layer, (weight, bias, norm) in enumerate(zip(self.weights, self.biases, self.norms, strict=True)):
            if layer:
                hidden = hidden @ weight
            hidden = self.activation(norm(propagation(hidden) + bias))
        return hidden

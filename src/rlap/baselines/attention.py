"""Graph attention (Velickovic et al. 2018), for features that may be sparse."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, elu, leaky_relu
from torch_geometric.utils import softmax

from rlap.baselines.convolution import drop_entries
from rlap.models import lift

_SLOPE = 0.2


class Attentions(nn.Module):
    """Two layers of attention over neighbours and the node itself: some heads side by side, ELU, then one head.

    PyG's layer is the same, but takes no sparse features, and bags of words are wide.

    Example:
        >>> Attentions(3, 4, 2, heads=2)(torch.eye(3), torch.tensor([[0, 1], [1, 0]])).shape
        torch.Size([3, 2])
    """

    def __init__(self, in_features: int, hidden: int, out_features: int, heads: int = 8, drop: float = 0.0) -> None:
        super().__init__()
        self.first = nn.Parameter(nn.init.xavier_uniform_(torch.empty(in_features, heads * hidden)))
        self.second = nn.Parameter(nn.init.xavier_uniform_(torch.empty(heads * hidden, out_features)))
        self.first_scores = nn.Parameter(nn.init.xavier_uniform_(torch.empty(2, heads, hidden)))
        self.second_scores = nn.Parameter(nn.init.xavier_uniform_(torch.empty(2, 1, out_features)))
        self.first_bias = nn.Parameter(torch.zeros(heads * hidden))
        self.second_bias = nn.Parameter(torch.zeros(out_features))
        self.heads, self.drop = heads, drop

    def forward(self, x: Tensor, edge_index: Tensor) -> Tensor:
        """Give the outputs of all nodes."""
        nodes = torch.arange(x.shape[0], device=edge_index.device)
        ends = torch.cat([edge_index, torch.stack([nodes, nodes])], dim=1)
        hidden = lift(drop_entries(x, self.drop, self.training), self.first)
        hidden = elu(self._attend(hidden, ends, self.first_scores, self.heads) + self.first_bias)
        hidden = dropout(hidden, self.drop, self.training) @ self.second
        return self._attend(hidden, ends, self.second_scores, 1) + self.second_bias

    def _attend(self, lifted: Tensor, ends: Tensor, scores: Tensor, heads: int) -> Tensor:
        source, target = ends
        values = lifted.view(len(lifted), heads, -1)
        asks, answers = ((values * one).sum(dim=2) for one in scores)
        weight = softmax(leaky_relu(asks[source] + answers[target], _SLOPE), target, num_nodes=len(lifted))
        weight = dropout(weight, self.drop, self.training)
        sent = torch.zeros_like(values).index_add(0, target, weight[:, :, None] * values[source])
        return sent.reshape(len(lifted), -1)

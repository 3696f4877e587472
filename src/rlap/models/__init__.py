"""Encoders and what stands around them: GCN, GIN, heads, pooling, the slower copy of a network.

Example:
    >>> import torch
    >>> from rlap.models import GCN, pool
    >>> nodes = GCN(4, 16).embed(torch.randn(3, 4), torch.tensor([[0, 1], [1, 0]]), torch.tensor([0.5, 0.5]))
    >>> pool(nodes).shape
    torch.Size([1, 16])
"""

from rlap.models.csr import csr_matrix
from rlap.models.dropout import Dropout
from rlap.models.ema import Target
from rlap.models.encoder import Encoder
from rlap.models.features import lift, sparse_features
from rlap.models.gcn import GCN
from rlap.models.gin import GIN
from rlap.models.heads import normed_head, projector, summary_head
from rlap.models.pooling import pool
from rlap.models.prelu import PReLU
from rlap.models.propagation import Propagation, gcn_propagation, gin_propagation

__all__ = [
    "GCN",
    "GIN",
    "Dropout",
    "Encoder",
    "PReLU",
    "Propagation",
    "Target",
    "csr_matrix",
    "gcn_propagation",
    "gin_propagation",
    "lift",
    "normed_head",
    "pool",
    "projector",
    "sparse_features",
    "summary_head",
]

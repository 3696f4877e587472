"""Designs of contrastive learning: GRACE, MVGRL, GraphCL, BGRL and DGI as configurations of one blueprint.

Example:
    >>> import torch
    >>> from torch_geometric.data import Data
    >>> from rlap.methods import MethodConfig, build
    >>> graph = Data(x=torch.randn(4, 3), edge_index=torch.tensor([[0, 1, 2, 3], [1, 0, 3, 2]]))
    >>> method = build(MethodConfig("grace", augmentor="EdgeDropping", hidden=8), in_features=3)
    >>> method(*method.views(graph)).backward()
    >>> method.embed(graph).shape
    torch.Size([4, 8])
"""

from rlap.methods.blueprint import Blueprint
from rlap.methods.config import MethodConfig
from rlap.methods.registry import build, level, names

__all__ = ["Blueprint", "MethodConfig", "build", "level", "names"]

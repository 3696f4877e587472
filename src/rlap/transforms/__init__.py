"""Augmentations as PyTorch Geometric transforms, to be composed with PyG's own.

Example:
    >>> import rlap.transforms as T
    >>> T.Compose([T.RLap(0.5), T.FeatureMasking(0.3)])
    Compose([
      RLap(fraction=0.5),
      FeatureMasking(p=0.3)
    ])
"""

from torch_geometric.transforms import Compose

from rlap.transforms.edge_dropping import EdgeDropping
from rlap.transforms.feature_masking import FeatureMasking
from rlap.transforms.identity import Identity
from rlap.transforms.node_dropping import NodeDropping
from rlap.transforms.rlap import RLap
from rlap.transforms.vertex_coarsening import VertexCoarsening
from rlap.transforms.walk_schur import WalkSchur

__all__ = [
    "Compose",
    "EdgeDropping",
    "FeatureMasking",
    "Identity",
    "NodeDropping",
    "RLap",
    "VertexCoarsening",
    "WalkSchur",
]

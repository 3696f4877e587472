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

from rlap.transforms.adaptive_edge_dropping import EdgeDroppingDegree, EdgeDroppingEVC, EdgeDroppingPR
from rlap.transforms.edge_addition import EdgeAddition
from rlap.transforms.edge_dropping import EdgeDropping
from rlap.transforms.feature_masking import FeatureMasking
from rlap.transforms.heat_diffusion import HeatDiffusion
from rlap.transforms.identity import Identity
from rlap.transforms.markov_diffusion import MarkovDiffusion
from rlap.transforms.node_dropping import NodeDropping
from rlap.transforms.ppr_diffusion import PPRDiffusion
from rlap.transforms.ppr_subgraph import PPRSubgraph
from rlap.transforms.random_choice import RandomChoice
from rlap.transforms.random_walk_subgraph import RandomWalkSubgraph
from rlap.transforms.registry import get, names
from rlap.transforms.rlap import RLap
from rlap.transforms.rlap_ppr import RLapPPR
from rlap.transforms.two_views import TwoViews
from rlap.transforms.vertex_coarsening import VertexCoarsening
from rlap.transforms.walk_schur import WalkSchur

__all__ = [
    "Compose",
    "EdgeAddition",
    "EdgeDropping",
    "EdgeDroppingDegree",
    "EdgeDroppingEVC",
    "EdgeDroppingPR",
    "FeatureMasking",
    "HeatDiffusion",
    "Identity",
    "MarkovDiffusion",
    "NodeDropping",
    "PPRDiffusion",
    "PPRSubgraph",
    "RLap",
    "RLapPPR",
    "RandomChoice",
    "RandomWalkSubgraph",
    "TwoViews",
    "VertexCoarsening",
    "WalkSchur",
    "get",
    "names",
]

"""Views as PyTorch Geometric transforms, to be composed with PyG's own.

Example:
    >>> import rlap.transforms as T
    >>> T.Compose([T.RLap(0.5)])
    Compose([
      RLap(fraction=0.5)
    ])
"""

from torch_geometric.transforms import Compose

from rlap.transforms.rlap import RLap

__all__ = ["Compose", "RLap"]

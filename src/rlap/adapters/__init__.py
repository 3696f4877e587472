"""Graphs as people hold them: torch tensors and NetworkX graphs beside NumPy and SciPy, PyG data in `adapters.pyg`.

Nothing is imported before a graph of its kind comes along.
"""

from rlap import schur
from rlap.adapters import networkx
from rlap.adapters.torch import accepts_torch, prepare
from rlap.schur.matrix import register_reader

schur_view = accepts_torch(schur.schur_view)
register_reader(networkx.is_networkx, networkx.read_networkx)

__all__ = ["prepare", "schur_view"]

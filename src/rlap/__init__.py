"""Randomized Schur complement views of graphs.

`schur_view` makes views of an edge list (NumPy or torch); `randomized_schur`, `walk_schur`, `vertex_coarsening`,
`exact_schur` and `schur_path` take sparse adjacency matrices or NetworkX graphs; `approximate_factor` and
`laplacian_solver` are for linear systems. `rlap.transforms` has the views as PyTorch Geometric transforms, and
`GraphEmbedder` learns embeddings with them.
"""

from typing import TYPE_CHECKING, Any

from rlap.adapters import schur_view
from rlap.schur import (
    Factor,
    LaplacianSolver,
    Solution,
    View,
    approximate_factor,
    derive_seed,
    exact_schur,
    laplacian_solver,
    randomized_schur,
    schur_path,
    vertex_coarsening,
    walk_schur,
)

if TYPE_CHECKING:
    from rlap.embedder import GraphEmbedder

__version__ = "0.1.0"

__all__ = [
    "Factor",
    "GraphEmbedder",
    "LaplacianSolver",
    "Solution",
    "View",
    "approximate_factor",
    "derive_seed",
    "exact_schur",
    "laplacian_solver",
    "randomized_schur",
    "schur_path",
    "schur_view",
    "vertex_coarsening",
    "walk_schur",
]


def __getattr__(name: str) -> Any:
    """Import what needs torch when it is asked for, and not before."""
    if name == "GraphEmbedder":
        from rlap.embedder import GraphEmbedder

        return GraphEmbedder
    raise AttributeError(f"module 'rlap' has no attribute {name!r}")

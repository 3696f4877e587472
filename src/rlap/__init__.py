"""Randomized Schur complement views of graphs.

`schur_view` makes views of an edge list (NumPy or torch); `randomized_schur`, `walk_schur`, `vertex_coarsening`,
`exact_schur` and `schur_path` take sparse adjacency matrices or NetworkX graphs; `approximate_factor` and
`laplacian_solver` are for linear systems. `rlap.transforms` has the views as PyTorch Geometric transforms.
"""

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

__version__ = "0.1.0"

__all__ = [
    "Factor",
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

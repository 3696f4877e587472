"""Randomized Schur complements of graphs, on NumPy and SciPy alone.

`schur_view` takes edge lists, the other functions sparse adjacency matrices. All of them are seeded, and give the same
result for the same seed on any number of threads.
"""

from rlap.schur.coarsening import vertex_coarsening
from rlap.schur.exact import exact_schur
from rlap.schur.factor import Factor, approximate_factor
from rlap.schur.keeping import keep_memory, kept_memory
from rlap.schur.path import schur_path
from rlap.schur.prepared import PreparedGraph, prepare
from rlap.schur.randomized import randomized_schur
from rlap.schur.seeds import derive_seed
from rlap.schur.solver import LaplacianSolver, Solution, laplacian_solver
from rlap.schur.view import View, schur_view
from rlap.schur.walks import walk_schur

__all__ = [
    "Factor",
    "LaplacianSolver",
    "PreparedGraph",
    "Solution",
    "View",
    "approximate_factor",
    "derive_seed",
    "exact_schur",
    "keep_memory",
    "kept_memory",
    "laplacian_solver",
    "prepare",
    "randomized_schur",
    "schur_path",
    "schur_view",
    "vertex_coarsening",
    "walk_schur",
]

"""Randomized Schur complement views of graphs.

`schur_view` makes views of an edge list (NumPy or torch); `randomized_schur`, `walk_schur`, `vertex_coarsening`,
`exact_schur` and `schur_path` take sparse adjacency matrices or NetworkX graphs; `approximate_factor` and
`laplacian_solver` are for linear systems. `rlap.diffusion`, `rlap.centrality` and `rlap.walks` have sparse diffusions,
centralities and random walks. `rlap.transforms` has the views as PyTorch Geometric transforms, and `GraphEmbedder`
learns embeddings with them. `rlap.ops` has the interface of the authors' package.
"""

import importlib
from typing import TYPE_CHECKING, Any

from rlap.adapters import prepare, schur_view
from rlap.schur import (
    Factor,
    LaplacianSolver,
    PreparedGraph,
    Solution,
    View,
    approximate_factor,
    derive_seed,
    exact_schur,
    keep_memory,
    kept_memory,
    laplacian_solver,
    randomized_schur,
    schur_path,
    vertex_coarsening,
    walk_schur,
)

if TYPE_CHECKING:
    from rlap.embedder import GraphEmbedder as GraphEmbedder

__version__ = "0.1.0"

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

_ROOMS = ("centrality", "diffusion", "ops", "walks")


def __getattr__(name: str) -> Any:
    """Import what is not always needed when it is first asked for, so that `import rlap` stays quick."""
    if name in _ROOMS:
        return importlib.import_module(f"rlap.{name}")
    if name == "GraphEmbedder":
        from rlap.embedder import GraphEmbedder

        return GraphEmbedder
    raise AttributeError(f"module 'rlap' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_ROOMS, "GraphEmbedder"])

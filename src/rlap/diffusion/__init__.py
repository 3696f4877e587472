"""Graph diffusions, sparse from the beginning: personalised PageRank, the heat kernel and Markov diffusion.

`ppr`, `heat` and `markov` take sparse adjacency matrices or NetworkX graphs. `diffuse_edges` takes edge arrays and
batches of graphs; `diffuse` what the core has read. `grounded` is PPR's generalisation to Laplacians with a ground.
"""

from rlap.diffusion.edges import diffuse_edges
from rlap.diffusion.grounded import Grounded, grounded
from rlap.diffusion.heat import Heat, heat
from rlap.diffusion.markov import Markov, markov
from rlap.diffusion.ppr import PPR, ppr
from rlap.diffusion.sparse import Series, diffuse

__all__ = [
    "PPR",
    "Grounded",
    "Heat",
    "Markov",
    "Series",
    "diffuse",
    "diffuse_edges",
    "grounded",
    "heat",
    "markov",
    "ppr",
]

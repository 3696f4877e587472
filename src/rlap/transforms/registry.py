"""All augmentations by their names in the paper, for configurations and the command line."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import partial
from typing import Any

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
from rlap.transforms.random_walk_subgraph import RandomWalkSubgraph
from rlap.transforms.rlap import RLap
from rlap.transforms.rlap_ppr import RLapPPR
from rlap.transforms.vertex_coarsening import VertexCoarsening
from rlap.transforms.walk_schur import WalkSchur

# The paper's words for the orders of nodes and of neighbours.
_NODE_ORDERS: dict[str, Any] = {"rand": "random", "deg": "degree"}
_NEIGHBOR_ORDERS: dict[str, Any] = {"asc": "asc", "desc": "desc", "rand": "random"}

_MAKERS: dict[str, Callable[..., Any]] = {
    "EdgeAddition": EdgeAddition,
    "EdgeDropping": EdgeDropping,
    "EdgeDroppingDegree": EdgeDroppingDegree,
    "EdgeDroppingEVC": EdgeDroppingEVC,
    "EdgeDroppingPR": EdgeDroppingPR,
    "FeatureMasking": FeatureMasking,
    "HeatDiffusion": HeatDiffusion,
    "Identity": Identity,
    "MarkovDiffusion": MarkovDiffusion,
    "NodeDropping": NodeDropping,
    "PPRDiffusion": PPRDiffusion,
    "PPRSubgraph": PPRSubgraph,
    "RandomWalkSubgraph": RandomWalkSubgraph,
    "VertexCoarsening": VertexCoarsening,
    "WalkSchur": WalkSchur,
    "rLap": RLap,
    "rLapPPR": RLapPPR,
}
_MAKERS |= {
    f"rLap-{node}-{neighbor}": partial(RLap, node_order=_NODE_ORDERS[node], neighbor_order=_NEIGHBOR_ORDERS[neighbor])
    for node in _NODE_ORDERS
    for neighbor in _NEIGHBOR_ORDERS
}


def names() -> list[str]:
    """List the names that `get` knows.

    >>> import rlap.transforms as T
    >>> [name for name in T.names() if name.startswith("rLap-deg")]
    ['rLap-deg-asc', 'rLap-deg-desc', 'rLap-deg-rand']
    """
    return sorted(_MAKERS)


def get(name: str, *args: Any, **options: Any) -> Any:
    """Make a transform by its name in the paper; most take their perturbation first.

    >>> import rlap.transforms as T
    >>> T.get("EdgeDroppingPR", 0.3)
    EdgeDroppingPR(p=0.3)
    >>> T.get("rLap-deg-desc", 0.5, seed=1)
    RLap(fraction=0.5, node_order='degree', neighbor_order='desc', seed=1)
    """
    if name not in _MAKERS:
        by_lower = {known.lower(): known for known in _MAKERS}
        near = difflib.get_close_matches(str(name).lower(), by_lower, n=1, cutoff=0.0)
        raise ValueError(
            f"name must be one of rlap.transforms.names() (got {name!r}; the nearest is {by_lower[near[0]]!r})"
        )
    return _MAKERS[name](*args, **options)

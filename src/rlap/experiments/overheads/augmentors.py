"""Which augmentors are measured, and with which arguments."""

from __future__ import annotations

from typing import Any

import rlap.transforms as transforms

PAPER = (
    "EdgeAddition",
    "EdgeDropping",
    "EdgeDroppingDegree",
    "EdgeDroppingEVC",
    "EdgeDroppingPR",
    "MarkovDiffusion",
    "NodeDropping",
    "PPRDiffusion",
    "RandomWalkSubgraph",
    "rLap",
)
# What the paper speaks of and does not measure.
OTHERS = ("FeatureMasking", "HeatDiffusion", "VertexCoarsening", "WalkSchur", "rLapPPR")
SUBGRAPH = 8192  # the paper's size of a sub-graph
# These have no perturbation. The heat kernel's time is the usual one of the library that the paper's scripts use.
_ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "HeatDiffusion": (5.0,),
    "Identity": (),
    "MarkovDiffusion": (),
    "PPRDiffusion": (),
    "PPRSubgraph": (SUBGRAPH,),
}


def check_name(name: str) -> str:
    """Give the registry's spelling of an augmentor; capitals do not matter.

    Example:
        >>> check_name("rlap-DEG-asc")
        'rLap-deg-asc'
    """
    known = {one.lower(): one for one in transforms.names()}
    if name.lower() not in known:
        raise ValueError(f"the augmentor must be one of {', '.join(transforms.names())} (got {name!r})")
    return known[name.lower()]


def make(name: str, perturbation: float) -> Any:
    """Make an augmentor with a perturbation, if it has one; its randomness comes from torch's generator.

    Example:
        >>> make("EdgeDroppingPR", 0.5), make("HeatDiffusion", 0.5)
        (EdgeDroppingPR(p=0.5), HeatDiffusion(t=5.0))
    """
    return transforms.get(name, *_ARGUMENTS.get(name, (perturbation,)))

"""All designs by name."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Literal

from rlap.methods.bgrl import bgrl
from rlap.methods.bgrl_local import bgrl_local
from rlap.methods.blueprint import Blueprint
from rlap.methods.config import MethodConfig
from rlap.methods.dgi import dgi
from rlap.methods.grace import grace
from rlap.methods.graphcl import graphcl
from rlap.methods.mvgrl import mvgrl

Level = Literal["node", "graph"]

_DESIGNS: dict[str, tuple[Callable[[MethodConfig, int], Blueprint], Level]] = {
    "bgrl": (bgrl, "graph"),
    "bgrl-l2l": (bgrl_local, "node"),
    "dgi": (dgi, "node"),
    "grace": (grace, "node"),
    "graphcl": (graphcl, "graph"),
    "mvgrl": (mvgrl, "node"),
}


def names() -> list[str]:
    """List the designs.

    >>> from rlap.methods import names
    >>> names()
    ['bgrl', 'bgrl-l2l', 'dgi', 'grace', 'graphcl', 'mvgrl']
    """
    return sorted(_DESIGNS)


def level(name: str) -> Level:
    """Say what a design embeds: "node" or "graph".

    >>> from rlap.methods import level
    >>> level("graphcl")
    'graph'
    """
    return _find(name)[1]


def build(config: MethodConfig, in_features: int) -> Blueprint:
    """Make a design, with weights from torch's global generator.

    >>> from rlap.methods import MethodConfig, build
    >>> build(MethodConfig("grace", hidden=16), in_features=4).level
    'node'
    """
    if in_features < 1:
        raise ValueError(f"in_features must be at least 1 (got {in_features})")
    return _find(config.method)[0](config, in_features)


def _find(name: str) -> tuple[Callable[[MethodConfig, int], Blueprint], Level]:
    if name not in _DESIGNS:
        near = difflib.get_close_matches(str(name).lower(), _DESIGNS, n=1, cutoff=0.0)[0]
        raise ValueError(f"method must be one of {', '.join(names())} (got {name!r}; the nearest is {near!r})")
    return _DESIGNS[name]

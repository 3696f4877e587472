"""All baselines by name."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

from rlap.baselines.deepwalk import deepwalk, deepwalk_features
from rlap.baselines.dgi import dgi
from rlap.baselines.gae import gae
from rlap.baselines.graphlets import graphlets
from rlap.baselines.graphs import graph_gcn, graph_gin
from rlap.baselines.infograph import infograph
from rlap.baselines.nodes import node_gat, node_gcn
from rlap.baselines.raw_features import raw_features
from rlap.baselines.task import Outcome, Task, Watch, unwatched
from rlap.baselines.weisfeiler_lehman import weisfeiler_lehman
from rlap.datasets import GraphSet, NodeSet

Level: TypeAlias = Literal["node", "graph"]

# By level and name. What follows the task in a function's arguments are its settings, with their usual values.
_BASELINES: Mapping[Level, Mapping[str, Callable[..., Outcome]]] = {
    "node": {
        "RawFeatures": raw_features,
        "DeepWalk": deepwalk,
        "DeepWalkFeatures": deepwalk_features,
        "GAE": gae,
        "DGI": dgi,
        "GCN": node_gcn,
        "GAT": node_gat,
    },
    "graph": {
        "GK": graphlets,
        "WL": weisfeiler_lehman,
        "InfoGraph": infograph,
        "GIN": graph_gin,
        "GCN": graph_gcn,
    },
}


def names(level: Level) -> list[str]:
    """List the baselines for sets of labelled nodes, or of labelled graphs.

    Example:
        >>> names("graph")
        ['GK', 'WL', 'InfoGraph', 'GIN', 'GCN']
    """
    return list(_BASELINES[level])


def settings(name: str, level: Level) -> dict[str, Any]:
    """Give the settings of a baseline, with their usual values.

    Example:
        >>> settings("WL", "graph")
        {'rounds': 4}
        >>> settings("DGI", "graph")
        Traceback (most recent call last):
        ValueError: DGI tells nodes apart, and not graphs: take GK, WL, InfoGraph, GIN, GCN
    """
    arguments = inspect.signature(_find(name, level)).parameters.values()
    return {one.name: one.default for one in arguments if one.kind is inspect.Parameter.KEYWORD_ONLY}


def run(
    name: str,
    dataset: NodeSet | GraphSet,
    *,
    protocol: Literal["clean", "paper"] = "clean",
    splits: int = 10,
    seed: int = 0,
    watch: Watch = unwatched,
    checkpoint: Path | None = None,
    **options: Any,
) -> Outcome:
    """Try a baseline on a data set.

    Args:
        name: one of `names` for the set's level.
        dataset: what `rlap.datasets.load` gives.
        protocol: "clean" or "paper", which differ in the splits, and in the probe of an embedding.
        splits: how many.
        seed: of the splits and of everything else that is random.
        watch: is called now and then with a fraction in [0, 1] and a few words; it may raise, to stop.
        checkpoint: a file to keep what is done in, and to go on from.
        options: the baseline's own; see `settings`.

    Example:
        >>> from rlap import datasets
        >>> run("DeepWalk", datasets.load("digits"), splits=2, walks=2, width=16).notes["width"]
        16
    """
    usual = settings(name, dataset.level)
    for key in options:
        if key not in usual:
            raise ValueError(f"{name} has the settings {', '.join(usual) or 'none'} (got {key!r})")
    return _find(name, dataset.level)(Task(dataset, protocol, splits, seed, watch, checkpoint), **options)


def _find(name: str, level: Level) -> Callable[..., Outcome]:
    fitting = _BASELINES[level]
    if name in fitting:
        return fitting[name]
    if any(name in others for others in _BASELINES.values()):
        other = "graph" if level == "node" else "node"
        raise ValueError(f"{name} tells {other}s apart, and not {level}s: take {', '.join(fitting)}")
    near = difflib.get_close_matches(name, fitting, n=1, cutoff=0.0)[0]
    raise ValueError(f"a baseline must be one of {', '.join(fitting)} (got {name!r}; the nearest is {near!r})")

"""The two view makers of a design: an augmentor of the registry, then masked features."""

from __future__ import annotations

from typing import Any, Literal

from torch_geometric.transforms import RemoveDuplicatedEdges

import rlap.transforms as T
from rlap.methods.config import MethodConfig
from rlap.methods.masking import FeatureMask
from rlap.methods.subgraph import SubgraphViews
from rlap.methods.whole_batch import WholeBatch

# Nothing is to be perturbed by a share: the first view is then the graph itself.
_DIFFUSIONS = {"PPRDiffusion", "MarkovDiffusion", "HeatDiffusion", "PPRSubgraph"}
_WITHOUT_SHARE = _DIFFUSIONS | {"Identity"}
_ONE_SIDED = _DIFFUSIONS | {"rLapPPR"}
_WEIGHED = {"VertexCoarsening", "WalkSchur"}  # and all rLap but rLapPPR: they have the option `weighted`
_SUBGRAPH = 8192  # nodes, where the scripts contrast diffusions in MVGRL

# What the scripts do otherwise than the text.
_SCRIPTS: dict[str, dict[str, Any]] = {
    "EdgeAddition": {"directed": True},
    "EdgeDropping": {"directed": True},
    "EdgeDroppingDegree": {"sink_only": True},
    "EdgeDroppingEVC": {"sink_only": True},
    "EdgeDroppingPR": {"sink_only": True},
    "MarkovDiffusion": {"K": 16, "transition": "symmetric", "self_loops": True},
    "PPRDiffusion": {"transition": "symmetric", "self_loops": True},
    "RandomWalkSubgraph": {"restart": 0.0},
}


def two_views(config: MethodConfig, level: Literal["node", "graph"]) -> T.TwoViews:
    """Make the two view makers.

    Example:
        >>> from rlap.methods import MethodConfig
        >>> from rlap.methods.views import two_views
        >>> two_views(MethodConfig(augmentor="EdgeDropping", gamma1=0.2), "node").t1
        Compose([
          EdgeDropping(p=0.2),
          FeatureMask(p=0.3)
        ])
    """
    one_sided = config.augmentor in _ONE_SIDED
    if not config.clean and config.method == "mvgrl":
        one_sided = one_sided or config.augmentor == "RandomWalkSubgraph"
    masks = FeatureMask(
        config.feature_masking,
        config.masking or ("entry" if config.clean else "column"),
        shared=not config.clean and config.masking != "entry",
    )
    first = T.Identity() if one_sided else _augmentor(config, config.gamma1, level)
    makers = (T.Compose([first, masks]), T.Compose([_augmentor(config, config.gamma2, level), masks]))
    if not config.clean and config.method == "mvgrl" and config.augmentor in _DIFFUSIONS:
        return SubgraphViews(*makers, size=config.subgraph or _SUBGRAPH)
    return T.TwoViews(*makers)


def _augmentor(config: MethodConfig, gamma: float, level: str) -> Any:
    name, options = config.augmentor, dict(config.options)
    shares = () if name in _WITHOUT_SHARE else (gamma,)
    if name in _WEIGHED or (name.startswith("rLap") and name != "rLapPPR"):
        options.setdefault("weighted", config.clean if config.weighted is None else config.weighted)
    if config.clean:
        return T.get(name, *shares, **options)
    options = _SCRIPTS.get(name, {}) | options
    if name == "RandomWalkSubgraph" and level == "graph":
        shares, options = (), {"num_seeds": 1000, **options}
    made = T.get(name, *shares, **options)
    if name == "EdgeAddition":
        made = T.Compose([made, RemoveDuplicatedEdges()])
    return WholeBatch(made)

"""GraphCL: graphs against graphs by InfoNCE, with one encoder."""

from __future__ import annotations

from rlap.contrast import GlobalGlobal
from rlap.losses import InfoNCE
from rlap.methods.blueprint import Blueprint
from rlap.methods.config import MethodConfig
from rlap.methods.views import two_views
from rlap.models import GIN, projector


def graphcl(config: MethodConfig, in_features: int) -> Blueprint:
    """Make the paper's GraphCL (You et al. 2020): shared GIN, the sum of nodes in all layers, g-g, InfoNCE.

    Example:
        >>> from rlap.methods import MethodConfig
        >>> from rlap.methods.graphcl import graphcl
        >>> graphcl(MethodConfig("graphcl", protocol="paper"), 5).objective.temperature
        0.2
    """
    encoder = GIN(in_features, config.hidden, config.layers, jump=True)
    return Blueprint(
        two_views(config, "graph"),
        (encoder,),
        GlobalGlobal(),
        InfoNCE(config.temperature(0.2, 0.5)),
        level="graph",
        graph_projector=projector(encoder.out_features, "relu"),
        aggregation="add",
        leaves_out=config.leaves_out,
        weighted=config.clean if config.weighted is None else config.weighted,
    )

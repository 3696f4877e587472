"""DGI: nodes against the summary of their graph."""

from __future__ import annotations

from rlap.contrast import GlobalLocal
from rlap.losses import JSD
from rlap.methods.blueprint import Blueprint
from rlap.methods.config import MethodConfig
from rlap.methods.views import two_views
from rlap.models import GCN, summary_head


def dgi(config: MethodConfig, in_features: int) -> Blueprint:
    """Make Deep Graph Infomax (Velickovic et al. 2019): shared GCN, sigmoid of the mean, bilinear form, g-l, JSD.

    The original has one view, which is the graph: augmentor="Identity" and feature_masking=0 give it, twice. Its loss,
    the binary cross-entropy, is JSD up to a constant.

    Example:
        >>> from rlap.methods import MethodConfig
        >>> from rlap.methods.dgi import dgi
        >>> dgi(MethodConfig("dgi", augmentor="Identity", feature_masking=0.0, hidden=8), 5).objective
        JSD()
    """
    return Blueprint(
        two_views(config, "node"),
        (GCN(in_features, config.hidden, config.layers, slopes=True),),
        GlobalLocal(),
        JSD(),
        level="node",
        graph_projector=summary_head(config.hidden, bias=False),
        aggregation="mean",
        leaves_out=config.leaves_out,
        weighted=config.weighted is not False,
    )

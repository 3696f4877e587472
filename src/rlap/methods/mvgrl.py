"""MVGRL: graphs against nodes by JSD, with an encoder for each view."""

from __future__ import annotations

from rlap.contrast import GlobalLocal
from rlap.losses import JSD
from rlap.methods.blueprint import Blueprint
from rlap.methods.config import MethodConfig
from rlap.methods.views import two_views
from rlap.models import GCN, projector, summary_head


def mvgrl(config: MethodConfig, in_features: int) -> Blueprint:
    """Make the paper's MVGRL (Hassani and Khasahmadi 2020): two GCNs, shared projectors, g-l, JSD, mean of nodes.

    Under `paper`, nodes are not projected and graphs are Linear(sigmoid(mean)), and embeddings are of augmented views.
    The embedding is the sum of both encoders'.

    Example:
        >>> from rlap.methods import MethodConfig
        >>> from rlap.methods.mvgrl import mvgrl
        >>> len(mvgrl(MethodConfig("mvgrl", hidden=8), 5).encoders)
        2
    """
    width = config.hidden
    return Blueprint(
        two_views(config, "node"),
        (
            GCN(in_features, width, config.layers, slopes=True),
            GCN(in_features, width, config.layers, slopes=True),
        ),
        GlobalLocal(),
        JSD(),
        level="node",
        node_projector=projector(width, "prelu") if config.clean else None,
        graph_projector=projector(width, "prelu") if config.clean else summary_head(width),
        aggregation="mean",
        leaves_out=config.leaves_out,
        weighted=config.weighted is not False,
        embedding="clean" if config.clean else "augmented",
        combine="sum",
    )

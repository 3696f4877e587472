"""GRACE: nodes against nodes by InfoNCE, with one encoder."""

from __future__ import annotations

from rlap.contrast import LocalLocal
from rlap.losses import InfoNCE
from rlap.methods.blueprint import Blueprint
from rlap.methods.config import MethodConfig
from rlap.methods.views import two_views
from rlap.models import GCN, projector


def grace(config: MethodConfig, in_features: int) -> Blueprint:
    """Make the paper's GRACE (Zhu et al. 2020): shared GCN and projector, l-l, InfoNCE with inter-view negatives.

    Under `paper`, the temperature divides the negatives alone.

    Example:
        >>> from rlap.methods import MethodConfig
        >>> from rlap.methods.grace import grace
        >>> grace(MethodConfig("grace", tau=0.2), 5).objective
        InfoNCE(temperature=0.2, intra_view=False, scaled_positive=True)
    """
    return Blueprint(
        two_views(config, "node"),
        (GCN(in_features, config.hidden, config.layers),),
        LocalLocal(),
        InfoNCE(config.temperature(0.4, 0.4), intra_view=config.intra_view, scaled_positive=config.clean),
        level="node",
        node_projector=projector(config.hidden, "elu"),
        leaves_out=config.leaves_out,
        weighted=config.weighted is not False,
    )

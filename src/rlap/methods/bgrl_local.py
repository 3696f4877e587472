"""The original BGRL: nodes predict what a slower copy sees of themselves."""

from __future__ import annotations

from rlap.contrast import LocalLocal
from rlap.losses import BootstrapLatent
from rlap.methods.blueprint import Blueprint
from rlap.methods.config import MethodConfig
from rlap.methods.views import two_views
from rlap.models import GCN, projector


def bgrl_local(config: MethodConfig, in_features: int) -> Blueprint:
    """Make BGRL as Thakoor et al. 2021 have it: shared GCN with batch norm and a target network, l-l, bootstrap.

    The paper has no numbers for it, so `paper` changes the views and the target network, but not the loss.

    Example:
        >>> from rlap.methods import MethodConfig
        >>> from rlap.methods.bgrl_local import bgrl_local
        >>> bgrl_local(MethodConfig("bgrl-l2l", hidden=8), 5).mode
        LocalLocal()
    """
    return Blueprint(
        two_views(config, "node"),
        (GCN(in_features, config.hidden, config.layers, norm=True),),
        LocalLocal(),
        BootstrapLatent(),
        level="node",
        predictor=projector(config.hidden, "prelu"),
        momentum=config.momentum,
        scripts=not config.clean,
        leaves_out=config.leaves_out,
        weighted=config.weighted is not False,
    )

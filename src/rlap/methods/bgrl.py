"""BGRL: nodes predict what a slower copy sees of their graph."""

from __future__ import annotations

from rlap.contrast import GlobalLocal
from rlap.losses import BootstrapLatent
from rlap.methods.blueprint import Blueprint
from rlap.methods.config import MethodConfig
from rlap.methods.views import two_views
from rlap.models import GIN, normed_head


def bgrl(config: MethodConfig, in_features: int) -> Blueprint:
    """Make the paper's BGRL (after Thakoor et al. 2021): shared GIN with a target network, g-l, bootstrap.

    The graphs of the target are the sums of its projected nodes. Under `paper`, the loss has the scripts' wrong sign,
    the momentum is constant, and embeddings are those of two augmented views side by side.

    Example:
        >>> from rlap.methods import MethodConfig
        >>> from rlap.methods.bgrl import bgrl
        >>> bgrl(MethodConfig("bgrl", hidden=8), 5).objective
        BootstrapLatent(sign_slip=False)
    """
    encoder = GIN(in_features, config.hidden, config.layers, activation="prelu", norm="last", dropout=config.dropout)
    return Blueprint(
        two_views(config, "graph"),
        (encoder,),
        GlobalLocal(),
        BootstrapLatent(sign_slip=not config.clean),
        level="graph",
        node_projector=normed_head(config.hidden, config.dropout),
        predictor=normed_head(config.hidden, config.dropout),
        aggregation="add",
        momentum=config.momentum,
        scripts=not config.clean,
        leaves_out=config.leaves_out,
        weighted=config.clean if config.weighted is None else config.weighted,
        embedding="clean" if config.clean else "augmented",
        combine="first" if config.clean else "concat",
    )

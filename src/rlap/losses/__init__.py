"""Objectives of contrastive learning, each a module that takes two matrices with matching rows.

Those that can contrast graphs with nodes have a method `grouped` besides: anchors, samples, which anchor owns each
sample, and noise, if negatives are not the samples of other anchors. The others say in `refuses` why they cannot.

Example:
    >>> import torch
    >>> from rlap.losses import JSD
    >>> JSD()(torch.randn(5, 3), torch.randn(5, 3)).shape
    torch.Size([])
"""

from rlap.losses.barlow_twins import BarlowTwins
from rlap.losses.bootstrap import BootstrapLatent
from rlap.losses.infonce import InfoNCE
from rlap.losses.jsd import JSD
from rlap.losses.vicreg import VICReg

__all__ = ["JSD", "BarlowTwins", "BootstrapLatent", "InfoNCE", "VICReg"]

"""Heads: small networks between embeddings and the objective."""

from __future__ import annotations

from typing import Literal

from torch import nn

from rlap.models.dropout import Dropout
from rlap.models.encoder import check_sizes
from rlap.models.prelu import PReLU

_ACTIVATIONS = {"elu": nn.ELU, "relu": nn.ReLU, "prelu": PReLU}


def projector(
    width: int, activation: Literal["elu", "relu", "prelu"] = "elu", *, hidden: int | None = None
) -> nn.Module:
    """Make Linear-activation-Linear, from a width to the same width: ELU for GRACE, ReLU for GraphCL.

    Example:
        >>> from rlap.models import projector
        >>> projector(4)
        Sequential(
          (0): Linear(in_features=4, out_features=4, bias=True)
          (1): ELU(alpha=1.0)
          (2): Linear(in_features=4, out_features=4, bias=True)
        )
    """
    if activation not in _ACTIVATIONS:
        raise ValueError(f"activation must be one of {sorted(_ACTIVATIONS)} (got {activation!r})")
    hidden = width if hidden is None else hidden
    check_sizes(width=width, hidden=hidden)
    return nn.Sequential(nn.Linear(width, hidden), _ACTIVATIONS[activation](), nn.Linear(hidden, width))


def normed_head(width: int, dropout: float = 0.2) -> nn.Module:
    """Make Linear-BatchNorm-PReLU-Dropout: the projector and the predictor of the paper's BGRL.

    Example:
        >>> from rlap.models import normed_head
        >>> [type(part).__name__ for part in normed_head(4)]
        ['Linear', 'BatchNorm1d', 'PReLU', 'Dropout']
    """
    check_sizes(width=width)
    return nn.Sequential(nn.Linear(width, width), nn.BatchNorm1d(width), PReLU(), Dropout(dropout))


def summary_head(width: int, *, bias: bool = True) -> nn.Module:
    """Make Sigmoid-Linear for the mean of a graph: DGI's readout and bilinear form, and the one of the paper's MVGRL.

    Example:
        >>> from rlap.models import summary_head
        >>> [type(part).__name__ for part in summary_head(4)]
        ['Sigmoid', 'Linear']
    """
    check_sizes(width=width)
    return nn.Sequential(nn.Sigmoid(), nn.Linear(width, width, bias=bias))

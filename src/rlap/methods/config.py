"""`MethodConfig`: what a design is made of, apart from how it is trained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rlap.schur.selection import check_fraction


@dataclass(frozen=True)
class MethodConfig:
    """A design, its augmentor and its sizes. None means what the design and the protocol say.

    The protocol `paper` does what the scripts behind the paper's numbers do, `clean` what the text says. Under `paper`
    temperatures are those of the scripts (GRACE 0.4, GraphCL 0.2), whatever `tau` says.

    Args:
        method: one of `rlap.methods.names()`.
        augmentor: one of `rlap.transforms.names()`. A diffusion, and rLapPPR, makes the second view; the first is then
            the graph itself.
        gamma1: the perturbation of the first view, in [0, 1].
        gamma2: the perturbation of the second.
        layers: of the encoder.
        hidden: the width of the encoder.
        tau: the temperature of InfoNCE.
        feature_masking: the probability of a feature to be masked.
        masking: mask features per "entry" or per "column"; None is entry in `clean` and column in `paper`.
        weighted: let the encoder see the weights of edges. None is true in `clean`; in `paper` views of rLap have no
            weights, GCN sees those of diffusions, and GIN sees none.
        node_mask: leave out the nodes that a view has dropped from encoder, pooling and contrast. None is true in
            `clean` and false in `paper`, whose scripts keep them as isolated nodes.
        dropout: of BGRL's encoder and heads.
        momentum: of the target network of BGRL.
        intra_view: let GRACE take negatives from the node's own view too.
        options: further arguments of the augmentor.
        subgraph: under `paper`, MVGRL contrasts diffusions on a sub-graph of so many nodes; None is 8192.
        protocol: "clean" or "paper".

    Example:
        >>> from rlap.methods import MethodConfig
        >>> MethodConfig("mvgrl", hidden=512).augmentor
        'rLap'
    """

    method: str = "grace"
    augmentor: str = "rLap"
    gamma1: float = 0.5
    gamma2: float = 0.4
    layers: int = 2
    hidden: int = 256
    tau: float | None = None
    feature_masking: float = 0.3
    masking: Literal["entry", "column"] | None = None
    weighted: bool | None = None
    node_mask: bool | None = None
    dropout: float = 0.2
    momentum: float = 0.99
    intra_view: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    subgraph: int | None = None
    protocol: Literal["clean", "paper"] = "clean"

    def __post_init__(self) -> None:
        for name in ("gamma1", "gamma2", "feature_masking", "dropout", "momentum"):
            check_fraction(getattr(self, name), name)
        for name in ("layers", "hidden"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1 (got {getattr(self, name)})")
        if self.subgraph is not None and self.subgraph < 1:
            raise ValueError(f"subgraph must be at least 1 (got {self.subgraph})")
        if self.protocol not in ("clean", "paper"):
            raise ValueError(f'protocol must be "clean" or "paper" (got {self.protocol!r})')
        if self.masking not in (None, "entry", "column"):
            raise ValueError(f'masking must be "entry" or "column" (got {self.masking!r})')

    @property
    def clean(self) -> bool:
        """Say whether the protocol is `clean`."""
        return self.protocol == "clean"

    @property
    def leaves_out(self) -> bool:
        """Say whether nodes that a view has dropped are left out."""
        return self.clean if self.node_mask is None else self.node_mask

    def temperature(self, scripts: float, text: float) -> float:
        """Choose a temperature: that of the scripts under `paper`, else `tau` if it is given."""
        if not self.clean:
            return scripts
        return text if self.tau is None else self.tau

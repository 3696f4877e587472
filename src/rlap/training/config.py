"""How a method is trained: `TrainConfig`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch

from rlap import loader as loaders
from rlap.loader import Name as LoaderName

Protocol: TypeAlias = Literal["clean", "paper"]


@dataclass(frozen=True)
class TrainConfig:
    """The optimiser's numbers, and where and how long it runs.

    Args:
        lr: Adam's learning rate.
        weight_decay: Adam's L2 penalty.
        epochs: train at most so many.
        patience: stop when the loss has not been lower for so many epochs.
        batch_size: graphs in a step; with a loader, nodes in a step. Without, a node set is one step an epoch.
        device: "cpu", "cuda" or "cuda:N".
        seed: of everything random in training: the views, the noise, the order of the graphs.
        protocol: "clean" shuffles the graphs and ends with the weights of the best epoch; "paper" leaves the graphs in
            their order and ends with the last weights, as the paper's scripts do.
        loader: for node sets: train on small graphs of one of `rlap.loader.names()`. None trains on the whole graph.
        pieces: with a loader: so many small graphs in a step, which share its nodes. They are encoded apart and
            contrasted together, and several processes share them. None means one.

    Example:
        >>> TrainConfig(lr=1e-2).epochs
        2000
        >>> TrainConfig(patience=0)
        Traceback (most recent call last):
        ValueError: patience must be at least 1 (got 0)
    """

    lr: float = 1e-3
    weight_decay: float = 1e-5
    epochs: int = 2000
    patience: int = 50
    batch_size: int = 128
    device: str = "cpu"
    seed: int = 0
    protocol: Protocol = "clean"
    # None leaves no trace in stored configurations, whose digests name results.
    loader: LoaderName | None = None
    pieces: int | None = None

    def __post_init__(self) -> None:
        for name in ("epochs", "patience", "batch_size"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1 (got {getattr(self, name)})")
        if not (math.isfinite(self.lr) and self.lr > 0):
            raise ValueError(f"lr must be positive and finite (got {self.lr})")
        if not (math.isfinite(self.weight_decay) and self.weight_decay >= 0):
            raise ValueError(f"weight_decay must be finite and not negative (got {self.weight_decay})")
        if not 0 <= self.seed < 2**64:
            raise ValueError(f"seed must lie in [0, 2**64) (got {self.seed})")
        if self.protocol not in ("clean", "paper"):
            raise ValueError(f"protocol must be clean or paper (got {self.protocol!r})")
        if self.loader is not None and self.loader not in loaders.names():
            raise ValueError(f"loader must be one of {', '.join(loaders.names())} (got {self.loader!r})")
        if self.pieces is not None:
            self._check_pieces(self.pieces)

    def _check_pieces(self, pieces: int) -> None:
        if self.loader is None:
            raise ValueError(f"pieces needs a loader to make them (got {pieces} and no loader)")
        if pieces < 1 or self.batch_size % pieces:
            raise ValueError(f"pieces must divide batch_size, {self.batch_size} (got {pieces})")


def find_device(name: str) -> torch.device:
    """Find a device by its name, and see that it is there.

    Example:
        >>> find_device("cpu")
        device(type='cpu')
        >>> find_device("abacus")
        Traceback (most recent call last):
        ValueError: device must be cpu, cuda or cuda:N (got 'abacus')
    """
    kind, _, number = name.partition(":")
    if kind not in ("cpu", "cuda") or (number and not (kind == "cuda" and number.isascii() and number.isdigit())):
        raise ValueError(f"device must be cpu, cuda or cuda:N (got {name!r})")
    if kind == "cuda":
        there = torch.cuda.device_count() if torch.cuda.is_available() else 0
        if int(number or 0) >= there:
            raise ValueError(f"device must be one of torch's here: cpu, and {there} of CUDA (got {name!r})")
    return torch.device(name)

"""What is done between epochs: the checkpoint is written, the accuracy is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import torch

from rlap.training.parts import Trainable
from rlap.training.state import Standing, Store


@dataclass
class Keeper:
    """Writes the checkpoint when it is time, and at the end."""

    store: Store
    path: Path | None
    seconds: float

    def __post_init__(self) -> None:
        self.last = monotonic()

    def after(self, standing: Standing) -> None:
        """Write after an epoch, if it is time or the last."""
        if standing.stopped or monotonic() - self.last >= self.seconds:
            self.now()

    def now(self) -> None:
        """Write, if there is a file to write to."""
        if self.path is not None:
            self.store.save(self.path)
            self.last = monotonic()


@dataclass
class Probe:
    """Asks for the accuracy when it is time, without a trace in the randomness of training."""

    method: Trainable
    device: torch.device
    evaluate: Callable[[Any], float] | None
    every: int

    def after(self, standing: Standing) -> None:
        """Ask after an epoch, if it is time."""
        if self.evaluate is None or len(standing.losses) % self.every:
            return
        with own_randomness(self.device):
            self.method.train(False)
            standing.accuracies.append((len(standing.losses), float(self.evaluate(self.method))))
            self.method.train()


@contextmanager
def own_randomness(device: torch.device) -> Iterator[None]:
    """Leave torch's generators behind as they were."""
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        yield

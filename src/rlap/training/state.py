"""Where a training run stands, and how that is kept."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from rlap.training.checkpoint import CheckpointError, load_latest, save_state
from rlap.training.config import TrainConfig
from rlap.training.distributed.world import ALONE, World
from rlap.training.parts import Trainable


@dataclass
class Standing:
    """The numbers of a run after its last full epoch."""

    losses: list[float] = field(default_factory=list)
    accuracies: list[tuple[int, float]] = field(default_factory=list)
    best_epoch: int = 0
    best_loss: float = math.inf
    seconds: float = 0.0
    stopped: str = ""  # why: "patience" or "epochs"; empty while it runs

    def add(self, loss: float, config: TrainConfig) -> bool:
        """Add an epoch, decide whether it is the last, and say whether it is the best so far."""
        self.losses.append(loss)
        better = loss < self.best_loss
        if better:
            self.best_loss, self.best_epoch = loss, len(self.losses)
        if len(self.losses) - self.best_epoch >= config.patience:
            self.stopped = "patience"
        elif len(self.losses) >= config.epochs:
            self.stopped = "epochs"
        return better


@dataclass
class Store:
    """All that a run changes, so that it can go on from a file as if nothing had happened.

    The views and the order of the graphs need no room: they follow from the seed and the number of the step.
    """

    method: Trainable
    optimizer: torch.optim.Optimizer
    device: torch.device
    identity: dict[str, Any]
    standing: Standing = field(default_factory=Standing)
    best: dict[str, Tensor] = field(default_factory=dict)

    def keep_best(self) -> None:
        """Copy the weights, into the copy before where there is one."""
        for name, value in self.method.state_dict().items():
            if name in self.best:
                self.best[name].copy_(value)
            else:
                self.best[name] = value.detach().clone()

    def save(self, path: Path) -> None:
        """Write everything to a file."""
        numbers: dict[str, Any] = asdict(self.standing)
        save_state(
            path,
            {
                "identity": self.identity,
                "standing": numbers,
                "method": self.method.state_dict(),
                "best": self.best,
                "optimizer": self.optimizer.state_dict(),
                "random": torch.get_rng_state(),
                "random_cuda": torch.cuda.get_rng_state(self.device) if self.device.type == "cuda" else None,
            },
        )

    def load(self, path: Path, world: World = ALONE) -> None:
        """Read everything from a file, which must be of the same run; the first process reads it for all.

        Where all that is there is damaged, everything stays as it is.
        """
        state = world.agree(load_latest(path) if world.first else None)
        if state is None:
            return
        if "identity" not in state:
            raise CheckpointError(f"the checkpoint must be a file that training wrote (got {str(path)!r})")
        for name, value in self.identity.items():
            if state["identity"].get(name) != value:
                was = state["identity"].get(name)
                raise CheckpointError(f"{path} is of another run: its {name} was {was!r}, not {value!r}")
        self.standing = Standing(**state["standing"])
        self.method.load_state_dict(state["method"])
        self.best = {name: value.to(self.device) for name, value in state["best"].items()}
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        if state["random_cuda"] is not None:
            torch.cuda.set_rng_state(state["random_cuda"], self.device)

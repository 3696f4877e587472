"""Training: `train`."""

from __future__ import annotations

import copy
import hashlib
import math
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
from torch import Tensor

from rlap.schur import derive_seed
from rlap.training.between import Keeper, Probe, own_randomness
from rlap.training.checkpoint import is_there
from rlap.training.config import TrainConfig, find_device
from rlap.training.distributed.sharing import sharing
from rlap.training.distributed.world import World, check_device, world
from rlap.training.loaded_steps import LoadedSteps, make_steps
from rlap.training.parts import GraphData, NodeData, Trainable
from rlap.training.prefetch import prefetched
from rlap.training.progress import Epoch, StopTraining, Watcher, progress_bar
from rlap.training.state import Standing, Store
from rlap.training.steps import NOISE, Steps


@dataclass(frozen=True)
class TrainResult:
    """How training went. Epochs count from 1.

    `losses` has the mean loss of every epoch; `best_epoch` is that of the lowest; `stopped` is "patience" or "epochs";
    `accuracies` has the pairs (epoch, accuracy) that were asked for; `seconds` counts training alone, and all of it
    where it was interrupted.
    """

    losses: list[float]
    best_epoch: int
    seconds: float
    stopped: str
    accuracies: list[tuple[int, float]]

    @property
    def epochs(self) -> int:
        """How many epochs were trained."""
        return len(self.losses)


class Diverged(RuntimeError):
    """The loss is no number any more."""


def train(
    method: Trainable,
    dataset: NodeData | GraphData,
    config: TrainConfig,
    *,
    checkpoint: Path | None = None,
    resume: bool = False,
    checkpoint_seconds: float = 60.0,
    progress: bool | Watcher = False,
    evaluate: Callable[[Any], float] | None = None,
    evaluate_every: int = 50,
) -> TrainResult:
    """Train a method in place, with Adam, until its loss has not been lower for a while.

    The same seed gives the same weights, bit for bit, on the same machine, torch and number of threads; whether it was
    interrupted, watched or evaluated in between makes no difference. torch's global generator is left as it was.

    Called by each of several processes inside of `rlap.training.distributed.launched`, all train one method on the same
    steps, each on its share, with the losses of one process up to rounding. Process 0 writes, shows and evaluates.

    Args:
        method: what `rlap.methods.build` makes.
        dataset: what `rlap.datasets.load` gives.
        config: the optimiser's numbers.
        checkpoint: a file that keeps the state of the run; the state before it is kept beside it.
        resume: go on from the checkpoint where there is one. Without, there must be none. One that is damaged is set
            aside, as FILE.damaged, and the run goes on from the one before, or begins anew.
        checkpoint_seconds: write the checkpoint when so much time has passed since the last; 0 is every epoch.
        progress: show a bar, or call this with every `Epoch`; it may raise `StopTraining`.
        evaluate: gives the accuracy of the method as it is; called every so many epochs.
        evaluate_every: so many.

    Raises:
        Diverged: when the loss is infinite or no number.
        OSError: when a checkpoint cannot be written, as on a full disk; the last one stays, to resume from.
        ValueError: when the device is not there, or the checkpoint is of another run.

    Example:
        >>> import rlap.datasets, rlap.methods
        >>> digits = rlap.datasets.load("digits")
        >>> grace = rlap.methods.build(rlap.methods.MethodConfig("grace", hidden=8), digits.num_features)
        >>> train(grace, digits, TrainConfig(epochs=2)).epochs
        2
    """
    if evaluate_every < 1:
        raise ValueError(f"evaluate_every must be at least 1 (got {evaluate_every})")
    device, here = find_device(config.device), world()
    check_device(device, here)
    there = here.agree(checkpoint is not None and is_there(checkpoint))
    if checkpoint is not None:
        checkpoint.parent.mkdir(parents=True, exist_ok=True)
        if there and not resume:
            raise ValueError(f"the checkpoint must be new, or ask to resume from it (got {str(checkpoint)!r})")
    with own_randomness(device):
        torch.manual_seed(derive_seed(config.seed, graph=NOISE))
        method.to(device)
        weights = [weight for weight in method.parameters() if weight.requires_grad]
        optimizer = torch.optim.Adam(weights, lr=config.lr, weight_decay=config.weight_decay)
        store = Store(method, optimizer, device, _identity(method, dataset, config) if checkpoint else {})
        if checkpoint is not None and resume:
            store.load(checkpoint, here)
        # The first process writes, shows and evaluates; the others wait for it.
        keep = Keeper(store, checkpoint if here.first else None, checkpoint_seconds)
        progress = progress if here.first else False
        bar = progress_bar(config.epochs) if progress is True else nullcontext(progress or None)
        with bar as watch, sharing(method, here) as loss_of:
            probe = Probe(method, device, evaluate if here.first else None, evaluate_every)
            run = _Run(store, make_steps(dataset, config, here), config, here, loss_of)
            _run_epochs(run, keep, watch, probe)
    if store.best:
        method.load_state_dict(store.best)
    method.train(False)
    standing = store.standing
    return TrainResult(
        standing.losses,
        standing.best_epoch,
        standing.seconds,
        standing.stopped,
        [(epoch, accuracy) for epoch, accuracy in standing.accuracies],
    )


@dataclass(frozen=True)
class _Run:
    """What the epochs of a run have in common."""

    store: Store
    steps: Steps | LoadedSteps
    config: TrainConfig
    world: World
    loss_of: Callable[[Any, Any], Tensor]


def _run_epochs(run: _Run, keep: Keeper, watch: Watcher | None, probe: Probe) -> None:
    store, steps, config = run.store, run.steps, run.config
    standing = store.standing
    first, last = len(standing.losses) * steps.per_epoch, config.epochs * steps.per_epoch
    numbers = range(first, first if standing.stopped else last)
    store.method.train()
    with prefetched(partial(steps.views, store.method), numbers) as views:
        while not standing.stopped:
            began = perf_counter()
            total = 0.0
            for _ in range(steps.per_epoch):
                total += _step(run, next(views), first, last)
                first += 1
            # All stop at the same epoch, also where their sums differ in the last bit.
            better = standing.add(run.world.agree(total / steps.per_epoch), config)
            if better and config.protocol == "clean":
                store.keep_best()
            standing.seconds += perf_counter() - began
            probe.after(standing)
            keep.after(standing)
            _show(run, keep, watch)


def _show(run: _Run, keep: Keeper, watch: Watcher | None) -> None:
    asked: StopTraining | None = None
    try:
        if watch is not None:
            watch(_describe(run.store.standing, run.config))
    except StopTraining as stop:
        asked = stop
    if run.world.agree(asked is not None):
        keep.now()
        raise asked or StopTraining


def _step(run: _Run, views: tuple[Any, Any], step: int, steps: int) -> float:
    store = run.store
    one, other = (copy.copy(view).to(store.device) for view in views)  # PyG moves a graph in place
    store.optimizer.zero_grad(set_to_none=True)
    loss = run.loss_of(one, other)
    value = float(loss.detach())
    if not math.isfinite(value):
        raise Diverged(_explain(value, store.standing, run.config))
    loss.backward()
    store.optimizer.step()
    store.method.after_step(step, steps)
    return value


def _explain(value: float, standing: Standing, config: TrainConfig) -> str:
    last = f"the last finite loss was {standing.losses[-1]:.6g}" if standing.losses else "there was none before"
    advice = (
        f"try a lower lr (now {config.lr:g})"
        if standing.losses
        else "look for features or edge weights that are huge or no numbers"
    )
    return f"the loss became {value} in epoch {len(standing.losses) + 1}; {last}: {advice}, or a higher tau"


def _describe(standing: Standing, config: TrainConfig) -> Epoch:
    return Epoch(
        number=len(standing.losses),
        epochs=config.epochs,
        loss=standing.losses[-1],
        best_loss=standing.best_loss,
        patience_left=config.patience - (len(standing.losses) - standing.best_epoch),
        accuracy=standing.accuracies[-1][1] if standing.accuracies else None,
    )


def _identity(method: Trainable, dataset: NodeData | GraphData, config: TrainConfig) -> dict[str, Any]:
    """Say what makes a run this run, in plain values."""
    parts = f"{method}\n{method.views}"  # torch shows layers with their sizes, and transforms show their arguments
    return {
        **asdict(config),
        "method": hashlib.sha256(parts.encode()).hexdigest()[:16],
        "data": str(getattr(dataset, "checksum", "")),
    }

"""A run that was left halfway, and what it must end as, whatever happens to its checkpoints."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

import torch

from rlap.training import TrainConfig, train
from tests.training.standin import graphs, make
from tests.training.test_train import weights

CONFIG = TrainConfig(lr=1e-2, epochs=6, batch_size=4)

# The first epoch of a run that goes on, by the checkpoints that are damaged.
FIRST = {(): 5, ("run.pt",): 4, ("run.pt", "run.pt.previous"): 1, ("run.pt.previous",): 5}


class Halfway(NamedTuple):
    """A folder with run.pt and run.pt.previous, and the losses and weights of a run that was not left."""

    folder: Any
    losses: list[float]
    weights: torch.Tensor


def leave_halfway(folder):
    """Train until after the fourth epoch, with a checkpoint after each."""
    folder.mkdir()
    dataset = graphs()
    whole = make(dataset)
    expected = train(whole, dataset, CONFIG)

    def leave(epoch):
        if epoch.number == 4:
            raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        train(make(dataset), dataset, CONFIG, checkpoint=folder / "run.pt", checkpoint_seconds=0, progress=leave)
    return Halfway(folder, expected.losses, weights(whole))


def resumed(path, halfway):
    """Go on, to what was expected; give the number of the first epoch."""
    seen = []
    method = make(graphs())
    result = train(
        method, graphs(), CONFIG, checkpoint=path, resume=True, progress=lambda epoch: seen.append(epoch.number)
    )
    assert result.losses == halfway.losses
    assert torch.equal(weights(method), halfway.weights)
    return seen[0]


def flip(path, bit):
    """Flip a bit of a file."""
    content = bytearray(path.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)

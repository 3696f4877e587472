"""The runs that train, of `tests.torture.kills`."""

from __future__ import annotations

# Here and not later: a worker limits the threads of torch when it has found who computes, and bits depend on them.
from rlap.experiments.method_job import compute
from rlap.training.loop import train


def compute_often_kept(job, bench):
    """What a worker does, with a checkpoint after every epoch: short runs would have none otherwise."""
    train.__kwdefaults__["checkpoint_seconds"] = 0.0
    return compute(job, bench)

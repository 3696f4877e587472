"""Who computes a job: one function for every kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from rlap.datasets import Folder
from rlap.experiments.job import Job

# Kinds by name, each as module:function. They are text, so that other processes find them, and late, so that nothing
# is imported that is not used. A function takes a job and a `Bench`, and gives a result in values that JSON knows.
KINDS: Mapping[str, str] = {
    "method": "rlap.experiments.method_job:compute",
    "leak": "rlap.experiments.leak:compute",
    "spectral": "rlap.experiments.spectral:compute",
    "overheads": "rlap.experiments.overhead_jobs:compute_overheads",
    "ppr": "rlap.experiments.overhead_jobs:compute_ppr",
    "baseline": "rlap.experiments.baseline_job:compute",
    "trial": "rlap.experiments.search.trial_job:compute",
}


class Stop(Exception):
    """The job is to be left as it is, to be gone on with later."""


@dataclass(frozen=True)
class Bench:
    """What a job finds when it is computed.

    `folder` has the data sets; `checkpoint` is a file of its own, which may be there from before; `watch` is to be
    called now and then with a fraction in [0, 1] and a few words, and may raise `Stop`.
    """

    folder: Folder
    checkpoint: Path
    watch: Callable[[float, str], None]


Compute: TypeAlias = Callable[[Job, Bench], dict[str, Any]]


def find_compute(kind: str, kinds: Mapping[str, str] = KINDS) -> Compute:
    """Find the function of a kind.

    Example:
        >>> find_compute("spectral").__module__
        'rlap.experiments.spectral'
    """
    if kind not in kinds:
        raise ValueError(f"the kind of a job must be one of {', '.join(kinds)} (got {kind!r})")
    module, _, name = kinds[kind].partition(":")
    compute: Compute = getattr(import_module(module), name)
    return compute

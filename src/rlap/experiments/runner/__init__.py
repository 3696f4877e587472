"""Runs jobs against a store: in order, in several processes, within a budget, and so that they can be gone on with.

`prepare` puts jobs into a store; `run_jobs` computes what is missing there.
"""

from rlap.experiments.runner.loop import Options, run_jobs
from rlap.experiments.runner.prepare import Prepared, prepare
from rlap.experiments.runner.progress import Progress

__all__ = ["Options", "Prepared", "Progress", "prepare", "run_jobs"]

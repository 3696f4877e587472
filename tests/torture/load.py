"""Several processes that claim, compute and finish runs of one store, as fast as they can."""

from __future__ import annotations

from tests.experiments.many_workers import Workers
from tests.torture.outcome import Outcome

PROCESSES = 8


def run(count, seed, jobs, folder):
    """Work through as many runs as asked, and look whether each was done once."""
    workers = Workers(folder, count)
    for number in range(PROCESSES):
        workers.start(100 * seed + number)
    workers.wait()
    did = f"{count:,} runs claimed and finished by {PROCESSES} processes on one store, each once"
    yield Outcome(did, {"runs": count, "processes": PROCESSES}, workers.problems())

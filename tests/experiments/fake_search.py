"""Trials that only look at their hyper-parameters, for tests of searches. They do without torch, to start quickly."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from rlap.experiments.job import Job
from rlap.experiments.kinds import Bench

KINDS = {"trial": "tests.experiments.fake_search:tried", "method": "tests.experiments.fake_search:final"}
SPACE = {"layers": (2, 4, 8), "hidden": (128, 256), "gamma1": (0.0, 0.5)}


def quality(parameters: dict[str, Any]) -> float:
    """Say how good a configuration is on validation; no two are alike, and hidden=128, gamma1=0.5, layers=4 is best."""
    return 0.9 - abs(parameters["layers"] - 4) / 50 - parameters["hidden"] / 10_000 + parameters["gamma1"] / 100


def tried(job: Job, bench: Bench) -> dict[str, Any]:
    """Take down that it was computed; die with the one that leads if a file says so."""
    folder = bench.checkpoint.parents[1]
    log = folder / "log.txt"
    if (folder / "die").exists() and log.exists() and len(log.read_text().splitlines()) >= 3:
        os.kill(os.getppid(), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)
    with log.open("a") as file:
        file.write(f"{job.to_json()}\n")
    flat = {**job.settings["train"], **job.settings["method"]}
    if flat["layers"] == 8 and (folder / "fail").exists():
        raise ArithmeticError("this one always fails")
    value = quality(flat)
    scores = {"accuracy": [value, value], "micro_f1": [value, value], "macro_f1": [value, value]}
    return {
        "validation": scores,
        "stopped": "epochs" if "full_epochs" in job.settings else "patience",
        "epochs": 5,
        "best_epoch": 4,
    }


def final(job: Job, bench: Bench) -> dict[str, Any]:
    """Give test scores that turn the order of validation around."""
    value = 1 - quality({**job.settings["train"], **job.settings["method"]})
    scores = {"accuracy": [value, value], "micro_f1": [value, value], "macro_f1": [value, value]}
    return {"scores": scores, "epochs": 5, "best_epoch": 4}


def main(path: Path, trials: int) -> None:
    """Search in a process of its own, which may be killed."""
    from rlap.experiments.runner import Options
    from rlap.experiments.search import Search
    from rlap.experiments.search.loop import run_searches
    from rlap.experiments.store import Store

    search = Search("grace", "digits", "rLap", "clean", SPACE, trials=trials)
    run_searches(Store(path), [search], Options(kinds=KINDS, threads=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))

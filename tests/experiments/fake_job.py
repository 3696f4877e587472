"""A job that only counts, for tests of those who run jobs."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

from rlap.experiments.job import Job
from rlap.experiments.kinds import Bench

KINDS = {"fake": "tests.experiments.fake_job:count"}


def count(job: Job, bench: Bench) -> dict[str, Any]:
    """Count to `steps` from where the checkpoint is; fail or die on the way if the settings say so.

    With "die", it does so in every step, before or after its checkpoint. The result is as long as "size" says.
    """
    bench.checkpoint.parent.mkdir(exist_ok=True)
    done = int(bench.checkpoint.read_text()) if bench.checkpoint.exists() else 0
    began = done
    while done < job.settings.get("steps", 1):
        time.sleep(job.settings.get("pause", 0.0))
        if job.settings.get("die") == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        done += 1
        bench.checkpoint.write_text(str(done))
        if job.settings.get("fail"):
            raise ArithmeticError("this one always fails")
        if job.settings.get("die_at") == done or job.settings.get("die") == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        bench.watch(done / job.settings["steps"], f"step {done}")
    return {"steps": done, "began": began, "process": os.getpid(), "text": "x" * job.settings.get("size", 0)}

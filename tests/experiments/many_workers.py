"""Processes that work on one store at once, with the operating system as a witness of who does what."""

from __future__ import annotations

import fcntl
import os
import random
import signal
import time
import traceback

from rlap.experiments.job import Job
from rlap.experiments.store import Store

ENVIRONMENT = {"environment": {"threads": 1}, "code": "abc", "seconds": 2.0}


def jobs(count):
    """So many jobs, which differ in their seeds."""
    return [(Job("fake", "digits", "grace", "rLap", seed=seed), "checksum") for seed in range(count)]


class Workers:
    """Starts them in a folder, and knows at the end whether every run was done once."""

    def __init__(self, folder, count):
        self.folder, self.children = folder, []
        first = Store(folder / "store.sqlite")
        self.keys = first.add(jobs(count))
        first.close()  # a connection must not pass a fork

    def start(self, seed):
        child = os.fork()
        if child == 0:
            try:
                self.work_until_done(seed)
            except BaseException:
                (self.folder / f"broken-{os.getpid()}").write_text(traceback.format_exc())
            finally:
                os._exit(0)
        self.children.append(child)

    def kill(self, number):
        child = self.children.pop(number)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)

    def wait(self):
        for child in self.children:
            os.waitpid(child, 0)

    def work_until_done(self, seed):
        """Do what a worker does. A lock on a file says that nobody else is at the same run."""
        own = Store(self.folder / "store.sqlite")
        order = list(self.keys)
        random.Random(seed).shuffle(order)
        while {"open", "running"}.intersection(own.states().values()):
            for key in order:
                claim = own.claim(key)
                if claim is None:
                    continue
                with (self.folder / f"{key}.lock").open("w") as lock:
                    try:
                        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    except OSError:
                        (self.folder / "overlap").write_text(key)
                    progress = self.folder / f"{key}.step"
                    for step in range(int(progress.read_text()) if progress.exists() else 0, 4):
                        time.sleep(0.001)
                        part = self.folder / f"{key}.{os.getpid()}.part"
                        part.write_text(str(step + 1))
                        part.replace(progress)
                    fcntl.flock(lock, fcntl.LOCK_UN)
                own.finish(claim, {"answer": f"of {key}"}, **ENVIRONMENT)
                with (self.folder / "finished").open("a") as log:
                    log.write(f"{key}\n")

    def problems(self):
        """List what is not as it should be."""
        found = [path.read_text() for path in self.folder.glob("broken-*")]
        if (self.folder / "overlap").exists():
            found.append(f"two processes were at one run: {(self.folder / 'overlap').read_text()}")
        log = (self.folder / "finished").read_text().split()
        if len(log) != len(set(log)):
            found.append(f"{len(log) - len(set(log))} runs were finished twice")
        store = Store(self.folder / "store.sqlite")
        if {entry.key: entry.result for entry in store.entries()} != {k: {"answer": f"of {k}"} for k in self.keys}:
            found.append("results are missing, or others than they should be")
        if store._connection.execute("SELECT count(*) FROM results").fetchone()[0] != len(self.keys):
            found.append("there must be one result for every run")
        if store._connection.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            found.append("the file is damaged")
        store.close()
        return found

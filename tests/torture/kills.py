"""`rlap reproduce` and its runner under SIGKILL: workers and callers, at random moments, again and again.

Every store must end with the results of one that nobody disturbed, bit by bit, and a result that is there must stay.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

from rlap.experiments.job import Job, job_key
from tests.torture.outcome import ROOT, Outcome

RUNS = ["graphcl", "grace", "-d", "digits,families", "-a", "rLap,EdgeDropping", "--seeds", "2"]
SMALL = ["--protocol", "clean", "--set", "hidden=8", "--set", "epochs=25", "--set", "splits=2", "--threads", "1"]
COUNTING, STEPS = 200, 20  # runs of a store, and how far each counts, in half a second
MODULE = "tests.torture.kills"
_GIVEN_UP = "the process that computed it ended 3 times"
# Seconds between two kills, mostly; sometimes a part of the time that all takes undisturbed, for runs to get on.
_SOON, _LATE, _SHARE = 0.2, (0.05, 0.3), 0.95
_BUSY = 0.8  # of the workers that are killed, so many have a run; the others may not be ready yet
_CALLER, _STARTING = 0.04, 0.001  # the chance that the caller is killed instead of a worker, and before it has any


def run(count, seed, jobs, folder):
    """Kill as often as asked, over as many stores as it takes, and tell after each.

    Nine tenths are of runs that count and keep how far they are, whose workers are at work after a moment; the last
    tenth of runs that train.
    """
    chance, counted, problems = random.Random(seed), Counter(), []
    for kind, until in (("count", count - math.ceil(count / 10)), ("train", count)):
        expected, peace = undisturbed(folder) if kind == "train" else (counted_out(), 10.0)
        while counted["kills"] < until and not problems:
            store = folder / f"{kind}-{counted['stores']}.sqlite"
            problems += [f"{store}: {one}" for one in disturb(kind, store, expected, until, chance, counted, peace)]
            counted["stores"] += 1
            did = (
                f"{counted['kills']:,} kills ({counted['count']:,} of runs that count, {counted['train']:,} of runs "
                f"that train; {counted['workers']:,} of workers, {counted['callers']:,} of their callers); "
                f"{counted['results']:,} results, each once and with the bits of an undisturbed run"
            )
            yield Outcome(did, dict(counted), problems)


def undisturbed(folder):
    """What runs that train give when nobody kills them, and the seconds that it takes."""
    calm, began = folder / "undisturbed.sqlite", time.monotonic()
    with calm.with_suffix(".log").open("w") as log:
        start("train", calm, log).wait()
    return results(calm), time.monotonic() - began


def counted_out():
    """What runs that count must give, computed here."""
    expected = {}
    for job in counting_jobs(COUNTING):
        digest = str(job.seed)
        for _ in range(STEPS):
            digest = hashlib.sha256(digest.encode()).hexdigest()
        expected[job_key(job, "checksum")] = {"digest": digest}
    return expected


def counting_jobs(number):
    """The runs that count, of one store."""
    return [Job("count", "digits", "none", "none", seed=seed) for seed in range(number)]


def disturb(kind, store, expected, until, chance, counted, peace):
    """Call until all is done, and kill meanwhile; list what is wrong."""
    witness, problems, peaceful = Witness(store, counted), [], 0
    with store.with_suffix(".log").open("w+") as log:
        while not problems and not witness.all_done():
            caller = start(kind, store, log)
            while caller.poll() is None and counted["kills"] < until and not problems:
                pause = chance.expovariate(1 / _SOON) if chance.random() < _SHARE else peace * chance.uniform(*_LATE)
                time.sleep(pause if workers(caller.pid) else 0.1)
                kill_one(kind, store, caller, chance, counted)
                problems += witness.look()
            peaceful += counted["kills"] >= until
            if caller.wait() not in (0, 1, -signal.SIGKILL):
                problems.append(f"rlap reproduce ended with {caller.returncode}")
            if peaceful > 10:
                problems.append("it does not end, though nobody is killed any more")
            problems += witness.look()
        log.seek(0)
        text = log.read()
    if "Traceback" in text:
        problems.append(text[text.index("Traceback") :][:2000])
    found = results(store)
    counted["results"] += len(found)
    wrong = [key for key in expected.keys() | found.keys() if expected.get(key) != found.get(key)]
    if wrong:
        problems.append(f"results are not those of an undisturbed run: {wrong}")
    with closing(sqlite3.connect(store)) as opened:
        problems += [row[0] for row in opened.execute("PRAGMA integrity_check") if row[0] != "ok"]
    return problems


def kill_one(kind, store, caller, chance, counted):
    """Kill a worker, or now and then the caller; as the case may be, before it is ready."""
    victims = workers(caller.pid)
    if chance.random() < _BUSY:
        victims = [pid for (pid,) in query(store, "SELECT pid FROM runs WHERE state = 'running'") if pid in victims]
    own = chance.random() < (_CALLER if victims else _STARTING)
    if not own and not victims:
        return
    if caller.poll() is None:
        try:
            os.kill(caller.pid if own else chance.choice(victims), signal.SIGKILL)
        except ProcessLookupError:
            return  # it has ended by itself
        if not own or caller.wait() == -signal.SIGKILL:
            counted["callers" if own else "workers"] += 1
            counted[kind] += 1
            counted["kills"] += 1


class Witness:
    """Looks at a store now and then: what was there must stay as it was, and runs may fail by three deaths alone."""

    def __init__(self, store, counted):
        self.store, self.counted = store, counted
        self.seen, self.failed = {}, set()

    def look(self):
        """List what is wrong."""
        now = rows(self.store)
        problems = [f"the result of {key} is gone, or another" for key in self.seen if now.get(key) != self.seen[key]]
        self.seen = now
        failed = dict(query(self.store, "SELECT key, error FROM runs WHERE state = 'failed'"))
        self.counted["given up, and taken up again"] += len(failed.keys() - self.failed)
        self.failed = failed.keys()
        return problems + [error for error in failed.values() if not error.startswith(_GIVEN_UP)]

    def all_done(self):
        """Whether every run has a result."""
        return {state for (state,) in query(self.store, "SELECT state FROM runs")} == {"done"}


def query(store, text):
    """Ask a store, as SQLite has it; one that does not yet have tables has nothing."""
    if not store.exists():
        return []
    with closing(sqlite3.connect(store, timeout=60)) as opened:
        if not opened.execute("SELECT count(*) FROM sqlite_master WHERE name = 'results'").fetchone()[0]:
            return []
        return opened.execute(text).fetchall()


def rows(store):
    """What is written of every result."""
    return {row[0]: row[1:] for row in query(store, "SELECT key, result, environment, finished FROM results")}


def results(store):
    """All results by key, without what a clock has measured."""
    found = {key: json.loads(row[0]) for key, row in rows(store).items()}
    return {key: {name: one[name] for name in one if name != "training_seconds"} for key, one in found.items()}


def workers(pid):
    """The processes that a caller has started to compute."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except FileNotFoundError:
        return []
    found = []
    for child in children:
        try:
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(int(child))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return sorted(found)


def start(kind, store, log):
    """Call `rlap reproduce`, or its runner alone, in a process of its own."""
    words = ["count", str(store), str(COUNTING)]
    if kind == "train":
        words = ["reproduce", *RUNS, *SMALL, "--retry-failed", "--jobs", "2", "--store", str(store)]
    command = [sys.executable, "-m", MODULE, *words]
    return subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, text=True)


def count(job, bench):
    """A chain of digests, each of the one before, that is kept after every step."""
    bench.checkpoint.parent.mkdir(exist_ok=True)
    step, digest = json.loads(bench.checkpoint.read_text()) if bench.checkpoint.exists() else (0, str(job.seed))
    for number in range(step + 1, STEPS + 1):
        time.sleep(0.02)
        digest = hashlib.sha256(digest.encode()).hexdigest()
        part = bench.checkpoint.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps([number, digest]))
        part.replace(bench.checkpoint)
        bench.watch(number / STEPS, digest)
    return {"digest": digest}


def count_all(path, number=COUNTING):
    """Run all that count, as `rlap reproduce --retry-failed` does."""
    from rlap.experiments.runner.loop import Options, run_jobs
    from rlap.experiments.store import Store

    store = Store(path)
    jobs = counting_jobs(number)
    keys = store.add([(job, "checksum") for job in jobs])
    store.reopen(keys)
    try:
        run_jobs(store, dict(zip(keys, jobs, strict=True)), Options(3, kinds={"count": f"{MODULE}:count"}, threads=1))
    except RuntimeError as problem:
        sys.exit(f"Error: {problem}")  # five workers in a row were killed before they were ready


if __name__ == "__main__":
    if sys.argv[1] == "count":
        count_all(Path(sys.argv[2]), *map(int, sys.argv[3:]))
    else:
        from rlap.cli import main
        from rlap.experiments.kinds import KINDS

        KINDS["method"] = "tests.torture.training:compute_often_kept"
        main()

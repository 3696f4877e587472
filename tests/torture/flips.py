"""Checkpoints with a flipped bit: no run goes on from one, and all end with the bits of a run that was not hurt."""

from __future__ import annotations

import random
import shutil
from collections import Counter

from tests.torture.outcome import Outcome
from tests.training.halfway import FIRST, flip, leave_halfway, resumed


def run(count, seed, jobs, folder):
    """Flip bits at random, in the last checkpoint, in the one before, or in both, and go on."""
    chance, counted, problems = random.Random(seed), Counter(), []
    halfway = leave_halfway(folder / "halfway")
    while counted["flips"] < count:
        names = chance.choice([case for case in FIRST if case and counted["flips"] + len(case) <= count])
        shutil.copytree(halfway.folder, folder / "run")
        damaged = {}
        for name in names:
            path = folder / "run" / name
            bit = chance.randrange(8 * path.stat().st_size)
            flip(path, bit)
            damaged[path.with_name(f"{name}.damaged")] = path.read_bytes()
            counted["flips"] += 1
        try:
            first = resumed(folder / "run" / "run.pt", halfway)
        except Exception as problem:
            problems.append(f"{', '.join(names)}, last bit {bit}: {type(problem).__name__}: {problem}")
        else:
            if first != FIRST[names]:
                problems.append(f"{', '.join(names)}, last bit {bit}: it went on from epoch {first}")
            aside = {path: content for path, content in damaged.items() if "run.pt" in names}
            problems += [f"{path.name} was not set aside" for path in aside if not path.exists()]
            problems += [
                f"{path.name} is another" for path in aside if path.exists() and path.read_bytes() != aside[path]
            ]
        shutil.rmtree(folder / "run")
        counted["runs"] += 1
        if counted["runs"] % 100 == 0 or counted["flips"] == count:
            did = f"{counted['flips']:,} bits flipped in {counted['runs']:,} runs, each with the end of a whole one"
            yield Outcome(did, dict(counted), problems)

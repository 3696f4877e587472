"""`make torture`: everything that is tested at random, at full length, and a table of what came of it."""

from __future__ import annotations

import argparse
import importlib.util
import logging
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

import torch

from tests.torture import flips, kills, load
from tests.torture.outcome import ROOT, Outcome, record, to_markdown


def fuzz(module, option, what):
    """A part that is a command of its own; its last line says how many it did, and it fails if it found anything."""

    def run(count, seed, jobs, folder):
        command = [sys.executable, "-m", module, option, str(count), "--seed", str(seed), "--jobs", str(jobs)]
        command += ["--seconds", "1e7"]
        last = []
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as child:
            for line in child.stdout:
                print(line, end="", flush=True)
                last = [*last[-20:], line]
        said = re.search(rf"(\d+) {option.strip('-')}", last[-1] if last else "")
        done = int(said[1]) if said else 0
        fine = child.returncode == 0 and done >= count
        problems = [] if fine else [f"{' '.join(command[1:])} ended with {child.returncode}:\n{''.join(last)}"]
        yield Outcome(f"{done:,} {what}", {"count": done}, problems)

    run.module = module
    return run


PARTS = {
    "API": (1_000_000, fuzz("tests.fuzz.api", "--calls", "calls with random arguments")),
    "readers": (200_000, fuzz("tests.fuzz.readers", "--files", "mutated files read")),
    "kills": (1_000, kills.run),
    "flips": (1_000, flips.run),
    "load": (20_000, load.run),
}


def main():
    parser = argparse.ArgumentParser(prog="make torture", description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="of all counts; 0.01 is a quick try")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2, help="processes of the fuzzers")
    parser.add_argument("--only", default=",".join(PARTS), help="parts, with commas between")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "torture.json", help="figures, part by part")
    options = parser.parse_args()
    logging.getLogger("rlap").setLevel(logging.ERROR)  # a word for every damaged file is as it should be
    torch.set_num_threads(1)  # runs are tiny
    chosen = options.only.split(",")
    if not set(chosen) <= PARTS.keys():
        parser.error(f"parts must be among {', '.join(PARTS)} (got {options.only!r})")
    broken = 0
    for name in chosen:
        count, run = PARTS[name]
        if hasattr(run, "module") and importlib.util.find_spec(run.module) is None:
            print(f"{name}: left out, there is no {run.module}", flush=True)
            continue
        print(f"== {name}", flush=True)
        folder, began = Path(tempfile.mkdtemp(prefix=f"torture-{name}-")), time.monotonic()
        outcome = Outcome("nothing")
        try:
            for outcome in run(max(1, round(options.scale * count)), options.seed, options.jobs, folder):
                record(options.out, name, outcome, options.seed, time.monotonic() - began)
                print(outcome.did, flush=True)
        except Exception:
            outcome.problems.append(traceback.format_exc())
            record(options.out, name, outcome, options.seed, time.monotonic() - began)
        for problem in outcome.problems:
            print(problem, file=sys.stderr, flush=True)
        if outcome.problems:
            broken += 1
            print(f"what there was is left in {folder}", file=sys.stderr)
        else:
            shutil.rmtree(folder)
    if options.out.exists():
        table = to_markdown(options.out)
        options.out.with_suffix(".md").write_text(table)
        print(f"\n{table}")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()

"""What does an epoch of GRACE take, what share of it are rLap's views, and do views in the background slow it down?

    python benchmarks/training.py --data DIR [--epochs 3] [--turns 3] [--threads N]

DIR holds the raw files of PyG's data sets. Memory is the peak resident size of a process of its own, with Python, torch
and the data set. Time is that of an epoch once training runs, with views made while torch works on the step before,
against the same steps with views that were there before the clock started; both take turns, and the median counts. The
share of views, on Cora and Photo, is their part of the processor time of a step.

Run it on a machine that is otherwise idle. On a busy one, threads of OpenMP that wait for each other in a loop make
"beforehand" up to three times slower than "in the background", whose further threads make them wait in another way:
ratios far below 1 mean this, not that views are free. OMP_WAIT_POLICY=PASSIVE or --threads 1 avoid most of it.
"""

from __future__ import annotations

import argparse
import os
import statistics
from contextlib import suppress
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import torch
from core import claim
from timing import in_new_process

from rlap import datasets, methods
from rlap.experiments import make_config
from rlap.training import Epoch, TrainConfig, train
from rlap.training.steps import Steps

MEMORY = """
import sys
sys.path.insert(0, sys.argv[1])
from training import grace, seconds_per_epoch
dataset, method = grace("COAUTHOR-PHY", sys.argv[2])
seconds_per_epoch(method, dataset, 2)
for line in open("/proc/self/status"):
    if line.startswith("VmHWM:"):
        print(int(line.split()[1]) / 2**20)
"""


class Enough(Exception):
    """Ends training after the epochs that are measured."""


class Ready:
    """Gives views that were made beforehand, over and over."""

    def __init__(self, views: list[tuple[Any, Any]]) -> None:
        self.views, self.next = views, 0

    def __call__(self, data: Any) -> tuple[Any, Any]:
        self.next += 1
        return self.views[(self.next - 1) % len(self.views)]


def grace(name: str, folder: str | Path) -> tuple[Any, Any]:
    """Load a data set, and build GRACE with the paper's numbers."""
    dataset = datasets.load(name, folder, sparse_features=True)
    torch.manual_seed(0)
    return dataset, methods.build(make_config("grace", name).method, dataset.num_features)


def share_of_views(name: str, folder: Path, epochs: int) -> tuple[float, float]:
    """Return the processor time of a step's two views as a part of the whole step's: rLap alone, and with masks."""
    dataset, method = grace(name, folder)
    steps = Steps(dataset, TrainConfig())
    rlap_alone = [compose.transforms[0] for compose in (method.views.t1, method.views.t2)]
    making = {
        "rLap": lambda step: [transform(dataset.data) for transform in rlap_alone],
        "with masks": lambda step: steps.views(method, step),
    }
    cost = {}
    for what, make in making.items():
        make(0)  # reads the graph
        begin = process_time()
        for step in range(1, epochs + 1):
            make(step)
        cost[what] = (process_time() - begin) / epochs
    _, whole = seconds_per_epoch(method, dataset, epochs)
    shown = ", ".join(f"{what} {seconds * 1e3:.1f} ms" for what, seconds in cost.items())
    print(f"{name}: two views, {shown}, of {whole * 1e3:.1f} ms a step, in the time of processors")
    return cost["rLap"] / whole, cost["with masks"] / whole


def seconds_per_epoch(method: Any, dataset: Any, epochs: int) -> tuple[float, float]:
    """Train, and give the mean time of so many epochs after the first, whose views nobody could make ahead.

    First by the clock on the wall, then that of all processors.
    """
    ends: list[tuple[float, float]] = []

    def watch(epoch: Epoch) -> None:
        ends.append((perf_counter(), process_time()))
        if epoch.number > epochs:
            raise Enough

    with suppress(Enough):
        train(method, dataset, TrainConfig(lr=1e-2), progress=watch)  # it would go on, so views are made to the end
    wall, processors = ((end - begin) / epochs for begin, end in zip(ends[0], ends[-1], strict=True))
    return wall, processors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("RLAP_DATA"), help="raw files of PyG's data sets")
    parser.add_argument("--epochs", type=int, default=3, help="epochs of a turn")
    parser.add_argument("--turns", type=int, default=3, help="turns of each candidate")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads(), help="of torch")
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("--data or RLAP_DATA must say where the data sets are")
    torch.set_num_threads(arguments.threads)

    memory = float(in_new_process(MEMORY, str(Path(__file__).parent), str(arguments.data)))
    shares = {name: share_of_views(name, arguments.data, 20) for name in ("CORA", "AMAZON-PHOTO")}
    dataset, method = grace("COAUTHOR-PHY", arguments.data)
    steps = Steps(dataset, TrainConfig())
    begin = perf_counter()
    stored = [steps.views(method, step) for step in range(arguments.epochs + 1)]
    making = (perf_counter() - begin) / len(stored)
    makers = {"in the background": method.views, "beforehand": Ready(stored)}
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in makers}
    for _ in range(arguments.turns):
        for name, maker in makers.items():
            method.views = maker
            seconds[name].append(seconds_per_epoch(method, dataset, arguments.epochs))
    for name, turns in seconds.items():
        shown = ", ".join(f"{wall:.2f} s ({processors:.2f} s of processors)" for wall, processors in turns)
        print(f"an epoch with views {name}: {shown}")
    print(f"two views alone: {making:.2f} s; {arguments.threads} threads of torch\n")
    for name, (alone, masked) in shares.items():
        claim(f"share of rLap in a step of GRACE, {name}", alone, 0.05, 0.02)
        claim(f"the same with feature masks, {name}", masked, 0.05, 0.02)
    claim("GRACE on Coauthor-Physics, hidden 128: peak memory, GiB", memory, 6.0, None)
    claim("an epoch with views in the background against beforehand", ratio(seconds, 0), 1.05, None)
    # Not bounded, but the reason to look at: it is what the epoch pays where torch leaves no processor idle.
    print(f"  {'the same in the time of processors':<62} {ratio(seconds, 1):7.2f}")


def ratio(seconds: dict[str, list[tuple[float, float]]], clock: int) -> float:
    one, other = (statistics.median(turn[clock] for turn in turns) for turns in seconds.values())
    return one / other


if __name__ == "__main__":
    main()

"""How much faster than torch's are dropout and PReLU, and a step of MVGRL whose last layer moves to the graphs?

    python benchmarks/layers.py [--data DIR] [--runs 15] [--threads 1]

Times are forward and backward, of rows as a batch of PROTEINS has them. DIR holds the raw files of PyG's data sets;
with it, steps of MVGRL with rLap on Cora are timed, with the layer at its place and moved.
"""

from __future__ import annotations

import argparse
import os
from functools import partial
from pathlib import Path

import torch
from timing import medians
from torch import nn

from rlap import datasets
from rlap.experiments import make_config
from rlap.experiments.single_run import build
from rlap.models import Dropout, PReLU
from rlap.training.steps import Steps

ROWS, WIDTH = 5000, 256


def both_ways(layer: nn.Module, rows: torch.Tensor, gradient: torch.Tensor) -> None:
    layer(rows).backward(gradient)


def compare_layers(runs: int) -> None:
    rows, gradient = torch.randn(ROWS, WIDTH).requires_grad_(), torch.randn(ROWS, WIDTH)
    for ours, theirs in ((Dropout(0.2), nn.Dropout(0.2)), (PReLU(), nn.PReLU()), (PReLU(WIDTH), nn.PReLU(WIDTH))):
        calls = {name: partial(both_ways, layer, rows, gradient) for name, layer in (("o", ours), ("t", theirs))}
        times = medians(calls, runs)
        share = times["o"] / times["t"]
        print(
            f"{ours}: {times['o'] * 1e3:.2f} ms, torch {times['t'] * 1e3:.2f} ms, {share:.2f} of its time", flush=True
        )


def compare_steps(folder: Path, runs: int) -> None:
    config = make_config("mvgrl", "Cora")
    dataset = datasets.load(config.dataset, folder, features=config.features, sparse_features=True)
    method = build(config.method, dataset.num_features, seed=0)
    views = Steps(dataset, config.train).views(method, 0)

    def step(folds: bool) -> None:
        method.folds = folds
        method.zero_grad()
        method(*views).backward()

    times = medians({"moved": partial(step, True), "plain": partial(step, False)}, runs)
    share = times["moved"] / times["plain"]
    print(f"MVGRL on Cora: {times['moved']:.3f} s, at its place {times['plain']:.3f} s, {share:.2f} of its time")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("RLAP_DATA"))
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    compare_layers(options.runs)
    if options.data:
        compare_steps(Path(options.data), options.runs)


if __name__ == "__main__":
    main()

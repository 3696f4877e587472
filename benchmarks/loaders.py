"""What does GRACE lose when it is trained on small graphs, and which kind of small graph loses least?

    python benchmarks/loaders.py --data DIR [--out loaders.csv] [--datasets PubMed CS Physics] [--sizes 2048 4096 8192]
                                 [--loaders schur walks induced cluster whole] [--epochs 200] [--seeds 1] [--quick]

For every data set, size and seed: Schur complements onto random nodes (by elimination, and by walks), induced
sub-graphs of random nodes, METIS parts, and the whole graph, which has no size. All with the paper's numbers for GRACE
with rLap.
A cell is a process of its own. It is written to the CSV file when it is finished, and not computed again by the next
call, so that a call may be killed at any time. --quick is one small cell of each kind.

Columns: `accuracy` and `std` in percent, over splits; `seconds` of an epoch, batches and views included;
`cpu_seconds` the same in the time of all processors, which others on the machine disturb less; `peak_gib` of
resident memory while it trains, with Python, torch and the data set (`before_gib` is what it had before); `edges` of a
batch, both directions, before it is augmented; `batch_ms` of processors to make one batch, alone, when training is
over.
Epochs are as many as asked, or fewer where patience ends: compare `steps` too.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time
from typing import Any

import torch

from rlap import datasets, loader
from rlap.evaluation import evaluate
from rlap.experiments import make_config
from rlap.experiments.environment import peak_memory, start_peak
from rlap.experiments.single_run import build
from rlap.training import embed, train
from rlap.training.loaded_steps import make_steps

COLUMNS = [
    "accuracy",
    "std",
    "epochs_run",
    "steps",
    "seconds",
    "cpu_seconds",
    "peak_gib",
    "before_gib",
    "edges",
    "batch_ms",
]
GIB = 2**30


@dataclass(frozen=True)
class Cell:
    """One line of the table."""

    dataset: str
    loader: str
    size: int
    seed: int
    epochs: int
    splits: int
    threads: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("RLAP_DATA"), help="raw files of PyG's data sets")
    parser.add_argument("--out", type=Path, default=Path("loaders.csv"))
    parser.add_argument("--datasets", nargs="+", default=["PubMed", "CS", "Physics"])
    parser.add_argument("--sizes", nargs="+", type=int, default=[2048, 4096, 8192])
    parser.add_argument("--loaders", nargs="+", default=["schur", "walks", "induced", "cluster", "whole"])
    parser.add_argument("--epochs", type=int, default=200)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads(), help="of torch")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--cell", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.quick:
        asked.datasets, asked.sizes, asked.seeds, asked.epochs, asked.splits = ["digits"], [512], 1, 3, 2
    elif asked.data is None:
        parser.error("--data or RLAP_DATA must say where the data sets are")
    if asked.cell is not None:
        torch.set_num_threads(asked.threads)
        print(json.dumps(compute(Cell(**json.loads(asked.cell)), asked.data)))
        return
    done = read(asked.out)
    for cell in cells(asked):
        key = tuple(map(str, asdict(cell).values()))
        if key not in done:
            command = [sys.executable, __file__, *sys.argv[1:], "--threads", str(asked.threads)]
            words = [*command, "--cell", json.dumps(asdict(cell))]
            found = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
            done[key] = write(asked.out, cell, json.loads(found))
        print(f"{cell.dataset:8} {cell.loader:8} {cell.size:5} seed {cell.seed}: {describe(done[key])}", flush=True)


def cells(asked: Any) -> list[Cell]:
    """List what is asked for, small data sets first; the whole graph has one size."""
    listed = [
        Cell(name, kind, 0 if kind == "whole" else size, seed, asked.epochs, asked.splits, asked.threads)
        for seed in range(asked.seeds)
        for name in asked.datasets
        for size in asked.sizes
        for kind in asked.loaders
    ]
    return list(dict.fromkeys(listed))


def compute(cell: Cell, folder: str | None) -> dict[str, float]:
    """Train, measure, embed and evaluate."""
    chosen: dict[str, Any] = {"epochs": cell.epochs, "seed": cell.seed}
    if cell.loader != "whole":
        chosen |= {"loader": cell.loader, "batch_size": cell.size}
    config = make_config("grace", cell.dataset, **chosen)
    dataset = datasets.load(config.dataset, folder, sparse_features=True)
    method = build(config.method, dataset.num_features, cell.seed)
    start_peak()
    before = peak_memory()
    began = process_time()
    result = train(method, dataset, config.train)
    processors = process_time() - began
    peak = peak_memory()
    batches = one_epoch(cell, dataset)
    embedding = embed(method, dataset, config.train)
    scores = evaluate(embedding, dataset.labels, "node", splits=cell.splits, seed=cell.seed)
    return {
        "accuracy": 100 * scores.mean(),
        "std": 100 * scores.std(),
        "epochs_run": result.epochs,
        "steps": result.epochs * make_steps(dataset, config.train).per_epoch,
        "seconds": result.seconds / result.epochs,
        "cpu_seconds": processors / result.epochs,
        "peak_gib": peak / GIB,
        "before_gib": before / GIB,
        **batches,
    }


def one_epoch(cell: Cell, dataset: Any) -> dict[str, float]:
    """Give the edges of a batch, and the time to make one."""
    if cell.loader == "whole":
        return {"edges": dataset.data.num_edges, "batch_ms": 0.0}
    batches = loader.get(cell.loader, dataset.data, cell.size, seed=cell.seed)
    begin = process_time()
    edges = [batch.num_edges for batch in batches]
    return {"edges": sum(edges) / len(edges), "batch_ms": 1e3 * (process_time() - begin) / len(edges)}


def read(path: Path) -> dict[tuple[str, ...], dict[str, str]]:
    """Read the cells that are there."""
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {tuple(row[name] for name in Cell.__dataclass_fields__): row for row in csv.DictReader(file)}


def write(path: Path, cell: Cell, found: dict[str, float]) -> dict[str, str]:
    """Add a cell to the file."""
    row = {**{name: str(value) for name, value in asdict(cell).items()}, **{k: f"{found[k]:.5g}" for k in COLUMNS}}
    new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, [*Cell.__dataclass_fields__, *COLUMNS])
        if new:
            writer.writeheader()
        writer.writerow(row)
    return row


def describe(row: dict[str, str]) -> str:
    numbers = {name: float(row[name]) for name in COLUMNS}
    return (
        "{accuracy:6.2f} ± {std:.2f} %, {seconds:6.2f} s an epoch ({cpu_seconds:.2f} of CPU), {steps:.0f} steps, "
        "{peak_gib:5.2f} GiB ({before_gib:.2f} before), {edges:8.0f} edges, {batch_ms:6.1f} ms a batch"
    ).format(**numbers)


if __name__ == "__main__":
    main()

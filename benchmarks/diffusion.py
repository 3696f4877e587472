"""How fast are the diffusions, and how much memory do they need? Against the dense inverse, in one run.

    python benchmarks/diffusion.py --data DIR [--runs 5] [--skip-dense]

DIR holds the raw files of PyG's data sets. The dense way is that of the peers: `torch.linalg.inv` of a float32 matrix,
then a threshold; it is run once on PubMed, where it takes minutes. The whole call counts, from edge_index to the edges
of the result. Memory is the growth of the resident size at its peak, in a process of its own; the result is part of it.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np
import torch
from graphs import NODE_SETS, node_set
from timing import in_new_process, medians
from torch import Tensor

from rlap.diffusion import PPR, Heat, Markov, Series, diffuse_edges

SERIES: dict[str, Series] = {"PPR": PPR(0.2), "heat": Heat(5.0), "Markov": Markov(0.2, 10)}
DENSE = {"Photo": 3.0, "PubMed": 20.0}  # and how many times faster PPR must be
LIMITS = {"PPR": 4.0, "heat": 6.0, "Markov": 6.0}  # GiB

MEASURE = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
import numpy as np
from rlap import diffusion
from rlap.diffusion import diffuse_edges
from timing import peak_growth
edge_index, nodes = np.load(sys.argv[2]), int(sys.argv[3])
series = getattr(diffusion, sys.argv[4])(*json.loads(sys.argv[5]))
diffuse_edges(edge_index[:, :0], num_nodes=2, series=series)
begin, work = time.perf_counter(), time.process_time()
grown, (index, weight) = peak_growth(lambda: diffuse_edges(edge_index, num_nodes=nodes, series=series))
print(grown, weight.size, time.perf_counter() - begin, time.process_time() - work)
"""


def sparse_ppr(edge_index: np.ndarray, nodes: int) -> object:
    return diffuse_edges(edge_index, num_nodes=nodes, series=PPR(0.2), eps=1e-4)


def dense_ppr(edge_index: Tensor, nodes: int) -> object:
    transition = torch.zeros(nodes, nodes)
    transition[edge_index[0], edge_index[1]] = 1
    transition /= transition.sum(dim=0).clamp(min=1)
    system = transition.mul_(-0.8)
    system.diagonal().add_(1)
    result = torch.linalg.inv(system).mul_(0.2)
    index = (result >= 1e-4).nonzero().t()
    return index, result[index[0], index[1]]


def against_dense(name: str, edge_index: Tensor, nodes: int, runs: int) -> None:
    ours = partial(sparse_ppr, edge_index.numpy(), nodes)
    if nodes < 10_000:
        times = medians({"sparse": ours, "dense": partial(dense_ppr, edge_index, nodes)}, runs)
    else:
        before = medians({"sparse": ours}, runs)["sparse"]
        begin = time.perf_counter()
        dense_ppr(edge_index, nodes)
        dense = time.perf_counter() - begin
        times = {"dense": dense, "sparse": (before + medians({"sparse": ours}, runs)["sparse"]) / 2}
    ratio = times["dense"] / times["sparse"]
    verdict = "reached" if ratio >= DENSE[name] else "MISSED"
    seconds = f"sparse {times['sparse']:.2f} s, dense {times['dense']:.2f} s"
    print(f"{name}: PPR {seconds}, {ratio:.1f} times faster (must {DENSE[name]:.0f}: {verdict})", flush=True)


def alone(name: str, edge_index: Tensor, nodes: int) -> None:
    with tempfile.NamedTemporaryFile(suffix=".npy") as file:
        np.save(file.name, edge_index.numpy())
        for kind, series in SERIES.items():
            parameters = json.dumps(dataclasses.astuple(series))
            script = (str(Path(__file__).parent), file.name, str(nodes), type(series).__name__, parameters)
            grown, entries, seconds, work = map(float, in_new_process(MEASURE, *script).split())
            memory = grown / 2**30
            verdict = "reached" if memory < LIMITS[kind] else "MISSED"
            print(
                f"{name}: {series}  {seconds:.2f} s ({work:.2f} s of processors), {entries / 1e6:.2f} M entries, "
                f"{memory:.3f} GiB (must be below {LIMITS[kind]:.0f}: {verdict})",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("RLAP_DATA"), help="raw files of PyG's data sets")
    parser.add_argument("--runs", type=int, default=5, help="runs of each candidate")
    parser.add_argument("--skip-dense", action="store_true", help="leave out the dense inverses")
    arguments = parser.parse_args()
    if not arguments.data:
        parser.error("--data is needed: the graphs are those of the paper")
    for name in NODE_SETS:
        alone(name, *node_set(name, Path(arguments.data)))
    for name in [] if arguments.skip_dense else DENSE:
        against_dense(name, *node_set(name, Path(arguments.data)), arguments.runs)


if __name__ == "__main__":
    main()

"""How fast is a view? Against `coalesce` and edge dropping, in one run.

    python benchmarks/core.py --data DIR [--runs 15] [--skip-large]

DIR holds the raw files of PyG's data sets; without it only generated graphs are measured. One thread unless a line says
otherwise. The whole call counts: from edge_index to the sorted edge_index and weights of the view.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import scipy.sparse as sp
import torch
from graphs import NODE_SETS, node_set, proteins_batch, random_graph
from timing import in_new_process, medians
from torch import Tensor
from torch_geometric.utils import coalesce

import rlap

Candidates = dict[str, Callable[[], object]]

MEMORY = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np, rlap
from timing import peak_growth
edge_index = np.load(sys.argv[2])
nodes = int(edge_index.max()) + 1
rlap.schur_view(edge_index[:, :0], num_nodes=nodes, fraction=0.5, seed=0)
options = dict(num_nodes=nodes, fraction=0.5, dtype="float32", seed=0, num_threads=1)
grown, view = peak_growth(lambda: rlap.schur_view(edge_index, **options))
print(grown - view.edge_index.nbytes - view.edge_weight.nbytes)
"""


def view(edge_index: Tensor | rlap.PreparedGraph, nodes: int | None, **options: object) -> object:
    return rlap.schur_view(edge_index, num_nodes=nodes, fraction=0.5, seed=1, **{"num_threads": 1, **options})


def drop_edges(edge_index: Tensor) -> Tensor:
    mask = torch.bernoulli(torch.full((edge_index.shape[1],), 0.5)).to(torch.bool)
    return edge_index[:, mask]


def to_csr(edge_index: Tensor, nodes: int) -> object:
    row, col = edge_index.numpy()
    return sp.coo_array((np.ones(row.size, np.float32), (row, col)), shape=(nodes, nodes)).tocsr()


def candidates(edge_index: Tensor, nodes: int, everything: bool) -> Candidates:
    prepared = rlap.prepare(edge_index, num_nodes=nodes)
    some: Candidates = {
        "coalesce": partial(coalesce, edge_index, num_nodes=nodes),
        "drop edges": partial(drop_edges, edge_index),
        "coo to csr": partial(to_csr, edge_index, nodes),
        "random/asc": partial(view, edge_index, nodes),
        "degree/asc": partial(view, edge_index, nodes, node_order="degree"),
        "walks": partial(view, edge_index, nodes, method="walks"),
        "prepared, random/asc": partial(view, prepared, None),
        "prepared, degree/asc": partial(view, prepared, None, node_order="degree"),
    }
    if everything:
        some |= {
            "random/desc": partial(view, edge_index, nodes, neighbor_order="desc"),
            "random/random": partial(view, edge_index, nodes, neighbor_order="random"),
            "coarsening": partial(view, edge_index, nodes, method="coarsening"),
            "two views, 1 thread": partial(view, edge_index, nodes, num_views=2),
            "two views, 2 threads": partial(view, edge_index, nodes, num_views=2, num_threads=2),
        }
    return some


def show(name: str, times: dict[str, float]) -> None:
    unit = times["coalesce"]
    cells = "  ".join(f"{who} {seconds * 1e3:.2f} ms ({seconds / unit:.2f})" for who, seconds in times.items())
    print(f"{name}: {cells}", flush=True)


def claim(text: str, value: float, must: float, aim: float | None) -> None:
    verdict = "aim" if aim is not None and value <= aim else "must" if value <= must else "MISSED"
    print(f"  {text:<62} {value:7.2f}   must {must}, aim {aim if aim is not None else '-'}   {verdict}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("RLAP_DATA"), help="raw files of PyG's data sets")
    parser.add_argument("--runs", type=int, default=15, help="runs of each candidate")
    parser.add_argument("--skip-large", action="store_true", help="leave out the graph of 10M edges")
    arguments = parser.parse_args()
    torch.set_num_threads(1)

    times: dict[str, dict[str, float]] = {}
    for name in NODE_SETS if arguments.data else []:
        edge_index, nodes = node_set(name, arguments.data)
        times[name] = medians(candidates(edge_index, nodes, name == "Physics"), arguments.runs)
        show(name, times[name])
        if name == "Physics":
            memory = physics_memory(edge_index)
    sizes = {"250k": (25_000, 250_000), "1M": (100_000, 1_000_000)}
    if not arguments.skip_large:
        sizes["10M"] = (1_000_000, 10_000_000)
    for name, (nodes, edges) in sizes.items():
        edge_index = random_graph(nodes, edges)
        runs = max(5, arguments.runs * 250_000 // edges)
        times[name] = medians(candidates(edge_index, nodes, False), runs)
        show(f"generated, {name} undirected edges", times[name])

    print("\nfraction 0.5")
    if arguments.data:
        for name in NODE_SETS:
            claim(f"random/asc against coalesce, {name}", ratio(times[name], "random/asc", "coalesce"), 1.2, 1.0)
            prepared = ratio(times[name], "prepared, random/asc", "coalesce")
            claim(f"prepared, random/asc against coalesce, {name}", prepared, 1.0, 0.75)
            prepared = ratio(times[name], "prepared, degree/asc", "coalesce")
            claim(f"prepared, degree/asc against coalesce, {name}", prepared, 0.65, 0.5)
        physics = times["Physics"]
        claim("random/asc against edge dropping, Physics", ratio(physics, "random/asc", "drop edges"), 2.3, 1.2)
        claim("degree/asc against coalesce, Physics", ratio(physics, "degree/asc", "coalesce"), 0.9, 0.6)
        claim("random/random against random/asc, Physics", ratio(physics, "random/random", "random/asc"), 1.2, None)
        claim("coarsening against random/asc, Physics", ratio(physics, "coarsening", "random/asc"), 1.2, None)
        claim("walks against random/asc, Physics", ratio(physics, "walks", "random/asc"), 1.0, 0.5)
        claim("peak memory above input and output, Physics, MB", memory, 12, 8)
        pair = physics["two views, 2 threads"]
        claim("two views, 2 threads against 1, Physics", pair / physics["two views, 1 thread"], 0.68, 0.55)
        claim("two views, 2 threads against two calls, Physics", pair / (2 * physics["random/asc"]), 0.68, 0.55)
        claim("batch of 128 PROTEINS against one graph", batch_ratio(arguments.data, arguments.runs), 1.2, 1.0)
    if "10M" in times:
        growth = ratio(times["10M"], "random/asc", "coalesce") / ratio(times["250k"], "random/asc", "coalesce")
        claim("ratio to coalesce at 10M edges against that at 250k", growth, 1.2, 1.0)
    claim("star of 80,000 leaves, hub eliminated, ms", star(arguments.runs), 20, 6)


def ratio(times: dict[str, float], one: str, other: str) -> float:
    return times[one] / times[other]


def physics_memory(edge_index: Tensor) -> float:
    path = Path(os.environ.get("TMPDIR", "/tmp")) / f"rlap-core-{os.getpid()}.npy"
    np.save(path, edge_index.numpy())
    try:
        return float(in_new_process(MEMORY, str(Path(__file__).parent), str(path))) / 1e6
    finally:
        path.unlink()


def batch_ratio(data: Path, runs: int) -> float:
    batch = proteins_batch(data)
    one = partial(view, batch.edge_index, batch.num_nodes)
    times = medians({"one": one, "batch": partial(one, ptr=batch.ptr)}, 10 * runs)
    show_batch = f"PROTEINS: batch {times['batch'] * 1e3:.2f} ms, as one graph {times['one'] * 1e3:.2f} ms"
    print(f"  ({show_batch})")
    return times["batch"] / times["one"]


def star(runs: int) -> float:
    leaves = torch.arange(1, 80_001)
    hub = torch.zeros_like(leaves)
    edge_index = torch.cat([torch.stack([hub, leaves]), torch.stack([leaves, hub])], dim=1)
    call = partial(rlap.schur_view, edge_index, num_nodes=80_001, eliminate=[0], seed=1, num_threads=1)
    return 1e3 * medians({"star": call}, runs)["star"]


if __name__ == "__main__":
    main()

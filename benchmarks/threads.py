"""How much faster is one view on all cores? And how large a graph fits?

    python benchmarks/threads.py [--data DIR] [--threads 2] [--runs 5]
    python benchmarks/threads.py --edges 50e6

The first form times whole calls, from edge_index to the sorted view, on one thread and on several, and the part of the
call that reads the edges. DIR holds the raw files of PyG's data sets, for Physics. The second form makes one view of a
random graph with about so many undirected edges, and says what it took.
"""

from __future__ import annotations

import argparse
import os
import time
from functools import partial
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from graphs import node_set, random_graph
from numpy.typing import NDArray
from timing import medians, peak_growth

import rlap
from rlap.schur.edges import read_edges

VIEWS: dict[str, dict[str, object]] = {
    "random/asc": {},
    "random/desc": {"neighbor_order": "desc"},
    "coarsening": {"method": "coarsening"},
    "walks": {"method": "walks"},
    "degree/asc": {"node_order": "degree"},
}


def compare(name: str, edge_index: NDArray[np.int64], nodes: int, threads: int, runs: int) -> None:
    """Time all kinds of views on one thread and on several, in turn."""
    print(f"{name}: {nodes} nodes, {edge_index.shape[1] // 2} undirected edges", flush=True)
    calls = {"reading": partial(read_edges, edge_index, None, nodes)}
    for kind, options in VIEWS.items():
        calls[kind] = partial(
            rlap.schur_view, edge_index, num_nodes=nodes, fraction=0.5, dtype="float32", seed=1, **options
        )
    for kind, call in calls.items():
        times = medians({str(count): partial(call, num_threads=count) for count in (1, threads)}, runs)
        one, many = times["1"], times[str(threads)]
        print(
            f"  {kind}: {one * 1e3:.1f} ms, {threads} threads {many * 1e3:.1f} ms, {one / many:.2f} times", flush=True
        )


def large_graph(edges: int) -> tuple[NDArray[np.int64], int]:
    """A uniformly random graph with about so many undirected edges, twenty to a node, without a sort of all of them."""
    nodes = max(2, edges // 20)
    row, col = np.random.default_rng(0).integers(nodes, size=(2, edges), dtype=np.int32)
    apart = row != col
    ones = np.ones(int(apart.sum()), dtype=np.int8)
    matrix = sp.coo_array((ones, (row[apart], col[apart])), shape=(nodes, nodes)).tocsr()
    matrix = sp.csr_array(matrix + matrix.T)
    matrix.sort_indices()
    edge_index = np.empty((2, matrix.nnz), dtype=np.int64)
    edge_index[0] = np.repeat(np.arange(nodes), np.diff(matrix.indptr))
    edge_index[1] = matrix.indices
    return edge_index, nodes


def largest(edges: int, threads: int) -> None:
    """Make one view of a large graph, and say how long it took and how much memory it needed."""
    edge_index, nodes = large_graph(edges)
    print(f"random: {nodes} nodes, {edge_index.shape[1] // 2} undirected edges, {edge_index.nbytes / 2**30:.2f} GiB")
    begin = time.perf_counter()
    grown, view = peak_growth(
        lambda: rlap.schur_view(edge_index, num_nodes=nodes, fraction=0.5, dtype="float32", seed=1, num_threads=threads)
    )
    seconds = time.perf_counter() - begin
    print(
        f"  {threads} threads: {seconds:.1f} s, peak {grown / 2**30:.2f} GiB beside the graph, "
        f"{(grown + edge_index.nbytes) / 2**30:.2f} GiB with it; {view.edge_index.shape[1] // 2} undirected edges"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--edges", type=float)
    options = parser.parse_args()
    if options.edges:
        largest(int(options.edges), options.threads)
        return
    if options.data:
        edge_index, nodes = node_set("Physics", options.data)
        compare("Physics", edge_index.numpy(), nodes, options.threads, 4 * options.runs)
    compare("random", random_graph(1_000_000, 10_000_000).numpy(), 1_000_000, options.threads, options.runs)


if __name__ == "__main__":
    main()

"""How far below the exact Schur complement is the mean of a view?

Prints, as Markdown, the total weight of views over that of the exact Schur complement onto the same nodes: the mean
over seeds and its standard error. 1 is unbiased.

    python benchmarks/bias.py --data DIR --seeds 40     # Cora, from a directory in the layout of PyTorch Geometric
    python benchmarks/bias.py                           # the karate club and a generated graph
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import networkx as nx
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

import rlap

FRACTIONS = (0.25, 0.5, 0.8)
NEIGHBOR_ORDERS = ("asc", "desc", "random")


def graphs(data: str | None) -> Iterator[tuple[str, sp.csr_array]]:
    if data is None:
        yield "Karate club", sp.csr_array(nx.to_scipy_sparse_array(nx.karate_club_graph(), weight=None, dtype=float))
        grown = nx.barabasi_albert_graph(2000, 2, seed=0)
        yield "Preferential attachment", sp.csr_array(nx.to_scipy_sparse_array(grown, dtype=float))
        return
    from torch_geometric.datasets import Planetoid

    cora = Planetoid(data, "Cora")[0]
    row, col = cora.edge_index.numpy()
    adjacency = sp.csr_array((np.ones(row.size), (row, col)), shape=(cora.num_nodes, cora.num_nodes))
    adjacency.data[:] = 1.0
    yield "Cora", adjacency


def ratios(adjacency: sp.csr_array, fraction: float, seed: int) -> dict[str, float]:
    """Make one view in every way."""
    # One random order for all, so that one exact Schur complement serves them all.
    order = np.random.default_rng(seed).permutation(adjacency.shape[0])
    keep = order[int(np.floor(fraction * order.size)) :]
    exact = rlap.exact_schur(adjacency, keep=keep).sum()
    found = {}
    for word in NEIGHBOR_ORDERS:
        view = rlap.randomized_schur(adjacency, keep=keep, node_order=order, neighbor_order=word, rng=seed)
        found[f"random, {word}"] = view.sum() / exact
    for word in NEIGHBOR_ORDERS:
        view = rlap.randomized_schur(adjacency, fraction=fraction, node_order="degree", neighbor_order=word, rng=seed)
        found[f"degree, {word}"] = view.sum() / exact_total(adjacency, view)
    view = rlap.vertex_coarsening(adjacency, keep=keep, node_order=order, rng=seed)
    found["random, coarsening"] = view.sum() / exact
    view = rlap.vertex_coarsening(adjacency, fraction=fraction, node_order="degree", rng=seed)
    found["degree, coarsening"] = view.sum() / exact_total(adjacency, view)
    found["terminal walks"] = rlap.walk_schur(adjacency, keep=keep, rng=seed).sum() / exact
    return found


def exact_total(adjacency: sp.csr_array, view: sp.csr_array) -> float:
    # An elimination keeps what is connected connected. So a kept node without edges is the last of its component, and
    # makes no difference to the weight of the exact one either.
    return float(rlap.exact_schur(adjacency, keep=np.diff(view.indptr) > 0).sum())


def table(values: dict[str, list[NDArray[np.float64]]]) -> str:
    lines = ["| node order, neighbour order | " + " | ".join(f"gamma {fraction}" for fraction in FRACTIONS) + " |"]
    lines.append("|---" * (1 + len(FRACTIONS)) + "|")
    for name, columns in values.items():
        cells = [f"{each.mean():.4f} ± {each.std(ddof=1) / np.sqrt(each.size):.4f}" for each in columns]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", metavar="DIR", help="where PyTorch Geometric's Cora lies")
    parser.add_argument("--seeds", type=int, default=20)
    arguments = parser.parse_args()
    if arguments.seeds < 2:
        parser.error(f"--seeds must be at least 2, for a standard error (got {arguments.seeds})")
    for name, adjacency in graphs(arguments.data):
        values: dict[str, list[NDArray[np.float64]]] = {}
        for fraction in FRACTIONS:
            found = [ratios(adjacency, fraction, seed) for seed in range(arguments.seeds)]
            for variant in found[0]:
                values.setdefault(variant, []).append(np.array([one[variant] for one in found]))
        print(f"{name}: {adjacency.shape[0]} nodes, {adjacency.nnz // 2} edges, {arguments.seeds} seeds\n")
        print(table(values), flush=True)
        print()


if __name__ == "__main__":
    main()

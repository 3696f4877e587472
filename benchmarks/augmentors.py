"""Are the augmentors as fast as they must be? Ratios to the plain way of doing it, in one run.

    python benchmarks/augmentors.py --data DIR [--runs 15] [--skip-dense]

DIR holds the raw files of PyG's data sets. All cores, for both sides of a ratio. Memory is the peak growth of the
resident size, by the augmentation alone, in a process of its own.
"""

from __future__ import annotations

import argparse
import copy
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import networkx as nx
import torch
from timing import medians
from torch import Tensor
from torch_geometric.data import Data
from torch_geometric.utils import dropout_edge, dropout_node, mask_feature, to_networkx

import rlap.transforms as T
from rlap import datasets
from rlap.experiments.overheads.isolation import run_alone
from rlap.experiments.overheads.measure import Task, measure
from rlap.transforms.content_cache import clear_caches

NODE_SETS = ("CORA", "AMAZON-PHOTO", "PUBMED", "COAUTHOR-CS", "COAUTHOR-PHY")
GIB = 1 << 30


def claim(text: str, value: float | None, must: float, *, at_least: bool = False) -> None:
    kept = value is not None and (value >= must if at_least else value <= must)
    shown = "out of memory" if value is None else f"{value:.2f}"
    print(
        f"  {text:<66} {shown:>8}   must {'>=' if at_least else '<='} {must:<4} {'must' if kept else 'MISSED'}",
        flush=True,
    )


def show(name: str, times: dict[str, float]) -> None:
    print(f"({name}: {', '.join(f'{who} {seconds * 1e3:.2f} ms' for who, seconds in times.items())})", flush=True)


def fresh(transform: Callable[[Data], Data], data: Data) -> Data:
    """Call a transform that remembers nothing."""
    clear_caches()
    return transform(data)


def dense_ppr(data: Data, alpha: float = 0.2, eps: float = 1e-4) -> tuple[Tensor, Tensor]:
    """Invert I - (1 - alpha) A D^-1, in single precision, and take what is at least eps."""
    matrix = torch.zeros(data.num_nodes, data.num_nodes)
    matrix[data.edge_index[0], data.edge_index[1]] = alpha - 1
    matrix /= matrix.sum(dim=0).abs().clamp(min=1e-12) / (1 - alpha)
    matrix.diagonal().add_(1)
    inverse = torch.linalg.inv(matrix).mul_(alpha)
    found = (inverse >= eps).nonzero().t()
    return found, inverse[found[0], found[1]]


def networkx_centrality(data: Data) -> dict[int, float]:
    return nx.eigenvector_centrality_numpy(to_networkx(data, to_undirected=True))


def peak(name: str, augmentor: str, folder: Path) -> float | None:
    """GiB by which an augmentation makes a process grow."""
    outcome = run_alone(measure, Task(name, augmentor, folder, runs=0))
    return None if outcome.out_of_memory else outcome.need().memory / GIB


def diffusion(data: Data, runs: int) -> float:
    transform = T.PPRDiffusion()
    ours, (index, weight) = transform(data), dense_ppr(data)
    total, other = float(ours.edge_weight.sum()), float(weight.sum())
    if abs(total - other) > 1e-3 * other:  # a race between two that compute different things says nothing
        raise RuntimeError(
            f"PPR must be the same both ways (got sums of {total} and {other}, {index.shape[1]} entries)"
        )
    times = medians({"ours": partial(fresh, transform, data), "dense": partial(dense_ppr, data)}, runs)
    show("PPRDiffusion", times)
    return times["dense"] / times["ours"]


def centrality(data: Data, runs: int) -> tuple[float, float]:
    evc, plain = T.EdgeDroppingEVC(0.5), T.EdgeDropping(0.5)
    slow = medians(
        {"first call": partial(fresh, evc, data), "NetworkX": partial(networkx_centrality, data)}, min(runs, 5)
    )
    evc(data)
    # Two at a time: a third, that leaves other things in the caches, would be a burden on whoever comes after it.
    quick = medians({"later call": partial(evc, data), "EdgeDropping": partial(plain, data)}, 10 * runs)
    show("EdgeDroppingEVC", slow | quick)
    return slow["NetworkX"] / slow["first call"], quick["later call"] / quick["EdgeDropping"]


def changed(data: Data, **values: Any) -> Data:
    """A view, as a transform gives it: the data with other values, and the caller's left alone."""
    view = copy.copy(data)
    for name, value in values.items():
        view[name] = value
    return view


def pyg_drop_edges(data: Data) -> Data:
    return changed(data, edge_index=dropout_edge(data.edge_index, 0.5, force_undirected=True)[0])


def torch_drop_edges(data: Data) -> Data:
    """Both directions of an edge together, as EdgeDropping does."""
    half = data.edge_index[:, data.edge_index[0] < data.edge_index[1]]
    half = half[:, torch.rand(half.shape[1]) >= 0.5]
    return changed(data, edge_index=torch.cat([half, half.flip(0)], dim=1))


def pyg_drop_nodes(data: Data) -> Data:
    edge_index, _, kept = dropout_node(data.edge_index, 0.5, data.num_nodes)
    return changed(data, edge_index=edge_index, node_mask=kept)


def torch_drop_nodes(data: Data) -> Data:
    kept = torch.rand(data.num_nodes) >= 0.5
    stays = kept[data.edge_index[0]] & kept[data.edge_index[1]]
    return changed(data, edge_index=data.edge_index[:, stays], node_mask=kept)


def pyg_mask(data: Data) -> Data:
    return changed(data, x=mask_feature(data.x, 0.5, mode="all")[0])


def torch_mask(data: Data) -> Data:
    return changed(data, x=data.x * (torch.rand_like(data.x) >= 0.5))


def plain_ways(data: Data, runs: int) -> dict[str, float]:
    """Time over that of the faster of the two plain ways."""
    ways: dict[str, dict[str, Callable[[Data], Data]]] = {
        "EdgeDropping": {"ours": T.EdgeDropping(0.5), "PyG": pyg_drop_edges, "torch": torch_drop_edges},
        "NodeDropping": {"ours": T.NodeDropping(0.5), "PyG": pyg_drop_nodes, "torch": torch_drop_nodes},
        "FeatureMasking": {"ours": T.FeatureMasking(0.5), "PyG": pyg_mask, "torch": torch_mask},
    }
    ratios = {}
    for name, candidates in ways.items():
        calls = {who: partial(way, data) for who, way in candidates.items()}
        times = medians(calls, min(runs, 5) if name == "FeatureMasking" else 10 * runs)
        show(name, times)
        ratios[name] = times["ours"] / min(times["PyG"], times["torch"])
    return ratios


def two_views(data: Data, runs: int) -> float:
    """Against one thread, as two cores are; against views that share the cores one after the other it is shown."""
    one, alone = T.RLap(0.5), T.RLap(0.5, num_threads=1)
    both = T.TwoViews(one, one)
    times = medians(
        {
            "TwoViews": lambda: both(data),
            "one after the other, a thread each": lambda: (alone(data), alone(data)),
            "one after the other, all threads each": lambda: (one(data), one(data)),
        },
        3 * runs,
    )
    show("two rLap views", times)
    return times["TwoViews"] / times["one after the other, a thread each"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("RLAP_DATA"), help="raw files of PyG's data sets")
    parser.add_argument("--runs", type=int, default=15, help="runs of each candidate")
    parser.add_argument(
        "--skip-dense", action="store_true", help="leave out the dense inverse on PubMed, which takes minutes"
    )
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("give the folder of the data sets with --data or RLAP_DATA")
    runs = arguments.runs
    graphs = {name: datasets.load(name, arguments.data).data for name in NODE_SETS}

    print("time")
    ratio = diffusion(graphs["AMAZON-PHOTO"], min(runs, 5))
    claim("dense inverse against PPRDiffusion, Photo", ratio, 3, at_least=True)
    if not arguments.skip_dense:
        claim("dense inverse against PPRDiffusion, PubMed", diffusion(graphs["PUBMED"], 1), 20, at_least=True)
    first, later = centrality(graphs["COAUTHOR-CS"], runs)
    claim("NetworkX against EdgeDroppingEVC, first call, CS", first, 15, at_least=True)
    claim("EdgeDroppingEVC, later calls, against EdgeDropping, CS", later, 1.1)
    for name, graph in graphs.items():
        for augmentor, value in plain_ways(graph, runs).items():
            claim(f"{augmentor} against plain PyG or torch, {name}", value, 1.0)
    claim("TwoViews of two rLap against one after the other, Physics", two_views(graphs["COAUTHOR-PHY"], runs), 0.65)

    graphs.clear()
    print("memory, GiB")
    for augmentor, must in (("PPRDiffusion", 4), ("MarkovDiffusion", 6), ("HeatDiffusion", 6)):
        for name in NODE_SETS:
            claim(f"{augmentor}, {name}", peak(name, augmentor, arguments.data), must)


if __name__ == "__main__":
    main()

"""The graphs that the benchmarks run on: the paper's node sets, a batch of PROTEINS, and generated ones."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch_geometric import datasets
from torch_geometric.data import Batch

NODE_SETS = {
    "Cora": lambda root: datasets.Planetoid(root, "Cora"),
    "PubMed": lambda root: datasets.Planetoid(root, "PubMed"),
    "Photo": lambda root: datasets.Amazon(root, "Photo"),
    "CS": lambda root: datasets.Coauthor(root, "CS"),
    "Physics": lambda root: datasets.Coauthor(root, "Physics"),
}


def node_set(name: str, data: Path) -> tuple[Tensor, int]:
    """Load a node set from PyG's raw files under `data`, which are copied: PyG writes beside what it reads."""
    with tempfile.TemporaryDirectory() as root:
        shutil.copytree(data / name, Path(root) / name)
        graph = NODE_SETS[name](root)[0]
    return graph.edge_index, graph.num_nodes


def proteins_batch(data: Path, size: int = 128) -> Batch:
    """The first graphs of PROTEINS in one batch."""
    with tempfile.TemporaryDirectory() as root:
        shutil.copytree(data / "PROTEINS", Path(root) / "PROTEINS")
        return Batch.from_data_list(list(datasets.TUDataset(root, "PROTEINS")[:size]))


def random_graph(nodes: int, edges: int, seed: int = 0) -> Tensor:
    """A uniformly random graph with so many undirected edges, both directions, sorted."""
    rng = np.random.default_rng(seed)
    pairs = np.zeros(0, dtype=np.int64)
    while pairs.size < edges:
        u, v = rng.integers(nodes, size=(2, edges + edges // 20))
        fresh = (np.minimum(u, v) * nodes + np.maximum(u, v))[u != v]
        pairs = np.unique(np.concatenate([pairs, fresh]))
    pairs = rng.permutation(pairs)[:edges]
    low, high = pairs // nodes, pairs % nodes
    both = np.concatenate([low * nodes + high, high * nodes + low])
    both.sort()
    return torch.from_numpy(np.stack([both // nodes, both % nodes]))

"""Cora and PubMed: the pickles of Planetoid."""

from __future__ import annotations

from pathlib import Path

from torch_geometric.data import Data
from torch_geometric.io import read_planetoid_data

from rlap.datasets.features import node_features
from rlap.datasets.sets import NodeSet

PARTS = ("x", "tx", "allx", "y", "ty", "ally", "graph", "test.index")


def files(prefix: str) -> list[str]:
    """Name the raw files."""
    return [f"ind.{prefix}.{part}" for part in PARTS]


def read(name: str, raw: Path, prefix: str, sparse: bool) -> NodeSet:
    """Read a graph with PyG's own reader; its fixed split is left out, as no protocol here uses it."""
    source = read_planetoid_data(str(raw), prefix)
    x = node_features(source.x.numpy(), sparse)
    return NodeSet(name, Data(x=x, edge_index=source.edge_index, y=source.y), int(source.y.max()) + 1)

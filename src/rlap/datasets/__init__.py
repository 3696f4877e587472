"""Data sets by the paper's names: ten that are read from raw files, and two that need no file at all.

Raw files are read as PyTorch Geometric lays them out, in well under a second, and nothing is written: neither beside
them nor anywhere else. Every file is compared with its published SHA-256 before it is read.

Example:
    >>> from rlap import datasets
    >>> digits = datasets.load("digits")
    >>> digits.data.num_nodes, digits.num_features, digits.num_classes
    (1797, 64, 10)
"""

from rlap.datasets.places import DataFolder, Folder
from rlap.datasets.registry import load, names
from rlap.datasets.sets import GraphSet, NodeSet
from rlap.datasets.splits import Split, graph_splits, node_splits

__all__ = ["DataFolder", "Folder", "GraphSet", "NodeSet", "Split", "graph_splits", "load", "names", "node_splits"]

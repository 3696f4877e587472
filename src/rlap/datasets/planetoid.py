"""Cora and PubMed: the pickles of Planetoid, read without running what they may contain."""

from __future__ import annotations

import io
import pickle
from collections import OrderedDict, defaultdict
from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import NDArray
from torch_geometric.data import Data

from rlap.datasets.features import node_features
from rlap.datasets.raw_files import RawFiles
from rlap.datasets.sets import NodeSet
from rlap.schur.coordinates import checked_csr

PARTS = ("x", "tx", "allx", "y", "ty", "ally", "graph", "test.index")


def files(prefix: str) -> list[str]:
    """Name the raw files."""
    return [f"ind.{prefix}.{part}" for part in PARTS]


def read(name: str, raw: RawFiles, prefix: str, sparse: bool) -> NodeSet:
    """Read a graph as PyG does; its fixed split is left out, as no protocol here uses it.

    Raises:
        ValueError: when a file holds anything but arrays, sparse matrices and lists of neighbours that fit together.
    """
    allx, tx, ally, ty, graph = (
        _unpickle(raw.read(file), file)
        for file in (f"ind.{prefix}.{part}" for part in ("allx", "tx", "ally", "ty", "graph"))
    )
    test = np.loadtxt(io.StringIO(raw.read(f"ind.{prefix}.test.index").decode("ascii")), dtype=np.int64, ndmin=1)
    x = sp.vstack([_features(allx, "allx"), _features(tx, "tx")], format="csr")
    labels = np.concatenate([_one_hot(ally, "ally"), _one_hot(ty, "ty")]).argmax(axis=1)
    nodes = len(labels)
    if x.shape[0] != nodes:
        raise ValueError(f"{name} must have a label for each of {x.shape[0]} rows of features (got {nodes})")
    if test.ndim != 1 or (test.size and not 0 <= test.min() <= test.max() < nodes):
        raise ValueError(f"test.index must lie in [0, {nodes}) (got {test})")
    order = np.arange(nodes)
    order[test] = np.sort(test)  # the tests' features and labels are stored in the order of the file
    x = x[order]
    x.eliminate_zeros()
    y = torch.from_numpy(labels[order].astype(np.int64))
    edge_index = torch.from_numpy(_edges(graph, nodes))
    return NodeSet(name, Data(x=node_features(x, sparse), edge_index=edge_index, y=y), int(y.max()) + 1)


class _Matrix(SimpleNamespace):
    """What a pickle says of a SciPy matrix: nothing of SciPy sees it before it is checked."""


def _new_array(*_: Any) -> NDArray[Any]:
    """Return an array without entries, which NumPy fills with those in the file, whatever shape is said here."""
    return np.empty(0, dtype=np.int8)


_KNOWN: dict[tuple[str, str], Any] = {
    ("numpy", "dtype"): np.dtype,
    ("numpy", "ndarray"): None,  # an argument of the next, never called
    ("numpy.core.multiarray", "_reconstruct"): _new_array,
    ("numpy._core.multiarray", "_reconstruct"): _new_array,
    ("scipy.sparse.csr", "csr_matrix"): _Matrix,
    ("scipy.sparse._csr", "csr_matrix"): _Matrix,
    ("collections", "defaultdict"): defaultdict,
    ("collections", "OrderedDict"): OrderedDict,
    ("__builtin__", "list"): list,
    ("builtins", "list"): list,
}


class _Unpickler(pickle.Unpickler):
    """Knows arrays, sparse matrices and dictionaries of lists, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        try:
            return _KNOWN[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}") from None


def _unpickle(content: bytes, file: str) -> Any:
    try:
        return _Unpickler(io.BytesIO(content), encoding="latin1").load()
    except MemoryError:
        raise
    except Exception as problem:  # a pickle can raise whatever its author likes
        why = (str(problem) or type(problem).__name__).splitlines()[0]
        raise ValueError(f"{file} must be a pickle of arrays, sparse matrices and lists alone ({why})") from problem


def _features(value: Any, part: str) -> sp.csr_array:
    array = value
    if isinstance(value, _Matrix):
        stored = vars(value)
        try:
            shape = stored.get("_shape", stored.get("shape"))
            array = sp.csr_array((stored["data"], stored["indices"], stored["indptr"]), shape=shape)
        except (KeyError, TypeError, ValueError, IndexError, OverflowError) as problem:
            raise ValueError(f"{part} must be a sparse matrix (got one with {problem})") from problem
    if not isinstance(array, np.ndarray | sp.csr_array) or array.ndim != 2 or array.dtype.kind not in "fiub":
        raise ValueError(f"{part} must be a matrix of numbers (got {type(value).__name__})")
    return (checked_csr(array) if sp.issparse(array) else sp.csr_array(array)).astype(np.float32)


def _one_hot(value: Any, part: str) -> NDArray[Any]:
    if not isinstance(value, np.ndarray) or value.ndim != 2 or not value.shape[1] or value.dtype.kind not in "fiub":
        raise ValueError(f"{part} must be a matrix with a column for every class (got {type(value).__name__})")
    return value


def _edges(graph: Any, nodes: int) -> NDArray[np.int64]:
    """Return the edges of a dictionary of neighbours without self-loops and duplicates, sorted by (target, source)."""
    try:
        row = np.repeat(np.array(list(graph), dtype=np.int64), [len(some) for some in graph.values()])
        col = np.array([one for some in graph.values() for one in some], dtype=np.int64)
    except (TypeError, ValueError, AttributeError, OverflowError) as problem:
        raise ValueError(f"graph must have a list of neighbours for every node ({problem})") from problem
    ends = np.stack([row, col]).reshape(2, -1)
    if ends.size and not 0 <= ends.min() <= ends.max() < nodes:
        bad = ends.min() if ends.min() < 0 else ends.max()
        raise ValueError(f"graph must name nodes in [0, {nodes}) (got {bad})")
    keys = np.unique((col * nodes + row)[row != col])
    return np.stack(np.divmod(keys, nodes)[::-1]) if nodes else ends

"""A user's own graph and features in files, and the embedding that comes out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import Tensor
from torch_geometric.data import Data
from torch_geometric.data.data import DataEdgeAttr, DataTensorAttr
from torch_geometric.data.storage import GlobalStorage

from rlap.adapters.files import EdgeFile, Symmetrize, ending, read_graph
from rlap.adapters.files.streams import open_output, reading_with
from rlap.embedder.tables import Table, read_table

SAVED = (".pt", ".pth")
OUTPUTS = (".npy", ".parquet", ".csv")


@dataclass(frozen=True)
class OwnGraph:
    """What was read: a graph or a list of graphs, and the names of the rows of its embedding."""

    graphs: Any
    names: list[Any]


def read_own(
    path: Path, features: Path | None, *, num_nodes: int | None = None, symmetrize: Symmetrize | None = None
) -> OwnGraph:
    """Read a graph file and its features, or an object that PyG saved.

    Rows of a table of features that has names belong to the nodes of that name, and a name without an edge is a node
    by itself. Without names, row i belongs to node i. The embedding has the rows of the features, in their order.

    Example:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "edges.csv").write_text("ann,bob\\nbob,cid\\n")
        >>> _ = (folder / "features.csv").write_text("node,age\\ncid,3\\nann,1\\nbob,2\\ndan,4\\n")
        >>> own = read_own(folder / "edges.csv", folder / "features.csv")
        >>> own.names, own.graphs.edge_index.tolist()
        (['cid', 'ann', 'bob', 'dan'], [[1, 2, 2, 0], [2, 1, 0, 2]])
    """
    if path.suffix.lower() in SAVED:
        if features is not None:
            raise ValueError(f"an object that PyG saved has features of its own (got {str(features)!r} too)")
        return _read_saved(path)
    graph = read_graph(path, num_nodes=num_nodes, symmetrize=symmetrize)
    if features is None:
        if ending(path).lower() != ".npz":
            raise ValueError("features must be given with --features FILE; only .npz and .pt files may hold them")
        features = path
    table = read_table(features, named=graph.node_names is not None)
    index = torch.from_numpy(_renumbered(graph, table, features))
    data = Data(x=table.values, edge_index=index)
    if graph.edge_weight is not None:
        data.edge_weight = torch.from_numpy(np.asarray(graph.edge_weight, dtype=np.float32))
    return OwnGraph(data, list(range(len(table.values))) if table.names is None else table.names)


def write_embedding(path: Path, embedding: Any, names: list[Any]) -> None:
    """Write an embedding, one row each: .npy holds the numbers alone, .parquet and .csv the names in a column `node`.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "embedding.csv")
        >>> write_embedding(path, np.zeros((2, 1)), ["ann", "bob"])
        >>> path.read_text()
        'node,e0\\nann,0.0\\nbob,0.0\\n'
    """
    check_embedding_path(path)
    with open_output(path) as stream:
        if path.suffix.lower() == ".npy":
            np.save(stream, embedding)
            return
        table = pd.DataFrame(embedding, columns=[f"e{number}" for number in range(embedding.shape[1])])
        table.insert(0, "node", names)
        if path.suffix.lower() == ".parquet":
            table.to_parquet(stream, index=False)
        else:
            table.to_csv(stream, index=False, lineterminator="\n")


def check_embedding_path(path: Path) -> None:
    """Require a format that an embedding can be written in."""
    if path.suffix.lower() not in OUTPUTS:
        raise ValueError(f"an embedding's file must end in {', '.join(OUTPUTS)} (got {str(path)!r})")


def _renumbered(graph: EdgeFile, table: Table, features: Path) -> Any:
    """Let nodes be the rows of their features."""
    rows = len(table.values)
    used = np.unique(graph.edge_index)
    if table.names is None:
        if graph.node_names is not None:
            raise ValueError(
                f"{features}: the nodes have names, so their features need them too, in a first column node"
            )
        if graph.num_nodes > rows:
            raise ValueError(f"{features}: there must be a row for each of {graph.num_nodes} nodes (got {rows})")
        return graph.edge_index
    place = {str(name): row for row, name in enumerate(table.names)}
    position = np.zeros(graph.num_nodes, dtype=np.int64)
    for node in used.tolist():
        name = str(node if graph.node_names is None else graph.node_names[node])
        if name not in place:
            raise ValueError(f"{features}: every node needs features (got none for {name!r})")
        position[node] = place[name]
    return position[graph.edge_index]


def _read_saved(path: Path) -> OwnGraph:
    if not path.is_file():
        raise ValueError(f"the file must exist (got {str(path)!r})")
    wanted = f"{path}: must be a Data, or a list of Data, that torch.save wrote"
    try:
        # Nothing but tensors and PyG's own containers: a file from a stranger cannot run anything.
        with torch.serialization.safe_globals([GlobalStorage, DataEdgeAttr, DataTensorAttr]), reading_with("torch"):
            saved = torch.load(path, map_location="cpu", weights_only=True)
    except ValueError as problem:
        raise ValueError(f"{wanted}; {problem}") from problem
    if isinstance(saved, Data):
        graph = _tensors(saved, wanted)
        return OwnGraph(graph, list(range(len(graph.x) if "x" in graph else 0)))
    if isinstance(saved, list) and saved and all(isinstance(one, Data) for one in saved):
        return OwnGraph([_tensors(one, wanted) for one in saved], list(range(len(saved))))
    raise ValueError(f"{wanted} (got {type(saved).__name__})")


def _tensors(saved: Data, wanted: str) -> Data:
    """Return a new graph with the tensors of one whose parts a stranger has put together."""
    try:
        with reading_with("PyG"):
            return Data.from_dict({key: value for key, value in saved.to_dict().items() if isinstance(value, Tensor)})
    except ValueError as problem:
        raise ValueError(f"{wanted}; {problem}") from problem

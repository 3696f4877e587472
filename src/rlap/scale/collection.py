"""`map_views`: a Ray Dataset of graphs in, their views out."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap.schur.seeds import Seed, check_seed, derive_seed


def map_views(dataset: Any, transform: Callable[[Any], Any], *, seed: Seed = None) -> Any:
    """Apply a PyG transform, such as those of `rlap.transforms`, to every graph of a Ray Dataset.

    A row is a graph: `id` is its number, different for each; `edge_index` its edges, (2, E), as a tensor or lists;
    `num_nodes` may be left out where `x` says it. Every other column is an attribute of the `Data` that the transform
    gets: `edge_weight`, `x`, `y`. Rows come back with what the transform has made of them. Nothing is computed until
    the Dataset is read.

    All generators (torch's, NumPy's and Python's) are seeded anew for every row, from the seed and the row's `id`. So
    views depend neither on blocks nor on the number of workers.

    Example:
        >>> import ray.data, rlap.scale, rlap.transforms as T  # doctest: +SKIP
        >>> graphs = ray.data.from_items([{"id": 0, "num_nodes": 3, "edge_index": [[0, 1, 1, 2], [1, 0, 2, 1]]}])
        ... # doctest: +SKIP
        >>> rlap.scale.map_views(graphs, T.RLap(0.4), seed=0).take(1)[0]["node_mask"].sum()  # doctest: +SKIP
        2
    """
    key = check_seed(seed)

    def make(row: dict[str, Any]) -> dict[str, Any]:
        return transform_row(row, transform, key)

    return dataset.map(make)


def transform_row(row: dict[str, Any], transform: Callable[[Any], Any], seed: int) -> dict[str, Any]:
    """Transform one graph."""
    import torch
    from torch_geometric.data import Data

    for name in ("id", "edge_index"):
        if name not in row:
            raise ValueError(f"a row must have a column {name!r} (got {', '.join(row)})")
    number = int(row["id"])
    if number < 0:
        raise ValueError(f"id must not be negative (got {number})")
    own = derive_seed(seed, graph=number + 1)  # not the seed itself for the first: others may use that
    torch.manual_seed(own % 2**63)
    np.random.seed(own % 2**32)  # noqa: NPY002 (a transform may draw from the global one)
    random.seed(own)
    data = Data()
    for name, value in row.items():
        if name == "num_nodes":
            data.num_nodes = int(value)
        elif name != "id":
            array = _array(value)
            shape = (2, -1) if name == "edge_index" else array.shape
            data[name] = torch.from_numpy(np.array(array.reshape(shape)))
    if data.edge_index.numel() == 0:
        data.edge_index = data.edge_index.to(torch.long)
    made = transform(data)
    result: dict[str, Any] = {"id": number, "num_nodes": int(made.num_nodes)}
    for name, value in made.to_dict().items():
        result[name] = value.numpy() if isinstance(value, torch.Tensor) else value
    return result


def _array(value: Any) -> NDArray[Any]:
    """Give nested lists, which come as arrays of arrays, their shape."""
    array = np.asarray(value)
    return np.stack([_array(one) for one in array]) if array.dtype == object else array

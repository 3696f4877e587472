"""All loaders by name."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, TypeAlias

from rlap.loader.cluster import ClusterLoader
from rlap.loader.induced import InducedLoader
from rlap.loader.node_loader import NodeLoader
from rlap.loader.schur import SchurLoader

Name: TypeAlias = Literal["schur", "walks", "induced", "cluster"]

_LOADERS: dict[str, Any] = {
    "cluster": ClusterLoader,
    "induced": InducedLoader,
    "schur": SchurLoader,
    "walks": partial(SchurLoader, method="walks"),
}


def names() -> list[str]:
    """List the loaders.

    >>> from rlap.loader import names
    >>> names()
    ['cluster', 'induced', 'schur', 'walks']
    """
    return list(_LOADERS)


def get(name: str, data: Any, batch_size: int, **options: Any) -> NodeLoader:
    """Make a loader by its name.

    >>> import torch
    >>> from torch_geometric.data import Data
    >>> from rlap.loader import get
    >>> len(get("schur", Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=4), 2, seed=0))
    2
    """
    if name not in _LOADERS:
        raise ValueError(f"loader must be one of {', '.join(_LOADERS)} (got {name!r})")
    loader: NodeLoader = _LOADERS[name](data, batch_size, **options)
    return loader

"""What a batch remembers, so that it can give back its graphs one by one."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from rlap.adapters.pyg.relations import Relation


class BatchRecord:
    """Where every graph's part of every attribute begins, and what was added to node numbers when they were joined.

    Whoever changes an attribute of a batch has to change the record with it. Data that is not a batch has an empty
    record, which ignores all changes. So has a batch that was given other edges since it was made: its record is wrong,
    and is forgotten.
    """

    def __init__(self, data: Any) -> None:
        private = vars(data.stores[0])
        self._slices: dict[Any, Any] | None = None
        self._increments: dict[Any, Any] | None = None
        if "_slice_dict" in private and not _is_stale(data, private["_slice_dict"]):
            self.graphs = int(data.num_graphs)
            # A shallow copy of a batch has the dictionaries of the original, which must not change.
            self._slices = data._slice_dict = _copy(private["_slice_dict"])
            self._increments = data._inc_dict = _copy(private["_inc_dict"])
        elif "_slice_dict" in private:
            del data._slice_dict, data._inc_dict

    def __bool__(self) -> bool:
        return self._slices is not None

    def slices(self, store: Any) -> dict[str, Any]:
        """Give the offsets of the attributes of one store."""
        return _part(self._slices, store)

    def increments(self, store: Any) -> dict[str, Any]:
        """Give what was added to the attributes of one store."""
        return _part(self._increments, store)

    def has_parts(self, store: Any, key: str, offsets: Tensor) -> bool:
        """Say whether an attribute is divided in this way, or is not in the record."""
        known = self.slices(store).get(key)
        return known is None or (isinstance(known, Tensor) and torch.equal(known, offsets))

    def follows(self, store: Any, key: str) -> bool:
        """Say whether this only says where the parts of another attribute lie; it is then kept up with that one."""
        return any(key == f"{other}_{kind}" for other in self.slices(store) for kind in ("batch", "ptr"))

    def node_offsets(self, relation: Relation) -> Tensor:
        """Find where the nodes of every graph begin: what was added to the rows of its edges."""
        added = self.increments(relation.edges).get("edge_index")
        if added is None:
            return relation.nodes.ptr.cpu()
        return torch.cat([added.reshape(self.graphs, -1)[:, 0], torch.tensor([relation.num_nodes])])

    def set(self, store: Any, key: str, offsets: Tensor, added: Tensor | None = None) -> None:
        """Note that an attribute is now divided at `offsets`, and what was `added` to each part."""
        if self._slices is None:
            return
        offsets = offsets.cpu()
        self.slices(store)[key] = offsets
        self.increments(store)[key] = torch.zeros(self.graphs, dtype=torch.long) if added is None else added.cpu()
        if f"{key}_ptr" in store:  # `follow_batch` asked for it
            device = store[f"{key}_ptr"].device
            store[f"{key}_ptr"] = offsets.to(device)
            store[f"{key}_batch"] = torch.arange(self.graphs).repeat_interleave(offsets.diff()).to(device)

    def remove(self, store: Any, key: str) -> None:
        """Take an attribute out of the data and out of the record."""
        for name in (key, f"{key}_ptr", f"{key}_batch"):
            if name in store:
                del store[name]
            self.slices(store).pop(name, None)
            self.increments(store).pop(name, None)

    def forget(self, data: Any) -> None:
        """Forget the graphs of a batch whose parts no longer exist; PyG then refuses to take it apart."""
        if self:
            del data._slice_dict, data._inc_dict
            self._slices = self._increments = None


def _is_stale(data: Any, slices: dict[Any, Any]) -> bool:
    for edges in data.edge_stores:
        parts = _part(slices, edges).get("edge_index") if edges._key is None or edges._key in slices else None
        if isinstance(parts, Tensor) and "edge_index" in edges and int(parts[-1]) != edges.edge_index.shape[1]:
            return True
    return False


def _copy(table: dict[Any, Any]) -> dict[Any, Any]:
    return {key: dict(value) if isinstance(value, dict) else value for key, value in table.items()}


def _part(table: dict[Any, Any] | None, store: Any) -> dict[str, Any]:
    if table is None:
        return {}
    part: dict[str, Any] = table if store._key is None else table.setdefault(store._key, {})
    return part

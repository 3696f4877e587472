"""Collections: views do not depend on blocks, and are those that the transform gives alone."""

from __future__ import annotations

import numpy as np
import torch
from torch_geometric.data import Data

import rlap.scale
import rlap.transforms as T
from rlap.schur.seeds import derive_seed


def graphs():
    rng = np.random.default_rng(0)
    for number in range(12):
        size = int(rng.integers(5, 12))
        adjacency = np.triu(rng.random((size, size)) < 0.5, 1)
        edge_index = np.stack(np.nonzero(adjacency | adjacency.T))
        yield {"id": number, "num_nodes": size, "edge_index": edge_index, "y": np.array([number % 2])}


def test_blocks_do_not_matter(cluster):
    import ray.data

    ray.data.DataContext.get_current().enable_progress_bars = False
    rows = list(graphs())
    found = []
    for blocks, items in ((1, rows), (4, [row | {"edge_index": row["edge_index"].tolist()} for row in rows])):
        dataset = ray.data.from_items(items, override_num_blocks=blocks)
        made = rlap.scale.map_views(dataset, T.RLap(0.5), seed=3).take_all()
        found.append({int(row["id"]): row for row in made})
    for row in rows:
        one, other = (by_id[row["id"]] for by_id in found)
        torch.manual_seed(derive_seed(3, graph=row["id"] + 1) % 2**63)
        alone = T.RLap(0.5)(Data(edge_index=torch.from_numpy(row["edge_index"]), num_nodes=row["num_nodes"]))
        for made in (one, other):
            np.testing.assert_array_equal(made["edge_index"], alone.edge_index)
            np.testing.assert_array_equal(made["edge_weight"], alone.edge_weight)
            np.testing.assert_array_equal(made["node_mask"], alone.node_mask)
            assert (int(made["num_nodes"]), made["y"].tolist()) == (row["num_nodes"], row["y"].tolist())

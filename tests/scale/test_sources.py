"""Edges from files and Datasets, and views into files."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rlap.scale
from rlap.scale import view as view_module
from tests.scale.graphs import grid, hubs


def table(graph, both):
    source, target, weight, _ = graph
    if both:
        source, target = np.concatenate([source, target]), np.concatenate([target, source])
        weight = np.concatenate([weight, weight])
    return pa.table({"source": source, "target": target, "weight": weight})


def read(folder):
    return pq.read_table(folder)


def assert_same(one, other):
    np.testing.assert_array_equal(one.edge_index, other.edge_index)
    np.testing.assert_array_equal(one.edge_weight, other.edge_weight)


def test_files_a_dataset_and_arrays_are_the_same(cluster, tmp_path, monkeypatch):
    import ray.data

    graph = hubs(200, 600, weighted=True)
    options = {"fraction": 0.5, "parts": 3, "levels": 1, "seed": 2, "fits": 0}
    expected = rlap.scale.schur_view(graph[:3], directions="one", num_nodes=200, **options)
    rows = table(graph, both=True)
    shuffled = rows.take(np.random.default_rng(0).permutation(rows.num_rows))
    for number in range(3):
        pq.write_table(shuffled.slice(number * 400, 400), tmp_path / f"{number}.parquet", row_group_size=90)
    monkeypatch.setattr("rlap.scale.sources._AT_ONCE", 150)
    assert_same(rlap.scale.schur_view(f"{tmp_path}/*.parquet", num_nodes=200, **options), expected)
    assert_same(rlap.scale.schur_view(tmp_path, num_nodes=200, **options), expected)
    dataset = ray.data.from_arrow([shuffled.slice(0, 500), shuffled.slice(500)])
    assert_same(rlap.scale.schur_view(dataset, num_nodes=200, **options), expected)


def test_a_view_in_shards(cluster, tmp_path, monkeypatch):
    graph = grid(10)
    options = {"fraction": 0.5, "parts": 2, "seed": 1, "directions": "one"}
    expected = rlap.scale.schur_view(graph[:3], **options)
    monkeypatch.setattr(view_module, "SHARD", 30)
    made = rlap.scale.schur_view(graph[:3], out=tmp_path / "new" / "view", **options)
    files = sorted((tmp_path / "new" / "view").iterdir())
    assert len(files) == made.summary.shards > 2
    assert made.edge_index is None
    found = pa.concat_tables(map(pq.read_table, files))
    up = expected.edge_index[0] < expected.edge_index[1]
    np.testing.assert_array_equal([found["source"], found["target"]], expected.edge_index[:, up])
    np.testing.assert_array_equal(found["weight"], expected.edge_weight[up])
    sizes = [pq.read_metadata(file).num_rows for file in files]
    assert max(sizes) < 60
    assert sum(sizes) == made.summary.edges
    with pytest.raises(ValueError, match="out must be a new or empty folder"):
        rlap.scale.schur_view(graph[:3], out=tmp_path / "new" / "view", **options)


def test_a_column_of_parts(cluster, tmp_path):
    source, target, weight, nodes = grid(9)
    part = np.arange(nodes) % 9 // 3
    options = {"fraction": 0.7, "parts": 3, "levels": 1, "seed": 3, "directions": "one"}
    expected = rlap.scale.schur_view((source, target, weight), partition=part, **options)
    swap = np.arange(source.size) % 2 == 0  # in whatever direction an edge is listed
    first, second = np.where(swap, target, source), np.where(swap, source, target)
    columns = {"source": first, "target": second, "source_region": part[first], "target_region": part[second]}
    pq.write_table(pa.table(columns), tmp_path / "edges.parquet")
    made = rlap.scale.schur_view(tmp_path / "edges.parquet", partition="region", **options)
    assert_same(made, expected)


def test_nothing(cluster):
    empty = np.zeros(0, np.int64)
    made = rlap.scale.schur_view((empty, empty), fraction=0.5, num_nodes=10)
    assert made.edge_index.shape == (2, 0)
    assert made.summary.kept == 5
    assert rlap.scale.schur_view((empty, empty), fraction=0.5).num_nodes == 0


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"fraction": 1.5}, r"fraction must lie in \[0, 1\] \(got 1.5\)"),
        ({}, "give exactly one of fraction and keep"),
        ({"keep": [7]}, r"keep must lie in \[0, num_nodes\) = \[0, 3\) \(got 7\)"),
        ({"fraction": 0.5, "num_nodes": 2}, r"node ids must lie in \[0, num_nodes\) = \[0, 2\) \(got 2\)"),
        ({"fraction": 0.5, "directions": "both"}, "both directions of every edge"),
        ({"fraction": 0.5, "parts": 0}, r"parts must be at least 1 \(got 0\)"),
        ({"fraction": 0.5, "method": "magic"}, "method must be"),
        ({"fraction": 0.5, "partition": "region"}, "parts must be given with a column"),
        ({"fraction": 0.5, "partition": "region", "parts": 2}, "edges must have a column 'source_region'"),
        ({"fraction": 0.5, "partition": [0, 1]}, "one part for every node, 3"),
        ({"fraction": 0.5, "method": "walks", "neighbor_order": "desc"}, "has no neighbor_order"),
        ({"fraction": 1.0, "parts": 2, "metis_edges": 1}, "is for at most 1 edges"),
    ],
)
def test_refusals(cluster, options, rule):
    with pytest.raises(ValueError, match=rule):
        rlap.scale.schur_view(([0, 1], [1, 2]), **{"directions": "one", **options})


def test_a_rest_that_does_not_fit(cluster):
    with pytest.raises(RuntimeError, match="the rest must fit in one worker"):
        rlap.scale.schur_view(grid(8)[:3], fraction=0.9, parts=2, fits=1, directions="one", seed=0)

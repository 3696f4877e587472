"""Data sets agree with PyG's own classes on the same files, and their folder is only read."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import torch
from torch_geometric.datasets import Amazon, Coauthor, Planetoid, TUDataset
from torch_geometric.utils import degree

from rlap import datasets
from tests.datasets.raw_files import publish, write_all, write_npz, write_planetoid, write_tu

PYG = {
    "CORA": (Planetoid, "Cora"),
    "AMAZON-PHOTO": (Amazon, "Photo"),
    "PUBMED": (Planetoid, "PubMed"),
    "COAUTHOR-CS": (Coauthor, "CS"),
    "COAUTHOR-PHY": (Coauthor, "Physics"),
    "MUTAG": (TUDataset, "MUTAG"),
    "PROTEINS": (TUDataset, "PROTEINS"),
    "IMDB-BINARY": (TUDataset, "IMDB-BINARY"),
    "IMDB-MULTI": (TUDataset, "IMDB-MULTI"),
    "NCI1": (TUDataset, "NCI1"),
}
NODE = [name for name in datasets.names("node") if name in PYG]
GRAPH = [name for name in datasets.names("graph") if name in PYG]


@pytest.fixture(autouse=True)
def _nothing_from_outside(monkeypatch, tmp_path):
    monkeypatch.delenv("RLAP_DATA", raising=False)
    monkeypatch.setenv("RLAP_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("data")
    write_all(root)
    return root


@pytest.fixture(autouse=True)
def _published(request, folder, monkeypatch):
    if "real" not in request.node.name:
        publish(folder, monkeypatch)


@pytest.fixture(scope="module")
def processed(folder, tmp_path_factory):
    """A copy for PyG, which writes beside the raw files."""
    root = tmp_path_factory.mktemp("pyg")
    shutil.copytree(folder, root, dirs_exist_ok=True)
    return root


def with_pyg(root, name):
    kind, own = PYG[name]
    return kind(str(root), own)


@pytest.mark.parametrize("name", NODE)
def test_node_sets_agree_with_pyg(name, folder, processed):
    expected = with_pyg(processed, name)
    found = datasets.load(name, folder)
    assert found.level == "node"
    assert found.name == name
    assert found.num_classes == expected.num_classes
    assert found.num_features == expected.num_features
    for key in ("x", "edge_index", "y"):
        assert torch.equal(found.data[key], expected[0][key])
        assert found.data[key].dtype == expected[0][key].dtype
    assert torch.equal(found.labels, expected[0].y)


@pytest.mark.parametrize("name", GRAPH)
def test_graph_sets_agree_with_pyg(name, folder, processed):
    expected = with_pyg(processed, name)
    found = datasets.load(name, folder)
    assert found.level == "graph"
    assert len(found.graphs) == len(expected)
    assert found.num_classes == expected.num_classes
    assert torch.equal(found.labels, expected.y)
    if name.startswith("IMDB"):
        degrees = [degree(graph.edge_index[0], graph.num_nodes, torch.long) for graph in expected]
        width = int(torch.cat(degrees).max()) + 1
        features = [torch.eye(width)[one] for one in degrees]
    else:
        features = [graph.x for graph in expected]
    for own, graph, x in zip(found.graphs, expected, features, strict=True):
        assert torch.equal(own.edge_index, graph.edge_index)
        assert torch.equal(own.y, graph.y)
        assert torch.equal(own.x, x)
        assert own.x.dtype == torch.float32


@pytest.mark.parametrize("name", [*PYG, "digits", "families"])
def test_constant_features(name, folder):
    one = datasets.load(name, folder, features="constant")
    graphs = [one.data] if one.level == "node" else one.graphs
    usual = datasets.load(name, folder)
    others = [usual.data] if one.level == "node" else usual.graphs
    assert one.num_features == 1
    for graph, other in zip(graphs, others, strict=True):
        assert torch.equal(graph.x, torch.ones(other.num_nodes, 1))
        assert torch.equal(graph.edge_index, other.edge_index)


@pytest.mark.parametrize("name", NODE)
def test_sparse_features_hold_the_same(name, folder):
    dense = datasets.load(name, folder)
    sparse = datasets.load(name, folder, sparse_features=True)
    assert sparse.data.x.is_sparse_csr
    assert sparse.data.num_nodes == dense.data.num_nodes
    assert sparse.num_features == dense.num_features
    assert torch.equal(sparse.data.x.to_dense(), dense.data.x)
    assert sparse.checksum == dense.checksum


def test_dense_features_stay_dense():
    assert not datasets.load("digits", sparse_features=True).data.x.is_sparse_csr


def test_the_checksum_sees_features_edges_and_labels(tmp_path):
    write_npz(tmp_path, "CS", "ms_academic_cs.npz")
    seen = {datasets.load("CS", tmp_path).checksum}
    for key, place in (("x", (3, 4)), ("y", 0), ("edge_index", (0, 0))):
        changed = datasets.load("CS", tmp_path)
        changed.data[key][place] += 1
        seen.add(changed.checksum)
    assert len(seen) == 4
    assert datasets.load("CS", tmp_path).checksum in seen


def test_names_in_any_case_and_pygs(folder):
    assert len(datasets.names()) == 12
    assert datasets.names() == datasets.names("node") + datasets.names("graph")
    for name, (_, own) in PYG.items():
        assert datasets.load(own.lower(), folder).name == name
        assert datasets.load(name.lower(), folder).name == name
    with pytest.raises(ValueError, match=r"must be one of CORA.*\(got 'Korra'; did you mean CORA\?\)"):
        datasets.load("Korra", folder)
    with pytest.raises(ValueError, match='level must be "node", "graph" or None'):
        datasets.names("edge")
    with pytest.raises(ValueError, match=r"features must be one of default, constant, normalized \(got 'degree'\)"):
        datasets.load("CORA", folder, features="degree")


def test_the_folder_may_come_from_the_environment(folder, monkeypatch):
    monkeypatch.setenv("RLAP_DATA", str(folder))
    assert datasets.load("Cora").data.num_nodes == 600


def test_proteins_full_may_stand_in(tmp_path):
    write_tu(tmp_path, "PROTEINS_full", labelled=True)
    full = datasets.load("PROTEINS", tmp_path, trust_data=True)
    write_tu(tmp_path, "PROTEINS", labelled=True)
    assert full.checksum == datasets.load("PROTEINS", tmp_path).checksum


def test_a_missing_set_says_how_to_get_it(tmp_path):
    with pytest.raises(
        FileNotFoundError, match=r"CORA was not found: there is no Cora/raw as no folder was given.*RLA"
    ):
        datasets.load("Cora")
    with pytest.raises(FileNotFoundError, match=r"no PROTEINS/raw or PROTEINS_full/raw in .*download=True.*'digits'"):
        datasets.load("PROTEINS", tmp_path)
    write_planetoid(tmp_path)
    (tmp_path / "Cora/raw/ind.cora.ty").unlink()
    with pytest.raises(FileNotFoundError, match=r"CORA needs the file ind.cora.ty, which is missing in"):
        datasets.load("Cora", tmp_path)


def everything_under(root):
    return {path: path.stat().st_mtime_ns for path in sorted(root.rglob("*"))}


def test_nothing_is_written(tmp_path):
    root = tmp_path / "data"
    write_all(root)
    before = everything_under(root)
    # The owner of all, root, may write even here: the listing above is what tests it then.
    for place in [root, *root.rglob("*")]:
        place.chmod(0o555 if place.is_dir() else 0o444)
    try:
        for name in PYG:
            datasets.load(name, root)
    finally:
        for place in [root, *root.rglob("*")]:
            place.chmod(0o755 if place.is_dir() else 0o644)
    assert everything_under(root) == before
    assert not (tmp_path / "cache").exists()


@pytest.fixture
def server(folder, tmp_path, monkeypatch):
    """What PyG's addresses hold, as files."""
    root = tmp_path / "server"
    root.mkdir()
    for raw in folder.glob("*/raw"):
        for file in raw.iterdir():
            shutil.copy(file, root)
    for name in ("MUTAG", "IMDB-BINARY"):
        with zipfile.ZipFile(root / f"{name}.zip", "w") as archive:
            for file in (folder / name / "raw").iterdir():
                archive.write(file, f"{name}/{file.name}")
    for kind in (Planetoid, Amazon, Coauthor, TUDataset):
        monkeypatch.setattr(kind, "url", root.as_uri())
    return root


@pytest.mark.parametrize("name", ["CORA", "AMAZON-PHOTO", "COAUTHOR-PHY", "MUTAG", "IMDB-BINARY"])
def test_download(name, folder, server, tmp_path):
    expected = datasets.load(name, folder).checksum
    assert datasets.load(name, download=True).checksum == expected
    shutil.rmtree(server)
    assert datasets.load(name).checksum == expected
    assert [path.name for path in (tmp_path / "cache/datasets").iterdir()] == [PYG[name][1]]


def test_a_download_that_fails_leaves_nothing(server, tmp_path):
    (server / "ind.cora.ty").unlink()
    with pytest.raises(OSError, match=r"ind\.cora\.ty"):
        datasets.load("CORA", download=True)
    assert list((tmp_path / "cache/datasets").iterdir()) == []


LOADER = """
import sys, time
from torch_geometric.datasets import Planetoid
from rlap import datasets
Planetoid.url = sys.argv[1]
while not __import__("os").path.exists(sys.argv[2]):
    time.sleep(0.001)
print(datasets.load("CORA", download=True, trust_data=True).checksum)
"""


def test_two_processes_may_download_at_once(folder, server, tmp_path):
    expected = datasets.load("CORA", folder).checksum
    start = tmp_path / "start"
    command = [sys.executable, "-c", LOADER, server.as_uri(), str(start)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ.copy()) for _ in range(2)]
    start.touch()
    assert [one.communicate(timeout=120)[0].strip() for one in both] == [expected] * 2
    assert [path.name for path in (tmp_path / "cache/datasets").iterdir()] == ["Cora"]


def test_what_a_killed_download_left_is_ignored(server, tmp_path, folder):
    left = tmp_path / "cache/datasets/.Cora-abc/raw"
    left.mkdir(parents=True)
    (left / "ind.cora.x").write_bytes(b"half")
    assert datasets.load("CORA", download=True).checksum == datasets.load("CORA", folder).checksum


REAL = os.environ.get("RLAP_DATA")
STATISTICS = """\
CORA,1,2708,10556,1433,7
AMAZON-PHOTO,1,7650,238162,745,8
PUBMED,1,19717,88648,500,3
COAUTHOR-CS,1,18333,163788,6805,15
COAUTHOR-PHY,1,34493,495924,8415,5
MUTAG,188,17.9,39.6,7,2
PROTEINS,1113,39.1,145.6,3,2
IMDB-BINARY,1000,19.8,193.1,136,2
IMDB-MULTI,1500,13.0,131.9,89,3
NCI1,4110,29.9,64.6,37,2
"""


@pytest.mark.skipif(REAL is None, reason="needs the real data sets in RLAP_DATA")
@pytest.mark.parametrize("row", list(csv.reader(STATISTICS.splitlines())), ids=lambda row: row[0])
def test_the_real_sets_have_the_sizes_of_the_papers_table(row):
    name, count, nodes, edges, features, classes = row
    found = datasets.load(name, Path(REAL), sparse_features=True)
    graphs = [found.data] if found.level == "node" else found.graphs
    assert len(graphs) == int(count)
    assert found.num_features == int(features)
    assert found.num_classes == int(classes)
    assert sum(graph.num_nodes for graph in graphs) / len(graphs) == pytest.approx(float(nodes), abs=0.051)
    assert sum(graph.num_edges for graph in graphs) / len(graphs) == pytest.approx(float(edges), abs=0.051)


@pytest.mark.skipif(REAL is None, reason="needs the real data sets in RLAP_DATA")
@pytest.mark.parametrize("name", ["CORA", "PUBMED", "AMAZON-PHOTO"])
def test_the_real_sets_agree_with_pyg(name, tmp_path):
    own = PYG[name][1]
    shutil.copytree(Path(REAL) / own / "raw", tmp_path / own / "raw")
    expected, found = with_pyg(tmp_path, name)[0], datasets.load(name, REAL).data
    assert all(torch.equal(found[key], expected[key]) for key in ("x", "edge_index", "y"))

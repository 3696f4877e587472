"""Files that were made to crash, hang or fill memory: one clear line instead. tests/fuzz/readers.py looks for more."""

from __future__ import annotations

import gzip
import io
import os
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
import torch
from torch_geometric.data import Data
from typer.testing import CliRunner

from rlap.adapters.files import read_graph
from rlap.cli import build_app
from rlap.embedder.files import read_own
from rlap.embedder.inputs import read_input
from rlap.embedder.labels import read_labels
from rlap.embedder.tables import read_table
from rlap.schur import memory


def write(path: Path, content: bytes | str) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refused(call, *arguments) -> str:
    """Require a ValueError of one line."""
    with pytest.raises(ValueError, match=r"\A[^\n]+\Z") as problem:
        call(*arguments)
    return str(problem.value)


# SciPy: "double free or corruption", a segmentation fault, and minutes of work.
INDPTR = [[0, -5, 2, 2], [0, 10**6, 2, 2], [0, 10**9, 2, 2], [0, 1, 1, 10**9], [0, 2, 2, 2, 2], [0, 1]]


@pytest.mark.parametrize("indptr", INDPTR)
@pytest.mark.parametrize("kind", ["csr", "csc", "bsr"])
@pytest.mark.parametrize("width", [np.int32, np.int64])
def test_offsets_of_a_sparse_matrix(indptr, kind, width, tmp_path):
    data = np.ones((2, 1, 1)) if kind == "bsr" else np.ones(2)
    path = tmp_path / "a.npz"
    arrays = {"indices": np.array([1, 0], dtype=width), "indptr": np.array(indptr, dtype=width), "data": data}
    np.savez(path, format=kind.encode(), shape=np.array([3, 3]), **arrays)
    for read in (read_graph, read_table):
        assert str(path) in refused(read, path)
    done = CliRunner().invoke(build_app(), ["augment", str(path), "--fraction", "0.5"])
    assert done.exit_code == 2
    assert done.output.startswith("Error: ")


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr", "coo", "dia"])
def test_every_format_of_scipy_is_still_read(kind, tmp_path):
    path = np.array([[0, 2.0, 0], [2.0, 0, 3.0], [0, 3.0, 0]])
    sp.save_npz(tmp_path / "a.npz", sp.csr_array(path).asformat(kind))
    graph = read_graph(tmp_path / "a.npz")
    assert graph.edge_index.tolist() == [[0, 1, 1, 2], [1, 0, 2, 1]]
    assert graph.edge_weight.tolist() == [2, 2, 3, 3]
    assert read_table(tmp_path / "a.npz").values.to_dense().tolist() == path.tolist()


def with_header(header: str, data: bytes = b"\0" * 16) -> bytes:
    """An array with a header of one's own."""
    text = (header + "\n").encode()
    return b"\x93NUMPY\x02\x00" + len(text).to_bytes(4, "little") + text + data


def archive(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(f"{name}.npy", content)
    return file.getvalue()


HEADERS = {
    "deep": "(" * 400 + ")" * 400,
    "deeper": "{'descr': " + "-" * 5000 + "1}",
    "unclosed": "{'descr': '<f8', 'shape': (",
    "no keys": "{}",
    "too large": "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 2)}",
    "overflowing": "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4)}",
    "negative": "{'descr': '<f8', 'fortran_order': False, 'shape': (-1, -2)}",
    "objects": "{'descr': '|O', 'fortran_order': False, 'shape': (2,)}",
    "no dtype": "{'descr': 'elephant', 'fortran_order': False, 'shape': (2,)}",
}


@pytest.mark.parametrize("case", HEADERS)
def test_headers_of_arrays(case, tmp_path):
    array = with_header(HEADERS[case])
    packed = write(tmp_path / "a.npz", archive(edge_index=array, x=array))
    for read in (read_graph, read_table, read_labels):
        refused(read, packed)
    plain = write(tmp_path / "a.npy", array)
    for read in (read_table, read_labels):
        refused(read, plain)


@pytest.mark.parametrize("order", "<>")
def test_text_of_numpy_has_characters(order, tmp_path):
    names = np.array(["ab", "c"], dtype=f"{order}U2")
    np.savez(tmp_path / "a.npz", edge_index=[[0], [1]], node_names=names)
    assert read_graph(tmp_path / "a.npz").node_names.tolist() == ["ab", "c"]
    wrong = np.frombuffer(names.tobytes()[:-4] + b"\xff" * 4, dtype=names.dtype)
    np.savez(tmp_path / "a.npz", edge_index=[[0], [1]], node_names=wrong)
    np.save(tmp_path / "a.npy", wrong)
    assert "characters below 0x110000 (got 0xffffffff)" in refused(read_graph, tmp_path / "a.npz")
    assert "characters below 0x110000 (got 0xffffffff)" in refused(read_labels, tmp_path / "a.npy")


def test_archives_with_missing_parts(tmp_path):
    matrix = {"format": b"csr", "shape": [2, 2], "data": [1.0], "indices": [1], "indptr": [0, 1, 1]}
    for gone in matrix:
        np.savez(tmp_path / "a.npz", **{key: value for key, value in matrix.items() if key != gone})
        for read in (read_graph, read_table):
            assert "must hold an array" in refused(read, tmp_path / "a.npz")
    for key, value in (("format", b"elephant"), ("shape", [2]), ("shape", [-1, 2]), ("shape", True), ("data", ["a"])):
        np.savez(tmp_path / "a.npz", **(matrix | {key: value}))
        refused(read_graph, tmp_path / "a.npz")
    refused(read_graph, write(tmp_path / "b.npz", b"PK\x03\x04" + b"\0" * 100))
    refused(read_graph, write(tmp_path / "c.npz", b""))


def test_a_small_archive_of_a_large_array_is_refused_with_the_figure(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 2**20)
    monkeypatch.setattr(memory, "_SMALL", 0)
    zeros = with_header("{'descr': '<i8', 'fortran_order': False, 'shape': (2, 1000000)}", b"\0" * 16_000_000)
    path = write(tmp_path / "a.npz", archive(edge_index=zeros, x=zeros))
    assert path.stat().st_size < 100_000
    for read in (read_graph, read_table):
        with pytest.raises(MemoryError, match=r"about 0\.1 GiB of memory"):
            read(path)


HEAD = "%%MatrixMarket matrix coordinate real general\n"
MATRICES = {
    "zero bytes": (HEAD + "3 3 2\n1 2 1\n2 3 \0\0\0\n", r"must be numbers (got b'\x00\x00\x00')"),
    "zero bytes early": (HEAD + "3 3 2\n1 \0 1\n2 3 1\n", "must be numbers"),
    "letters at the end": (HEAD + "3 3 2\n1 2 1\n2 3 1J", "must be numbers (got b'J')"),
    "bytes at the end": (HEAD.encode() + b"3 3 2\n1 2 1\n2 3 6.08\xff\xff 7.1", "must be numbers"),
    "too many entries": (HEAD + "3 3 1000000000000\n1 2 1\n", "cannot hold 1000000000000 of them"),
    "a dense one": (HEAD.replace("coordinate", "array") + "100000 100000\n1\n", "cannot hold 10000000000 of them"),
    "a dense one that is not square": (
        HEAD.replace("coordinate", "array").replace("general", "symmetric") + "1 12\n" + "1\n" * 78,
        "must be square (got 1 x 12)",  # SciPy's reader writes behind its end
    ),
    "a dense one with more": (HEAD.replace("coordinate", "array") + "2 2\n" + "1\n" * 9, "must have 4 entries (got 9)"),
    "a dense pattern": ("%%MatrixMarket matrix array pattern general\n1 1\n", "must be real"),
    "lines that end otherwise": (HEAD.replace("\n", "\r") + "3 3 1\r1 2 1\r", None),
    "no size": (HEAD + "\n", None),
    "strange sizes": (HEAD + "3 x 2\n", "must say its size"),
    "negative sizes": (HEAD + "-3 -3 2\n1 2 1\n", "must say its size"),
    "a deep name": (HEAD + "%node " + "[" * 10**5 + "\n1 1 0\n", "JSON cannot read it"),
    "a list as a name": (HEAD + "%node [1]\n1 1 0\n", "a word or a whole number"),
    "long numbers": (HEAD + "3 3 1\n1 2 " + "1" * 10**5 + "\n", None),
}


@pytest.mark.parametrize("case", MATRICES)
def test_matrix_market(case, tmp_path):
    content, message = MATRICES[case]
    said = refused(read_graph, write(tmp_path / "a.mtx", content))
    assert message is None or message in said


def test_matrix_market_without_an_end_of_line_and_with_infinity(tmp_path):
    graph = read_graph(write(tmp_path / "a.mtx", HEAD + "2 2 1\n1 2 2.5E0"))
    assert graph.edge_weight.tolist() == [2.5, 2.5]
    assert "positive and finite (got inf" in refused(
        read_graph, write(tmp_path / "a.mtx", HEAD + "2 2 1\n1 2 Infinity")
    )


@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
def test_dense_matrices_are_read_as_scipy_reads_them(symmetry, tmp_path):
    matrix = np.random.default_rng(0).integers(0, 3, size=(6, 6)).astype(float)
    matrix = matrix + matrix.T
    np.fill_diagonal(matrix, 0)
    scipy.io.mmwrite(tmp_path / "a.mtx", matrix, symmetry=symmetry)
    graph = read_graph(tmp_path / "a.mtx")
    found = np.zeros((6, 6))
    found[tuple(graph.edge_index)] = graph.edge_weight
    np.testing.assert_array_equal(found, scipy.io.mmread(tmp_path / "a.mtx"))


CLAIMS = {
    "a.mtx": HEAD + "2000000000 2000000000 1\n1 2 1\n",
    "a.csv": "0,1\n0,2000000000\n",
    "a.npz": None,
}


@pytest.mark.parametrize("name", CLAIMS)
def test_two_billion_nodes_in_a_few_bytes(name, tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 32 * 2**30)
    path = tmp_path / name
    if CLAIMS[name] is None:
        np.savez(path, edge_index=[[0], [1]], num_nodes=2_000_000_000)
    else:
        write(path, CLAIMS[name])
    if name == "a.csv":  # numbers that are so far apart are names
        assert read_graph(path).num_nodes == 3
        with pytest.raises(MemoryError, match=r"about 9\d\.\d GiB of memory \(32\.0 GiB are available\)"):
            read_graph(path, num_nodes=2_000_000_001)
        return
    with pytest.raises(MemoryError, match=r"about 9\d\.\d GiB of memory \(32\.0 GiB are available\)"):
        read_graph(path)
    done = CliRunner().invoke(build_app(), ["augment", str(path), "--fraction", "0.5"])
    assert done.exit_code == 1
    assert "Error: not enough memory (the call needs about 9" in done.output


def test_the_estimate_of_reading_a_file_covers_it():
    from rlap.adapters.files import undirected
    from rlap.adapters.files.edge_file import EdgeFile
    from rlap.experiments.overheads.memory import peak_growth

    rng = np.random.default_rng(0)
    for nodes, edges in ((1_000_000, 10), (20_000, 400_000)):
        index = rng.integers(nodes, size=(2, edges))
        needed = undirected._EDGE * edges + undirected._NODE * nodes
        graph = EdgeFile(index, np.ones(edges), nodes)
        grown, _ = peak_growth(lambda graph=graph: undirected.to_undirected(graph, "mean"))
        assert 0.5 * needed < grown < needed + 16 * 2**20


XML = '<graphml><key id="w" for="edge" attr.name="weight"/><graph edgedefault="undirected"><node id="a"/><node id="b"/>'
END = "</graph></graphml>"
EDGE = '<edge source="a" target="b">'
SLOW = {
    "a weight of spaces": EDGE + '<data key="w">' + " " * 300_000 + "</data></edge>",
    "a weight of spaces, unclosed": EDGE + '<data key="w">' + " " * 300_000 + "<x/></data></edge>",
    "data without an end": EDGE + '<data key="v">1</data>' * 15_000 + "<x/></edge>",
    "data on both sides": EDGE + '<data key="v">1</data>' * 15_000 + '<data key="w"> </data></edge>',
    "spaces in a tag": "<edge" + " " * 300_000 + 'source="a" target="b"x="1"/>',
    "edges without an end": "<edge source='a' target='b'>" * 10_000 + "</edge>" * 10_000,
    "edges of spaces": ("<edge" + " " * 1000 + ">") * 300 + "</edge>" * 300,
    "a long name": '<edge source="' + "a" * 300_000 + '\t" target="b"/>',
}


@pytest.mark.parametrize("case", SLOW)
def test_graphml_takes_linear_time(case, tmp_path):
    path = write(tmp_path / "a.graphml", XML + SLOW[case] + END)
    began = time.process_time()
    with suppress(ValueError):
        read_graph(path)
    assert time.process_time() - began < 3  # a quadratic one took over a minute


DOCUMENTS = {
    "an unknown encoding": ('<?xml version="1.0" encoding="elephant"?>' + XML + END, "unknown encoding: elephant"),
    "a wide encoding": ('<?xml version="1.0" encoding="utf-32"?>' + XML + END, None),
    "entities": (
        '<!DOCTYPE g [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>' + XML + "&b;" + END,
        "must not define entities",
    ),
    "no end": (XML, "well-formed XML"),
    "nothing": ("", "well-formed XML"),
    "deep": ("<a>" * 100_000, "well-formed XML"),
}


@pytest.mark.parametrize("case", DOCUMENTS)
def test_graphml(case, tmp_path):
    content, message = DOCUMENTS[case]
    assert (message or "") in refused(read_graph, write(tmp_path / "a.graphml", content))


def test_a_name_of_many_digits_is_a_name(tmp_path):
    name = "1" * 5000
    graph = read_graph(write(tmp_path / "a.graphml", XML.replace('"a"', f'"{name}"') + END))
    assert graph.node_names.tolist() == [name, "b"]


def test_a_cell_of_a_table_may_be_long(tmp_path):
    long = "a" * 200_000
    assert "larger than field limit" in refused(read_graph, write(tmp_path / "a.csv", f"{long},b\nb,c\n"))
    graph = read_graph(write(tmp_path / "b.csv", f"a,b\nb,c\nc,{long}\n"))
    assert graph.node_names[-1] == long
    assert len(refused(read_graph, write(tmp_path / "c.csv", f"a,b\nb,c\nc,d,{long}\n"))) < 400


def test_a_row_of_several_lines_is_refused_in_one(tmp_path):
    refused(read_graph, write(tmp_path / "a.csv", 'a,b,c\nc,"d\n,""e""\n'))
    refused(read_graph, write(tmp_path / "a.csv", b'# comment\n"a b",c,1\nc,"\nd,,""e\xff""\n'))


def test_tables(tmp_path):
    assert "must have a row" in refused(read_table, write(tmp_path / "a.csv", "a,b\n"))
    assert "must have a row" in refused(read_table, write(tmp_path / "b.csv", ""))
    for ending in (".parquet", ".npy", ".npz", ".csv"):
        for content in (b"PAR1", b"PAR1\0\0\0\0PAR1", b"\x93NUMPY", b"PK\x05\x06" + b"\0" * 18, b"\xff\xfe\0"):
            refused(read_table, write(tmp_path / f"c{ending}", content))


def test_text_in_a_parquet_file_must_be_text(tmp_path):
    import pandas as pd

    path = tmp_path / "labels.parquet"
    pd.DataFrame({"label": ["reddish", "blueish"]}).to_parquet(path, compression=None)
    read_labels(path)
    write(path, path.read_bytes().replace(b"reddish", b"r\xffddish"))
    assert "Invalid UTF8" in refused(read_labels, path)


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 0.5, 1e300])
def test_labels_are_whole_numbers(value, tmp_path):
    np.save(tmp_path / "a.npy", np.array([0.0, value]))
    assert f"whole numbers (got {value})" in refused(read_labels, tmp_path / "a.npy")


def test_labels_are_no_dates(tmp_path):
    np.save(tmp_path / "a.npy", np.array(["2020-01-01"], dtype="datetime64[D]"))
    assert "datetime64" in refused(read_labels, tmp_path / "a.npy")


class Command:
    """Runs a command when it is unpickled."""

    def __init__(self, marker: Path):
        self.marker = marker

    def __reduce__(self):
        return os.system, (f"touch {self.marker}",)


def test_saved_objects_run_nothing_and_claim_nothing(tmp_path):
    path, marker = tmp_path / "a.pt", tmp_path / "marker"
    data = Data(x=torch.ones(2, 1), edge_index=torch.tensor([[0, 1], [1, 0]]))
    torch.save(Data(x=Command(marker)), path)
    refused(read_own, path, None)
    np.save(tmp_path / "a.npy", np.array([Command(marker)], dtype=object))
    refused(read_table, tmp_path / "a.npy")
    assert not marker.exists()
    data.num_nodes = 10**12  # the rows of x say it
    torch.save(data, path)
    own = read_own(path, None)
    assert own.names == [0, 1]
    assert read_input(own.graphs, "node").data.num_nodes == 2


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("edge_index", torch.ones(2, 2), "must hold integers"),
        ("edge_index", torch.zeros(3, 2, dtype=torch.long), r"shape (2, E) (got (3, 2))"),
        ("edge_index", torch.eye(2).to_sparse(), "dense tensor"),
        ("edge_index", torch.tensor([[0], [7]]), r"must lie in [0, 2)"),
        ("edge_index", "elephant", "must have features x and edges edge_index"),
        ("x", torch.ones(2), "a row for every node"),
        ("x", None, "must have features x"),
    ],
)
def test_saved_objects_that_do_not_fit_together(key, value, message, tmp_path):
    data = Data(x=torch.ones(2, 1), edge_index=torch.tensor([[0, 1], [1, 0]]))
    data[key] = value
    torch.save(data, tmp_path / "a.pt")
    with pytest.raises((ValueError, TypeError)) as problem:
        read_input(read_own(tmp_path / "a.pt", None).graphs, "node")
    assert message in str(problem.value)


@pytest.mark.parametrize(
    ("name", "line"), [("edges.csv.gz", b"0,1\n"), ("edges.mtx.gz", b"    "), ("edges.graphml.gz", b"   \n")]
)
def test_few_bytes_that_unpack_to_many(name, line, tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "_SMALL", 2**20)
    monkeypatch.setattr(memory, "available_memory", lambda: 2**25)
    path = tmp_path / name
    with gzip.open(path, "wb", compresslevel=1) as packed:
        for _ in range(128):
            packed.write(line * 2**18)
    assert path.stat().st_size < 2**20
    with pytest.raises(MemoryError, match=r"GiB of memory \(0\.0 GiB are available\)"):
        read_graph(path)

"""`rlap augment` against the library's own views, other programs' readers, and bad input."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.io
import scipy.sparse as sp
from typer.testing import CliRunner, Result

import rlap
from rlap.cli import augment_report, build_app

CLUB = nx.karate_club_graph()
NODES = CLUB.number_of_nodes()
ADJACENCY = nx.to_scipy_sparse_array(CLUB, dtype=float).tocoo()
EDGE_INDEX, EDGE_WEIGHT = np.stack(ADJACENCY.coords).astype(np.int64), ADJACENCY.data
ENDINGS = [".csv", ".tsv", ".npz", ".mtx", ".graphml"]


def run(*words: Any, env: dict[str, str] | None = None) -> Result:
    """Call the command line."""
    return CliRunner(env={"COLUMNS": "200", **(env or {})}).invoke(build_app(), [str(word) for word in words])


def make(*words: Any) -> str:
    """Call `rlap augment`, which must go well."""
    result = run("augment", *words)
    assert result.exit_code == 0, result.output
    return str(result.output)


def write_club(path: Path) -> Path:
    """Write the karate club with other programs."""
    if path.suffix == ".npz":
        np.savez(path, edge_index=EDGE_INDEX, edge_weight=EDGE_WEIGHT, num_nodes=NODES)
    elif path.suffix == ".mtx":
        scipy.io.mmwrite(path, ADJACENCY)
    elif path.suffix == ".graphml":
        nx.write_graphml(CLUB, path)
    else:
        mark = "\t" if path.suffix == ".tsv" else ","
        nx.to_pandas_edgelist(CLUB)[["source", "target", "weight"]].to_csv(path, sep=mark, index=False)
    return path


def dense(edge_index: Any, edge_weight: Any, nodes: int = NODES) -> np.ndarray[Any, Any]:
    return np.asarray(sp.coo_array((edge_weight, edge_index), shape=(nodes, nodes)).toarray())


def read_elsewhere(path: Path, nodes: int = NODES) -> np.ndarray[Any, Any]:
    """Read a view with a program that is not ours, as a dense adjacency matrix."""
    if path.suffix == ".npz":
        with np.load(path) as archive:
            assert archive["num_nodes"] == nodes
            return dense(archive["edge_index"], archive["edge_weight"], nodes)
    if path.suffix == ".mtx":
        return np.asarray(scipy.io.mmread(path).toarray())
    if path.suffix == ".graphml":
        graph = nx.relabel_nodes(nx.read_graphml(path), int)
        graph.add_nodes_from(range(nodes))
        return np.asarray(nx.to_numpy_array(graph, nodelist=range(nodes)))
    frame = pd.read_csv(path, sep="\t" if path.suffix == ".tsv" else ",")
    half = dense(frame[["source", "target"]].to_numpy().T, frame["weight"], nodes)
    return np.asarray(half + half.T)


@pytest.mark.parametrize(("first", "second"), list(itertools.product(ENDINGS, repeat=2)))
def test_every_format_to_every_other(tmp_path: Path, first: str, second: str) -> None:
    expected = rlap.schur_view(EDGE_INDEX, EDGE_WEIGHT, num_nodes=NODES, fraction=0.4, seed=5)
    make(write_club(tmp_path / f"in{first}"), "--fraction", 0.4, "--seed", 5, "-o", tmp_path / f"out{second}")
    np.testing.assert_array_equal(read_elsewhere(tmp_path / f"out{second}"), dense(*expected))


@pytest.mark.parametrize("node_order", ["random", "degree"])
@pytest.mark.parametrize("neighbor_order", ["asc", "desc", "random"])
def test_views_are_those_of_the_library(tmp_path: Path, node_order: str, neighbor_order: str) -> None:
    source = write_club(tmp_path / "club.csv")
    orders: dict[str, Any] = {"node_order": node_order, "neighbor_order": neighbor_order}
    expected = rlap.schur_view(EDGE_INDEX, EDGE_WEIGHT, num_nodes=NODES, fraction=0.5, num_views=3, seed=9, **orders)
    words = ["--node-order", node_order, "--neighbor-order", neighbor_order, "--views", 3, "--seed", 9]
    make(source, "--fraction", 0.5, *words, "--out", tmp_path / "view.npz")
    for number, view in enumerate(expected):
        with np.load(tmp_path / f"view.{number}.npz") as archive:
            np.testing.assert_array_equal(archive["edge_index"], view.edge_index)
            np.testing.assert_array_equal(archive["edge_weight"], view.edge_weight)
            np.testing.assert_array_equal(archive["node_mask"], view.node_mask)


def test_walks_and_a_fraction_for_every_view(tmp_path: Path) -> None:
    source, shares = write_club(tmp_path / "club.graphml"), [0.2, 0.6]
    options: dict[str, Any] = {"method": "walks", "num_views": 2, "seed": 1}
    expected = rlap.schur_view(EDGE_INDEX, EDGE_WEIGHT, num_nodes=NODES, fraction=shares, **options)
    make(source, "-f", 0.2, "-f", 0.6, "--method", "walks", "-s", 1, "-o", tmp_path / "v.mtx.gz")
    for number, view in enumerate(expected):
        matrix = scipy.io.mmread(tmp_path / f"v.{number}.mtx.gz")
        np.testing.assert_array_equal(matrix.toarray(), dense(*view))


def test_the_seed_that_is_shown_repeats_the_view(tmp_path: Path) -> None:
    source = write_club(tmp_path / "club.csv")
    shown = make(source, "-f", 0.5)
    seed = shown.split("seed ")[1].split(",")[0]
    make(source, "-f", 0.5, "--seed", seed, "-o", tmp_path / "again.csv")
    assert (tmp_path / "club.view.csv").read_bytes() == (tmp_path / "again.csv").read_bytes()
    assert seed not in make(source, "-f", 0.5)


def test_names_stay(tmp_path: Path) -> None:
    """Keep some members by name; the exact Schur complement says which of them are joined, and how strongly."""
    names = {node: f"member {node}, {data['club']}" for node, data in CLUB.nodes(data=True)}
    club = nx.relabel_nodes(CLUB, names)
    nx.to_pandas_edgelist(club)[["weight", "target", "source"]].to_csv(tmp_path / "club.csv", index=False)
    gone = names[11]  # has one neighbour, so that what is left is not random
    (tmp_path / "keep.txt").write_text("\n".join(name for name in club if name != gone) + "\n")
    for ending in (".csv", ".graphml"):
        make(tmp_path / "club.csv", "--keep", tmp_path / "keep.txt", "--relabel", "-o", tmp_path / f"view{ending}")
    frame = pd.read_csv(tmp_path / "view.csv")
    assert list(frame.columns) == ["source", "target", "weight"]
    table = nx.from_pandas_edgelist(frame, edge_attr="weight")
    club.remove_node(gone)
    for view in (table, nx.read_graphml(tmp_path / "view.graphml")):
        assert set(view) == set(club)
        assert weights(view) == weights(club)


def weights(graph: nx.Graph) -> dict[frozenset[str], float]:
    return {frozenset((u, v)): float(weight) for u, v, weight in graph.edges(data="weight")}


def test_relabel(tmp_path: Path) -> None:
    source = write_club(tmp_path / "club.tsv")
    expected = rlap.schur_view(EDGE_INDEX, EDGE_WEIGHT, num_nodes=NODES, fraction=0.5, relabel=True, seed=2)
    for ending in ENDINGS:
        make(source, "-f", 0.5, "-s", 2, "--relabel", "-o", tmp_path / f"view{ending}")
        np.testing.assert_array_equal(
            read_elsewhere(tmp_path / f"view{ending}", 17), dense(expected.edge_index, expected.edge_weight, 17)
        )


def test_tables_keep_their_shape(tmp_path: Path) -> None:
    """A table without titles stays one; titles stay; both directions come on demand."""
    (tmp_path / "bare.txt").write_text("0 1\n1 2\n2 0\n")
    make(tmp_path / "bare.txt", "-f", 0)
    assert (tmp_path / "bare.view.txt").read_text() == "0\t1\t1\n0\t2\t1\n1\t2\t1\n"
    (tmp_path / "titled.csv").write_text("from;to;km\n0;1;2.5\n")
    make(tmp_path / "titled.csv", "-f", 0, "--both-directions")
    assert (tmp_path / "titled.view.csv").read_text() == "from,to,km\n0,1,2.5\n1,0,2.5\n"


def test_formats_against_the_ending(tmp_path: Path) -> None:
    write_club(tmp_path / "club.csv").rename(tmp_path / "club.data")
    make(tmp_path / "club.data", "--input-format", "csv", "-f", 0.5, "-s", 0)
    make(tmp_path / "club.data", "--input-format", "csv", "-f", 0.5, "-s", 0, "--format", "mtx")
    make(
        tmp_path / "club.data", "--input-format", "csv", "-f", 0.5, "-s", 0, "--format", "graphml", "-o", tmp_path / "x"
    )
    (tmp_path / "x").rename(tmp_path / "x.graphml")
    first = read_elsewhere(tmp_path / "club.view.csv")
    np.testing.assert_array_equal(first, read_elsewhere(tmp_path / "x.graphml"))
    np.testing.assert_array_equal(first, read_elsewhere(tmp_path / "club.view.mtx"))


def test_the_summary(tmp_path: Path) -> None:
    source = write_club(tmp_path / "club.csv")
    with source.open("a") as file:
        file.write("3,3,1\n")
    view = rlap.schur_view(EDGE_INDEX, EDGE_WEIGHT, num_nodes=36, fraction=0.5, seed=4)
    shown = make(source, "--num-nodes", 36, "-f", 0.5, "-s", 4)
    before, after = (line.split() for line in shown.splitlines()[1:3])
    edges, weight = view.edge_index.shape[1] // 2, view.edge_weight.sum() / 2
    assert before[:5] == ["input", "36", "36", "78", f"{EDGE_WEIGHT.sum() / 2:g}"]
    assert after[:5] == ["view", "36", "18", str(edges), f"{weight:.6g}"]
    assert "1 self-loops dropped" in shown
    for stage in ("reading", "making", "writing"):
        assert f"{stage} 0." in shown
    assert make(source, "-f", 0.5, "--quiet") == ""


@pytest.mark.parametrize("how", ["mean", "sum"])
def test_directions_that_differ(tmp_path: Path, how: str) -> None:
    (tmp_path / "a.csv").write_text("0,1,2\n1,0,3\n1,2,4\n")
    make(tmp_path / "a.csv", "-f", 0, "--symmetrize", how)
    expected = {"mean": "0,1,2.5\n1,2,4\n", "sum": "0,1,5\n1,2,4\n"}
    assert (tmp_path / "a.view.csv").read_text() == expected[how]


REFUSED: dict[str, tuple[list[Any], str]] = {
    "no file": (["no.csv", "-f", 0.5], "the file must exist (got 'no.csv')"),
    "no share": (["club.csv"], "give exactly one of --fraction and --keep (got neither)"),
    "both": (["club.csv", "-f", 0.5, "--keep", "keep.txt"], "give exactly one of --fraction and --keep (got both)"),
    "fraction": (["club.csv", "-f", 1.5], "fraction must lie in [0, 1] (got 1.5)"),
    "word": (["club.csv", "-f", "half"], "--fraction"),
    "fractions": (["club.csv", "-f", 0.5, "-f", 0.1, "-n", 3], "once for each of the 3 views (got 2)"),
    "views": (["club.csv", "-f", 0.5, "--views", 0], "views must be a positive number (got 0)"),
    "seed": (["club.csv", "-f", 0.5, "--seed", -1], "seed must lie in [0, 2**64) (got -1)"),
    "ending": (["club.xls", "-f", 0.5], "the file's ending must be one of"),
    "output ending": (["club.csv", "-f", 0.5, "-o", "view.xls"], "the file's ending must be one of"),
    "output folder": (["club.csv", "-f", 0.5, "-o", "no/view.csv"], "the output's folder must exist (got 'no')"),
    "output is input": (["club.csv", "-f", 0.5, "-o", "club.csv"], "the output must not be the input"),
    "order": (["club.csv", "-f", 0.5, "--node-order", "size"], "--node-order"),
    "walks": (["club.csv", "-f", 0.5, "--method", "walks", "--node-order", "degree"], "has no orders"),
    "nodes": (["club.csv", "-f", 0.5, "--num-nodes", 33], "num_nodes must be at least 34, as the file says (got 33)"),
    "keep file": (["club.csv", "--keep", "no.txt"], "the file of --keep must exist (got 'no.txt')"),
    "keep node": (["club.csv", "--keep", "keep.txt"], "the graph has no node '34': its nodes are 0 to 33"),
    "keep none": (["club.csv", "--keep", "empty.txt"], "the file of --keep must name a node"),
    "weight": (["text.csv", "-f", 0.5], "edge weights must be numbers (got 'heavy' in row 2)"),
    "negative": (["negative.csv", "-f", 0.5], "edge weights must be positive and finite (got -1.0 for the edge 0 - 1)"),
    "ragged": (["ragged.csv", "-f", 0.5], "every row must have 2 columns, as the first (got 3 in '1,2,3')"),
    "directions": (["directions.csv", "-f", 0.5], "must have one weight (got 1.0 for 0 -> 1 but 2.0 for its reverse"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    monkeypatch.chdir(tmp_path)
    write_club(Path("club.csv"))
    Path("club.xls").touch()
    Path("keep.txt").write_text("0\n34\n")
    Path("empty.txt").write_text("\n")
    Path("text.csv").write_text("0,1,1\n1,2,heavy\n")
    Path("negative.csv").write_text("0,1,-1\n")
    Path("ragged.csv").write_text("0,1\n1,2,3\n")
    Path("directions.csv").write_text("0,1,1\n1,0,2\n")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    words, rule = REFUSED[case]
    result = run("augment", *words)
    assert result.exit_code == 2
    assert rule in result.output
    assert "Traceback" not in result.output
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_disk_that_cannot_be_written_ends_with_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    result = run("augment", write_club(tmp_path / "club.csv"), "-f", 0.5)
    assert (result.exit_code, [path.name for path in tmp_path.iterdir()]) == (1, ["club.csv"])
    assert "No space left on device" in result.output


def test_bars_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write_club(tmp_path / "club.csv")
    terminal = {"FORCE_COLOR": "1", "TERM": "xterm"}
    small = run("augment", source, "-f", 0.5, env=terminal)
    monkeypatch.setattr(augment_report, "LARGE", 0)
    large = run("augment", source, "-f", 0.5, "--views", 2, env=terminal)
    quiet = run("augment", source, "-f", 0.5, "--quiet", env=terminal)
    assert "making views" in large.stderr
    assert "100%" in large.stderr
    assert small.stderr == quiet.stderr == ""


def test_help_and_version() -> None:
    assert run("--version").output == f"rlap {rlap.__version__}\n"
    assert "augment" in run("--help").output
    text = run("augment", "--help").output
    for word in ("--fraction", "--keep", "--node-order", "--neighbor-order", "--seed", "--views", "undirected"):
        assert word in text


BLOCKED = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == {name!r}:
            raise ModuleNotFoundError("No module named " + name, name={name!r})
sys.meta_path.insert(0, Missing())
from rlap.cli import main
sys.argv = ["rlap", "augment", {path!r}, "-f", "0.5"]
main()
"""


@pytest.mark.parametrize("name", ["typer", "rich", "pyarrow"])
def test_without_the_extra(tmp_path: Path, name: str) -> None:
    path = str(write_club(tmp_path / "club.csv"))
    source = str(Path(rlap.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED.format(name=name, path=path)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": source},
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == f'the command line needs {name}: pip install "rlap[cli]"\n'

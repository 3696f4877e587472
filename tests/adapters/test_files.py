"""Graph files against other programs' readers and writers: pandas, SciPy, NetworkX and NumPy."""

from __future__ import annotations

import gzip
import itertools
from collections import defaultdict
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.io
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from rlap.adapters.files import EdgeFile, find_nodes, read_graph, write_graph
from rlap.adapters.files.graphml import read_graphml
from rlap.adapters.files.undirected import to_undirected

ENDINGS = [".csv", ".tsv", ".npz", ".mtx", ".graphml", ".csv.gz", ".graphml.gz", ".mtx.gz"]
NAMES = ["Ann", "B & <b>", 'say "hi"', "comma, tab\tend", "Zürich 東京", "O'Neill", "x"]
Edges = dict[frozenset[Any], float]


def random_graph(names: Any = None, nodes: int = 7, weighted: bool = True) -> EdgeFile:
    """A connected graph: every node has an edge, so that a table holds all of them."""
    rng = np.random.default_rng(nodes)
    weights = np.triu(rng.random((nodes, nodes)) < 0.5, 1) * (rng.lognormal(0, 9, (nodes, nodes)) if weighted else 1.0)
    weights[np.arange(nodes - 1), np.arange(1, nodes)] += 1.0
    if not weighted:
        weights = (weights > 0).astype(float)
    index = np.stack(np.nonzero(weights + weights.T))
    weight = (weights + weights.T)[tuple(index)]
    return EdgeFile(index, weight, nodes, None if names is None else np.array(names))


def edges_of(graph: EdgeFile) -> Edges:
    """The edges by name, for graphs of any numbering."""
    names = range(graph.num_nodes) if graph.node_names is None else graph.node_names.tolist()
    labels = [str(name) for name in names]
    weight = np.ones(graph.edge_index.shape[1]) if graph.edge_weight is None else graph.edge_weight
    found = {frozenset((labels[u], labels[v])): float(w) for (u, v), w in zip(graph.edge_index.T, weight, strict=True)}
    assert len(found) * 2 == graph.edge_index.shape[1]
    return found


def read_elsewhere(path: Path, names: list[str]) -> Edges:
    """Read a file that we wrote with a program that is not ours."""
    kind = "".join(path.suffixes)
    if kind.startswith((".csv", ".tsv")):
        frame = pd.read_csv(path, sep="\t" if kind == ".tsv" else ",", dtype={"source": str, "target": str})
        assert list(frame.columns) == ["source", "target", "weight"]
        rows = zip(frame["source"], frame["target"], frame["weight"], strict=True)
        return {frozenset((u, v)): w for u, v, w in rows}
    if kind.startswith(".mtx"):
        matrix = sp.coo_array(scipy.io.mmread(path))
        assert abs(matrix - matrix.T).max() == 0
        rows = zip(*matrix.coords, matrix.data, strict=True)
        return {frozenset((names[u], names[v])): float(w) for u, v, w in rows}
    if kind == ".npz":
        with np.load(path) as archive:
            assert archive["num_nodes"] == len(names)
            rows = zip(*archive["edge_index"], archive["edge_weight"], strict=True)
            return {frozenset((names[u], names[v])): float(w) for u, v, w in rows}
    graph = nx.read_graphml(path)
    assert not graph.is_directed()
    assert set(graph) == set(names)
    return {frozenset((u, v)): w for u, v, w in graph.edges(data="weight")}


# Names that are spelled as numbers are text to pandas and NetworkX here, so that all readers speak of the same nodes.
GRAPHS = {
    "numbers": random_graph(),
    "many numbers": random_graph(nodes=120),
    "names": random_graph(NAMES),
    "far apart": random_graph([5, 10**12, 10**9, 7, 10**15, 0, 3]),
    "unweighted": random_graph(weighted=False),
}


@pytest.mark.parametrize("kind", GRAPHS)
@pytest.mark.parametrize("ending", ENDINGS)
def test_others_read_what_we_write(tmp_path: Path, ending: str, kind: str) -> None:
    graph = GRAPHS[kind]
    write_graph(tmp_path / f"graph{ending}", graph)
    names = [str(name) for name in (range(graph.num_nodes) if graph.node_names is None else graph.node_names)]
    assert read_elsewhere(tmp_path / f"graph{ending}", names) == edges_of(graph)  # to the bit
    assert [path.name for path in tmp_path.iterdir()] == [f"graph{ending}"]


@pytest.mark.parametrize("kind", GRAPHS)
@pytest.mark.parametrize(("first", "second"), list(itertools.product(ENDINGS[:5], repeat=2)))
def test_round_trip_through_every_pair(tmp_path: Path, first: str, second: str, kind: str) -> None:
    graph = GRAPHS[kind]
    write_graph(tmp_path / f"a{first}", graph)
    once = read_graph(tmp_path / f"a{first}")
    write_graph(tmp_path / f"b{second}", once)
    twice = read_graph(tmp_path / f"b{second}")
    assert edges_of(once) == edges_of(twice) == edges_of(graph)
    assert once.num_nodes == twice.num_nodes == graph.num_nodes
    if graph.node_names is None:
        np.testing.assert_array_equal(twice.edge_index, graph.edge_index)


@pytest.mark.parametrize("title", [True, False])
@pytest.mark.parametrize("mark", [",", "\t", ";", " "])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("named", [True, False])
def test_tables_that_pandas_wrote(tmp_path: Path, title: bool, mark: str, weighted: bool, named: bool) -> None:
    graph = random_graph([f"n{i}" for i in range(9)] if named else None, nodes=9, weighted=weighted)
    ends, weight = graph.one_direction()
    names = np.arange(9) if graph.node_names is None else graph.node_names
    frame = pd.DataFrame({"source": names[ends[0]], "target": names[ends[1]]})
    if weighted:
        frame["weight"] = weight
    frame.to_csv(tmp_path / "graph.txt", sep=mark, header=title, index=False)
    read = read_graph(tmp_path / "graph.txt")
    assert edges_of(read) == edges_of(graph)
    assert (read.columns is None) != title
    assert (read.edge_weight is None) != weighted
    assert (read.node_names is None) != named


@pytest.mark.parametrize(
    ("text", "edges", "columns"),
    [
        ("# from SNAP\n# FromNodeId\tToNodeId\n0\t1\n", {("0", "1"): 1}, None),
        ("%%MatrixMarket-like\n% 3 4\n\n0 1 2.5\n", {("0", "1"): 2.5}, None),
        ("\ufeffsource,target\r\n0,1\r\n\r\n1,2\r\n", {("0", "1"): 1, ("1", "2"): 1}, ("source", "target", "weight")),
        ("weight,time,to,from\n2.5,9,0,1\n", {("0", "1"): 2.5}, ("from", "to", "weight")),
        ("person,friend,years\nann,bob,3\n", {("ann", "bob"): 3}, ("person", "friend", "years")),
        ("#x,#y\n#y,#z\n", {("#x", "#y"): 1, ("#y", "#z"): 1}, None),
        ("NA,true\n2020-01-01,42\n", {("NA", "true"): 1, ("2020-01-01", "42"): 1}, None),
        ('"a,1","b ""q"""\n"c\nd", e \n', {("a,1", 'b "q"'): 1, ("c\nd", "e"): 1}, None),
        ("0, 1 , 1e-3\n1 ,2, +2\n", {("0", "1"): 1e-3, ("1", "2"): 2}, None),
        ("0,1\n1,x\n", {("0", "1"): 1, ("1", "x"): 1}, None),
        ("source,target,weight\n", {}, ("source", "target", "weight")),
        ("", {}, None),
    ],
)
def test_tables_of_many_kinds(tmp_path: Path, text: str, edges: Any, columns: Any) -> None:
    (tmp_path / "graph.csv").write_bytes(text.encode())
    graph = read_graph(tmp_path / "graph.csv")
    assert edges_of(graph) == {frozenset(pair): weight for pair, weight in edges.items()}
    assert graph.columns == columns


def test_the_first_name_comes_late(tmp_path: Path) -> None:
    """The table is read in blocks of 4 MB; a name in a later one turns the numbers before it into names too."""
    rows = 400_000
    numbers = np.arange(rows)
    frame = pd.DataFrame({"source": numbers, "target": numbers + 1, "weight": 1.5})
    frame.to_csv(tmp_path / "graph.csv", index=False, header=False)
    with (tmp_path / "graph.csv").open("a") as file:
        file.write("7,last,2\n")
    assert (tmp_path / "graph.csv").stat().st_size > 4 << 20
    graph = read_graph(tmp_path / "graph.csv")
    assert graph.node_names is not None
    assert set(graph.node_names) == {str(number) for number in range(rows + 1)} | {"last"}
    seven, last = find_nodes(graph, ["7", "last"])
    assert graph.edge_index[1, graph.edge_index[0] == last].tolist() == [seven]
    with (tmp_path / "graph.csv").open("a") as file:
        file.write("7,8,heavy\n")
    with pytest.raises(ValueError, match=rf"edge weights must be numbers \(got 'heavy' in row {rows + 2}\)"):
        read_graph(tmp_path / "graph.csv")


def test_names_with_line_breaks_across_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import rlap.adapters.files.csv as table

    graph = random_graph([f"a\nname of\nfour\nlines {number}" for number in range(20)], nodes=20)
    write_graph(tmp_path / "graph.csv", graph)
    monkeypatch.setattr(table, "_BLOCK", 100)
    assert edges_of(read_graph(tmp_path / "graph.csv")) == edges_of(graph)


def test_numbers_far_apart_are_names() -> None:
    """Beyond a million, and beyond ten times the count of different numbers; both sides of the rule."""
    from rlap.adapters.files.names import from_numbers

    close = np.stack([np.arange(0, 2_000_000, 10), np.arange(1, 2_000_000, 10)])
    assert from_numbers(close, None)[1] is None
    sparse = close[:, ::5]
    index, names = from_numbers(sparse, None)
    assert names is not None
    np.testing.assert_array_equal(names[index], sparse)
    assert from_numbers(sparse, 3_000_000)[1] is None
    assert from_numbers(np.array([[0], [999_999]]), None)[1] is None
    assert from_numbers(np.array([[0], [1_000_000]]), None)[1] is not None


def test_symmetric_matrices_store_their_lower_half(tmp_path: Path) -> None:
    """The format's rule, which SciPy does not insist on."""
    write_graph(tmp_path / "graph.mtx", GRAPHS["names"])
    lines = (tmp_path / "graph.mtx").read_text().splitlines()
    rows = [line.split() for line in lines if not line.startswith("%")]
    assert lines[0] == "%%MatrixMarket matrix coordinate real symmetric"
    assert rows[0] == ["7", "7", str(len(rows) - 1)]
    assert all(7 >= int(row) > int(column) >= 1 for row, column, _ in rows[1:])


@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
@pytest.mark.parametrize("field", ["real", "integer", "pattern"])
def test_matrices_that_scipy_wrote(tmp_path: Path, field: str, symmetry: str) -> None:
    rng = np.random.default_rng(3)
    dense = np.triu(rng.integers(0, 4, (8, 8)), 1)
    dense = dense + dense.T + np.diag(rng.integers(0, 2, 8))
    scipy.io.mmwrite(tmp_path / "graph.mtx", sp.coo_array(dense), field=field, symmetry=symmetry)
    graph = read_graph(tmp_path / "graph.mtx")
    loops = int(np.count_nonzero(np.diag(dense)))
    np.fill_diagonal(dense, 0)
    expected = (dense > 0) if field == "pattern" else dense
    weight = np.ones(graph.edge_index.shape[1]) if graph.edge_weight is None else graph.edge_weight
    np.testing.assert_array_equal(sp.coo_array((weight, graph.edge_index), shape=(8, 8)).toarray(), expected)
    assert (graph.edge_weight is None) == (field == "pattern")
    assert (graph.num_nodes, graph.self_loops) == (8, loops)


def test_archives_that_numpy_and_scipy_wrote(tmp_path: Path) -> None:
    graph = random_graph(nodes=11)
    ends, weight = graph.one_direction()
    np.savez_compressed(tmp_path / "a.npz", edge_index=ends.astype(np.int32), edge_weight=weight, num_nodes=13)
    matrix = sp.csr_array((weight, ends), shape=(13, 13))
    sp.save_npz(tmp_path / "b.npz", matrix + matrix.T)
    for name in ("a.npz", "b.npz"):
        read = read_graph(tmp_path / name)
        assert read.num_nodes == 13
        np.testing.assert_array_equal(read.edge_index, graph.edge_index)
        np.testing.assert_array_equal(read.edge_weight, graph.edge_weight)
    np.savez(tmp_path / "c.npz", edge_index=ends, edge_weight=np.ones(ends.shape[1], dtype=np.float32))
    single = read_graph(tmp_path / "c.npz", num_nodes=20)
    assert single.edge_weight is not None
    assert (single.num_nodes, str(single.edge_weight.dtype)) == (20, "float32")


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph])
def test_graphml_that_networkx_wrote(tmp_path: Path, kind: Any) -> None:
    rng = np.random.default_rng(5)
    graph = kind()
    graph.add_nodes_from(NAMES, colour="red")
    for u, v in itertools.combinations(NAMES, 2):
        if rng.random() < 0.6:
            graph.add_edge(u, v, weight=rng.random(), label="x", since=7)
    if kind is nx.DiGraph:
        graph.add_edges_from([(v, u, dict(data)) for u, v, data in list(graph.edges(data=True))[::2]])
    if kind is nx.MultiGraph:
        graph.add_edges_from([(v, u, {"weight": 2.0}) for u, v in list(graph.edges())[::2]])
    nx.write_graphml(graph, tmp_path / "graph.graphml")
    expected: Edges = defaultdict(float)
    for u, v, weight in graph.edges(data="weight"):
        if kind is nx.MultiGraph or frozenset((u, v)) not in expected:
            expected[frozenset((u, v))] += weight
    read = read_graph(tmp_path / "graph.graphml")
    assert edges_of(read) == pytest.approx(expected, rel=1e-15)  # parallel edges may be summed in another order
    assert read.node_names is not None
    assert read.node_names.tolist() == NAMES


HEAD = """<?xml version="1.0" encoding="{encoding}"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="d0" for="edge" attr.name="weight" attr.type="double">
{default}</key><key id="d1" for="edge" attr.name="label" attr.type="string"/><graph edgedefault="{kind}">
<node id="b"/><node id="ü"><data key="d1">9</data></node><node id="c"/>"""
PLAIN = '<edge source="b" target="c"><data key="d0">2.5</data></edge><edge id="e" source="b" target="ü"/>'


@pytest.mark.parametrize(
    "edges",
    [
        PLAIN,
        PLAIN.replace("<data", '<data key="d1">3</data>\n<data').replace("/data></edge>", "/data> </edge>\n"),
        PLAIN.replace('source="b"', "source='b'"),
        PLAIN.replace("2.5", "<!-- 7 -->2.5"),
        PLAIN.replace("2.5", "<![CDATA[2.5]]>"),
        PLAIN.replace("2.5", "&#50;.5"),
        f"<!-- {PLAIN} -->{PLAIN}",
        f"{PLAIN}<!-- </graph> -->",
        PLAIN.replace('source="b" target="ü"', 'target="ü" source="b"'),
        PLAIN.replace("<edge id", '<node id="d"/><edge id'),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1"])
@pytest.mark.parametrize("default", ["", "<default> 3 </default>"])
def test_graphml_is_xml(tmp_path: Path, edges: str, encoding: str, default: str) -> None:
    """Whether edges are plain, or comments, entities and other writings hide among them, NetworkX reads the same."""
    head = HEAD.format(encoding=encoding, default=default, kind="undirected")
    (tmp_path / "graph.graphml").write_bytes(f"{head}{edges}</graph></graphml>".encode(encoding))
    other = nx.read_graphml(tmp_path / "graph.graphml")
    read = read_graph(tmp_path / "graph.graphml")
    # NetworkX leaves a weight that is not written to its reader.
    missing = 3.0 if default else 1.0
    assert edges_of(read) == {frozenset((u, v)): w for u, v, w in other.edges(data="weight", default=missing)}
    assert read.node_names is not None
    assert read.node_names.tolist() == list(other)


def test_graphml_bytes_mean_what_the_encoding_says(tmp_path: Path) -> None:
    """The bytes of "Ã¼" in Latin-1 are those of "ü" in UTF-8, and both names are there."""
    text = HEAD.format(encoding="iso-8859-1", default="", kind="undirected") + '<node id="Ã¼"/>'
    text += PLAIN.replace("ü", "Ã¼") + "</graph></graphml>"
    (tmp_path / "graph.graphml").write_bytes(text.encode("iso-8859-1"))
    expected = {frozenset(("b", "c")): 2.5, frozenset(("b", "Ã¼")): 1.0}
    assert edges_of(read_graph(tmp_path / "graph.graphml")) == expected


def test_graphml_edges_with_a_direction_of_their_own(tmp_path: Path) -> None:
    """Directed edges that face each other are one edge; undirected ones are two, and add up."""
    head = HEAD.format(encoding="utf-8", default="", kind="undirected")
    there, back = ('<edge source="{}" target="{}" directed="{}"/>'.format(*pair, "{}") for pair in ("bc", "cb"))
    for directed, weight in (("true", 1.0), ("false", 2.0)):
        edges = there.format(directed) + back.format(directed)
        (tmp_path / "graph.graphml").write_text(f"{head}{edges}</graph></graphml>", encoding="utf-8")
        assert edges_of(read_graph(tmp_path / "graph.graphml")) == {frozenset("bc"): weight}


def test_graphml_nodes_by_number(tmp_path: Path) -> None:
    graph = nx.relabel_nodes(nx.path_graph(12), {0: 11, 11: 0})
    nx.write_graphml(graph, tmp_path / "graph.graphml")
    read = read_graph(tmp_path / "graph.graphml")
    assert read.node_names is None
    expected = nx.to_scipy_sparse_array(graph, nodelist=range(12)).tocoo()
    np.testing.assert_array_equal(read.edge_index, np.stack(expected.coords))


def test_graphml_in_slices(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import rlap.adapters.files.graphml_edges as edges

    graph = random_graph([f"node {number}" for number in range(60)], nodes=60)
    write_graph(tmp_path / "graph.graphml", graph)
    for size in (120, 1000, 10**6):
        monkeypatch.setattr(edges, "_SLICE", size)
        assert edges_of(read_graph(tmp_path / "graph.graphml")) == edges_of(graph)


def test_plain_graphml_needs_no_xml_events(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The files of NetworkX and our own take the quick way."""
    import rlap.adapters.files.graphml as graphml

    def fail(reader: Any) -> Any:
        raise AssertionError("read event by event")

    write_graph(tmp_path / "a.graphml", GRAPHS["many numbers"])
    nx.write_graphml(nx.karate_club_graph(), tmp_path / "b.graphml")
    monkeypatch.setattr(graphml._Reader, "edges", fail)
    for name in ("a.graphml", "b.graphml"):
        with (tmp_path / name).open("rb") as stream:
            assert read_graphml(stream).edge_index.size


lists = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.floats(0.125, 8)), min_size=1, max_size=20)


@settings(max_examples=200, deadline=None)
@given(lists, st.sampled_from([None, "mean", "sum"]))
def test_undirected_by_definition(rows: list[tuple[int, int, float]], symmetrize: Any) -> None:
    directed: dict[tuple[int, int], float] = defaultdict(float)
    for u, v, weight in rows:
        directed[u, v] += weight
    expected = np.zeros((6, 6))
    conflict = False
    for u, v in itertools.combinations(range(6), 2):
        there = [directed[pair] for pair in ((u, v), (v, u)) if pair in directed]
        conflict |= len(there) == 2 and abs(there[0] - there[1]) > 1e-9 * max(there)
        if there:
            expected[u, v] = expected[v, u] = sum(there) if symmetrize == "sum" else sum(there) / len(there)
    ends = np.array([row[:2] for row in rows], dtype=np.int64).T
    raw = EdgeFile(ends, np.array([row[2] for row in rows]), 6)
    if conflict and symmetrize is None:
        with pytest.raises(ValueError, match="listed in both directions must have one weight"):
            to_undirected(raw)
        return
    graph = to_undirected(raw, symmetrize)
    assert graph.edge_weight is not None
    dense = np.zeros((6, 6))
    dense[tuple(graph.edge_index)] = graph.edge_weight
    np.testing.assert_allclose(dense, expected, rtol=1e-14)  # sums of at most 20 terms, in another order
    keys = graph.edge_index[0] * 6 + graph.edge_index[1]
    assert (np.diff(keys) > 0).all()
    assert graph.self_loops == sum(u == v for u, v, _ in rows)
    assert graph.total_weight == pytest.approx(expected.sum() / 2, rel=1e-14)


def test_progress_ends_with_the_file(tmp_path: Path) -> None:
    for ending in ENDINGS:
        path = tmp_path / f"graph{ending}"
        write_graph(path, GRAPHS["many numbers"])
        told: list[int] = []
        read_graph(path, progress=told.append)
        assert max(told) == path.stat().st_size


def test_views_leave_eliminated_nodes_out_of_graphml(tmp_path: Path) -> None:
    mask = np.array([True, True, False])
    view = EdgeFile(np.array([[0, 1], [1, 0]]), np.array([0.5, 0.5]), 3, node_mask=mask)
    write_graph(tmp_path / "view.graphml", view)
    assert set(nx.read_graphml(tmp_path / "view.graphml")) == {"0", "1"}
    write_graph(tmp_path / "view.npz", view)
    again = read_graph(tmp_path / "view.npz")
    assert again.node_mask is not None
    assert (again.num_nodes, again.node_mask.tolist()) == (3, mask.tolist())


def test_both_directions_on_demand(tmp_path: Path) -> None:
    graph = GRAPHS["numbers"]
    write_graph(tmp_path / "graph.csv", graph, both_directions=True)
    frame = pd.read_csv(tmp_path / "graph.csv")
    np.testing.assert_array_equal(frame[["source", "target"]].to_numpy().T, graph.edge_index)
    assert edges_of(read_graph(tmp_path / "graph.csv")) == edges_of(graph)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "graph.graphml"
    path.write_text("old")
    bad = EdgeFile(np.array([[0, 1], [1, 0]]), None, 2, np.array(["fine", "bell\a"], dtype=object))
    with pytest.raises(ValueError, match="XML has no control characters"):
        write_graph(path, bad)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("graph.graphml", "old")]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.csv").touch()
    (tmp_path / "link.csv").symlink_to("real.csv")
    write_graph(tmp_path / "link.csv", GRAPHS["numbers"])
    assert (tmp_path / "link.csv").is_symlink()
    assert read_graph(tmp_path / "real.csv").num_edges == GRAPHS["numbers"].num_edges


MATRIX = "%%MatrixMarket matrix coordinate {kind}\n{rest}"
REFUSED = [
    ("a.csv", "0,1,1\n1,2,heavy\n", r"edge weights must be numbers \(got 'heavy' in row 2\)"),
    ("a.csv", "0,1,1\n1,2,\n", r"every row must have a weight \(got none in row 2\)"),
    ("a.csv", "a,b\nc,\n", r"every row must have a target \(got none in row 2\)"),
    ("a.csv", "0,1\n1\n", r"every row must have 2 columns, as the first \(got 1 in '1'\)"),
    ("a.csv", "0,1,2\n1,2,3,4\n", r"every row must have 3 columns, as the first \(got 4 in '1,2,3,4'\)"),
    ("a.csv", "0,1,-1\n", r"positive and finite \(got -1.0 for the edge 0 - 1\)"),
    ("a.csv", "a,b,0\n", r"positive and finite \(got 0.0 for the edge 'a' - 'b'\)"),
    ("a.csv", "0,1,nan\n", r"positive and finite \(got nan"),
    ("a.csv", "-1,1\n", r"node numbers must not be negative \(got -1\)"),
    ("a.csv", "0\n1\n", r"a source, a target and perhaps a weight \(got one column, '0'\)"),
    ("a.csv", "0,1,2,3\n", r"more than three columns must have a title line .* \(got 4 columns: 0, 1, 2, 3\)"),
    ("a.csv", "0,1,2\n1,0,3\n", r"must have one weight \(got 2.0 for 0 -> 1 but 3.0 for its reverse"),
    ("a.csv", b"a,b\nc,\xe9\n", "must be UTF-8 text"),
    ("a.csv", b"\xff\xfe0\x00,\x001\x00", r"must be UTF-8 text \(got the byte 0xff\)"),
    ("a.csv.gz", b"0,1\n", "Not a gzipped file"),
    ("a.csv.gz", gzip.compress(b"0,1\n" * 100, mtime=0)[:-9], "ended before"),
    ("a.npz", b"0,1\n", "must be a NumPy archive"),
    ("a.mtx", "0,1\n", r"must begin with %%MatrixMarket matrix \(got '0,1'\)"),
    ("a.mtx", MATRIX.format(kind="real general", rest="2 3 1\n1 3 1\n"), r"must be square \(got 2 x 3\)"),
    ("a.mtx", MATRIX.format(kind="complex general", rest="2 2 1\n1 2 1 1\n"), r"\(got complex general\)"),
    ("a.mtx", MATRIX.format(kind="real skew-symmetric", rest="2 2 1\n2 1 1\n"), r"\(got real skew-symmetric\)"),
    ("a.mtx", MATRIX.format(kind="real general", rest="2 2 1\n1 3 1\n"), "Line 3: Column index out of bounds"),
    ("a.mtx", MATRIX.format(kind="real general", rest="2 2 2\n1 2 1\n"), "Truncated"),
    ("a.graphml", "0,1\n", "must be well-formed XML"),
    ("a.graphml", "<graphml/>", r"must hold a graph \(got none\)"),
    ("a.graphml", HEAD.format(encoding="utf-8", default="", kind="directed") + PLAIN, "must be well-formed XML"),
    ("a.graphml", "<graphml><graph/><graph/></graphml>", "a second one"),
    ("a.graphml", "<graphml><graph><edge source='a'/></graph></graphml>", "a source and a target"),
    ("a.graphml", "<graphml><graph><hyperedge/></graph></graphml>", "hyperedge"),
    *(
        ("a.graphml", HEAD.format(encoding="utf-8", default="", kind="directed") + edges + "</graph></graphml>", rule)
        for edges, rule in [
            (PLAIN.replace("2.5", "heavy"), r"edge weights must be numbers \(got 'heavy'\)"),
            (PLAIN.replace("2.5", "nan"), r"edge weights must be numbers \(got 'nan'\)"),
            (PLAIN.replace("2.5", ""), r"edge weights must be numbers \(got ''\)"),
            (PLAIN.replace("2.5", "-2"), r"positive and finite \(got -2.0 for the edge 'b' - 'c'\)"),
        ]
    ),
    ("a.xyz", "0,1\n", r"the file's ending must be one of .*\(got '.*a.xyz'\)"),
    ("a", "0,1\n", "the file's ending must be one of"),
]


@pytest.mark.parametrize(("name", "content", "rule"), REFUSED)
def test_bad_files_are_refused(tmp_path: Path, name: str, content: str | bytes, rule: str) -> None:
    (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(ValueError, match=rule) as caught:
        read_graph(tmp_path / name)
    assert str(tmp_path / name) in str(caught.value)


@pytest.mark.parametrize(
    ("arrays", "rule"),
    [
        ({"edges": [[0, 1]]}, r"must hold an array edge_index \(got edges\)"),
        ({"edge_index": [[0, 1]]}, r"must have the shape \(2, E\) \(got \(1, 2\)\)"),
        ({"edge_index": [[0.5], [1.0]]}, "edge_index must hold integers"),
        ({"edge_index": [[0], [5]], "num_nodes": 5}, r"\[0, 5\) \(got 5\)"),
        ({"edge_index": [[-1], [5]]}, r"\[0, 6\) \(got -1\)"),
        ({"edge_index": [[0], [1]], "num_nodes": 2.5}, "one whole number"),
        ({"edge_index": [[0], [1]], "edge_weight": [1.0, 2.0]}, r"the shape \(1,\) \(got \(2,\)\)"),
        ({"edge_index": [[0], [1]], "node_names": ["a", "a"]}, r"names must be different \(got 'a' twice\)"),
        ({"edge_index": [[0], [1]], "node_names": ["a"]}, "one name for every node"),
        ({"edge_index": [[0], [1]], "node_mask": [True]}, "one value for every node"),
        ({"edge_index": np.array([[0], [1]], dtype=object)}, "pickle"),
    ],
)
def test_bad_archives_are_refused(tmp_path: Path, arrays: dict[str, Any], rule: str) -> None:
    np.savez(tmp_path / "a.npz", **arrays)
    with pytest.raises(ValueError, match=rule):
        read_graph(tmp_path / "a.npz")


def test_bad_arguments_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with pytest.raises(ValueError, match=r"the file must exist \(got '.*a.csv'\)"):
        read_graph(path)
    path.write_text("0,7\n")
    with pytest.raises(ValueError, match=r"num_nodes must be at least 8, as the file says \(got 5\)"):
        read_graph(path, num_nodes=5)
    assert read_graph(path, num_nodes=9).num_nodes == 9
    with pytest.raises(ValueError, match=r"the format must be one of .* \(got 'xls'\)"):
        read_graph(path, "xls")
    with pytest.raises(ValueError, match=r'symmetrize must be None, "mean" or "sum" \(got \'max\'\)'):
        read_graph(path, symmetrize="max")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be a file"):
        read_graph(tmp_path, "csv")
    with pytest.raises(ValueError, match="folder must exist"):
        write_graph(tmp_path / "none" / "a.csv", GRAPHS["numbers"])
    with pytest.raises(ValueError, match="regular file"):
        write_graph(tmp_path, GRAPHS["numbers"], "csv")
    graph = read_graph(path)
    assert find_nodes(graph, ["7", "0"]).tolist() == [7, 0]
    for unknown in ("8", "-1", "x", "1.0", "²"):
        with pytest.raises(ValueError, match=rf"the graph has no node {unknown!r}: its nodes are 0 to 7"):
            find_nodes(graph, [unknown])

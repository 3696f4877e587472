"""NetworkX graphs must come back with the names, the attributes and the weights that their matrices give."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import rlap
from tests.oracles import dense_schur, with_ground

NAMES = ["ann", "bob", "cat", "dan", "eve", "flo"]
FUNCTIONS = {
    "randomized": lambda graph, **options: rlap.randomized_schur(graph, rng=3, **options),
    "walks": lambda graph, **options: rlap.walk_schur(graph, rng=3, **options),
    "coarsening": lambda graph, **options: rlap.vertex_coarsening(graph, rng=3, **options),
    "exact": rlap.exact_schur,
}


def named_graph():
    graph = nx.Graph(title="friends")
    for number, name in enumerate(NAMES):
        graph.add_node(name, age=20 + number)
    ring = zip(NAMES, NAMES[1:] + NAMES[:1], [1.0, 2.0, 0.5, 3.0, 1.5, 0.25], strict=True)
    graph.add_weighted_edges_from(ring)
    graph.add_edge("ann", "dan", weight=0.7, since=1999)
    return graph


def matrix_of(graph, nodes=None):
    return nx.to_numpy_array(graph, nodelist=nodes or NAMES)


def assert_is(graph, matrix, names=NAMES):
    """The graph has the nodes and weights of the matrix; names that it lacks have empty rows there."""
    assert type(graph) is nx.Graph
    kept = [name for name in names if name in graph]
    assert set(graph) == set(kept)
    places = [names.index(name) for name in kept]
    dense = matrix.toarray()
    np.testing.assert_array_equal(nx.to_numpy_array(graph, nodelist=kept), dense[np.ix_(places, places)])
    gone = np.setdiff1d(np.arange(len(names)), places)
    assert not dense[gone].any()
    assert all(isinstance(weight, float) and weight > 0 for _, _, weight in graph.edges(data="weight"))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_result_is_that_of_the_matrix_under_the_nodes_names(name):
    graph = named_graph()
    result = FUNCTIONS[name](graph, keep=["bob", "dan", "flo"])
    expected = FUNCTIONS[name](sp.csr_array(matrix_of(graph)), keep=[1, 3, 5])
    assert_is(result, expected)
    assert list(result) == ["bob", "dan", "flo"]


def test_attributes_are_kept_and_the_source_is_not_touched():
    graph = named_graph()
    before = graph.copy()
    result = rlap.randomized_schur(graph, eliminate=["cat"], rng=0)
    assert result.graph == {"title": "friends"}
    assert result.nodes["eve"] == {"age": 24}
    result.nodes["eve"]["age"] = 99
    result.graph["title"] = "changed"
    assert nx.utils.graphs_equal(graph, before)
    assert set(result.edges["bob", "dan"]) == {"weight"}


def test_an_attribute_may_have_any_name():
    graph = named_graph()
    graph.graph[0] = "not a word"
    graph.graph["incoming_graph_data"] = 1
    assert rlap.randomized_schur(graph, fraction=0.5, rng=0).graph == graph.graph


@pytest.mark.parametrize("collect", [list, tuple, set, iter, np.array])
def test_names_may_come_in_any_collection(collect):
    graph = named_graph()
    result = rlap.exact_schur(graph, keep=collect(["ann", "cat", "eve"]))
    assert set(result) == {"ann", "cat", "eve"}


def test_keep_and_eliminate_complement_each_other():
    graph = named_graph()
    kept = rlap.randomized_schur(graph, keep=["ann", "eve"], rng=1)
    gone = rlap.randomized_schur(graph, eliminate=["bob", "cat", "dan", "flo"], rng=1)
    assert nx.utils.graphs_equal(kept, gone)


def test_node_order_by_name():
    graph = named_graph()
    order = ["eve", "ann", "flo", "bob", "cat", "dan"]
    result = rlap.randomized_schur(graph, fraction=0.5, node_order=order, rng=2)
    expected = rlap.randomized_schur(
        sp.csr_array(matrix_of(graph)), fraction=0.5, node_order=[NAMES.index(name) for name in order], rng=2
    )
    assert set(result) == {"bob", "cat", "dan"}
    assert_is(result, expected)


def test_ground_by_name():
    graph = named_graph()
    result, leak = rlap.exact_schur(graph, keep=["ann", "dan"], ground={"bob": 2.0, "dan": 0.5})
    ground = np.array([0, 2.0, 0, 0.5, 0, 0])
    expected = dense_schur(with_ground(matrix_of(graph), ground), [1, 2, 4, 5])
    assert leak == pytest.approx({"ann": expected[0, 6], "dan": expected[3, 6]}, rel=1e-12)
    assert result.edges["ann", "dan"]["weight"] == pytest.approx(expected[0, 3], rel=1e-12)


def test_ground_by_position_comes_back_by_name():
    graph = named_graph()
    _, leak = rlap.randomized_schur(graph, fraction=0.0, ground=np.arange(6.0), rng=0)
    assert leak == {name: float(number) for number, name in enumerate(NAMES)}


def test_missing_weights_are_one():
    graph = nx.path_graph(3)
    assert rlap.exact_schur(graph, keep=[0, 2]).edges[0, 2]["weight"] == 0.5


def test_numbers_as_names_are_names_and_not_places():
    graph = nx.Graph([(10, 0), (0, 20)])
    assert list(graph) == [10, 0, 20]
    assert set(rlap.exact_schur(graph, keep=[10, 20])) == {10, 20}
    assert set(rlap.exact_schur(graph, eliminate=[0])) == {10, 20}


def test_tuples_as_names():
    graph = nx.grid_2d_graph(3, 3)
    result = rlap.randomized_schur(graph, eliminate=[(1, 1)], rng=0)
    assert set(result) == set(graph) - {(1, 1)}


def test_parallel_edges_are_summed():
    graph = nx.MultiGraph()
    graph.add_edge("a", "b", weight=1.0)
    graph.add_edge("a", "b", weight=2.5)
    graph.add_edge("b", "c")
    result = rlap.randomized_schur(graph, fraction=0.0, rng=0)
    assert type(result) is nx.Graph
    assert result.edges["a", "b"]["weight"] == 3.5
    assert result.edges["b", "c"]["weight"] == 1.0


def test_directed_graphs_with_both_directions():
    graph = named_graph()
    for source in (graph.to_directed(), nx.MultiDiGraph(graph)):
        result = rlap.randomized_schur(source, keep=["ann", "bob", "flo"], rng=4)
        assert nx.utils.graphs_equal(result, rlap.randomized_schur(graph, keep=["ann", "bob", "flo"], rng=4))


def test_a_missing_direction_is_named():
    graph = nx.DiGraph([("a", "b"), ("b", "a"), ("b", "c")])
    with pytest.raises(ValueError, match=r"both directions of every edge \(got 'b' -> 'c' without its reverse"):
        rlap.randomized_schur(graph, fraction=0.5)
    result = rlap.randomized_schur(graph, fraction=0.0, symmetrize=True, rng=0)
    assert set(result.edges) == {("a", "b"), ("b", "c")}


def test_self_loops_are_dropped():
    graph = nx.Graph([("a", "a"), ("a", "b")])
    assert list(rlap.randomized_schur(graph, fraction=0.0, rng=0).edges) == [("a", "b")]


def test_isolated_nodes_and_the_empty_graph():
    graph = nx.Graph()
    graph.add_nodes_from("abc")
    assert set(rlap.randomized_schur(graph, keep=["a", "c"], rng=0)) == {"a", "c"}
    empty = rlap.randomized_schur(nx.Graph(title="nothing"), fraction=0.5, rng=0)
    assert empty.graph == {"title": "nothing"}
    assert len(empty) == 0


def test_a_path_of_graphs():
    graph = named_graph()
    sizes = [len(one) for one in rlap.schur_path(graph, [0.0, 0.5, 0.9], rng=0)]
    assert sizes == [6, 3, 1]


def test_a_solver():
    graph = named_graph()
    b = np.array([1.0, 0, 0, -1.0, 0, 0])
    solution = rlap.laplacian_solver(graph)(b)
    expected = np.linalg.pinv(nx.laplacian_matrix(graph, nodelist=NAMES).toarray()) @ b
    np.testing.assert_allclose(solution.x, expected, atol=1e-7)


@pytest.mark.parametrize("argument", ["keep", "eliminate", "node_order"])
def test_unknown_names_are_named(argument):
    given = {argument: ["ann", "zoe"]}
    if argument == "node_order":
        given["fraction"] = 0.5
    with pytest.raises(ValueError, match=r"nodes must be in the graph \(got 'zoe'\)"):
        rlap.randomized_schur(named_graph(), **given)
    with pytest.raises(ValueError, match=r"nodes must be in the graph \(got 'zoe'\)"):
        rlap.randomized_schur(named_graph(), fraction=0.5, ground={"zoe": 1.0})


def test_what_could_be_mistaken_for_names_is_refused():
    numbers = nx.path_graph(4)  # True and False would be its nodes 1 and 0
    with pytest.raises(TypeError, match=r"collection of names \(got a mask\)"):
        rlap.randomized_schur(numbers, keep=np.array([True, True, False, True]))
    letters = nx.Graph(["ab", "bc"])
    with pytest.raises(TypeError, match=r"collection of names \(got the text 'ab'\)"):
        rlap.randomized_schur(letters, keep="ab")


def test_bad_weights_are_refused():
    graph = nx.Graph()
    graph.add_edge("a", "b", weight=-2.0)
    with pytest.raises(ValueError, match=r"edge_weight must be positive and finite \(got -2"):
        rlap.randomized_schur(graph, fraction=0.5)

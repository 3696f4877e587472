"""Properties that hold for every view of every graph, on graphs that hypothesis thinks up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

import rlap
from tests.graphs import NEIGHBOR_ORDERS
from tests.validity import assert_laplacian, assert_valid_view

SETTINGS = settings(derandomize=True, deadline=None, database=None, max_examples=200)


@dataclass(frozen=True)
class Case:
    """A graph, and the arguments of a call."""

    num_nodes: int
    edge_index: NDArray[np.int64]
    edge_weight: NDArray[np.floating] | None
    ground: NDArray[np.float64] | None
    options: dict[str, Any]

    def view(self, **more: Any) -> rlap.View:
        view = rlap.schur_view(
            self.edge_index,
            self.edge_weight,
            num_nodes=self.num_nodes,
            ground=self.ground,
            num_threads=1,
            **(self.options | more),
        )
        assert isinstance(view, rlap.View)
        return view

    def components(self, edge_index: NDArray[np.int64], ground: NDArray[np.float64] | None) -> NDArray[np.int32]:
        """Which component every node is in; the ground is the last node."""
        adjacency = np.zeros((self.num_nodes + 1, self.num_nodes + 1))
        adjacency[edge_index[0], edge_index[1]] = 1
        if ground is not None:
            adjacency[:-1, -1] = ground > 0
        return np.asarray(connected_components(adjacency, directed=False)[1])


@st.composite
def cases(draw: st.DrawFn, method: str = "elimination") -> Case:
    nodes = draw(st.integers(0, 12))
    pairs = [(u, v) for v in range(nodes) for u in range(v)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    once = np.array(chosen, dtype=np.int64).reshape(-1, 2).T
    edge_index = np.concatenate([once, once[::-1]], axis=1)
    # Walks are given up when they are trapped, so their weights stay close together.
    powers = st.floats(-1, 1) if method == "walks" else st.one_of(st.floats(-6, 6), st.sampled_from([0.0, 1.0]))
    weight: NDArray[np.floating] | None = None
    if draw(st.booleans()):
        values = 10.0 ** np.array(draw(st.lists(powers, min_size=len(chosen), max_size=len(chosen))), dtype=float)
        weight = np.tile(values, 2).astype(draw(st.sampled_from([np.float32, np.float64])))
    leaks = st.lists(st.sampled_from([0.0, 0.0, 1.0, 0.3]), min_size=nodes, max_size=nodes)
    ground = np.array(draw(leaks), dtype=float) if draw(st.booleans()) else None
    options: dict[str, Any] = {"seed": draw(st.integers(0, 2**64 - 1)), "method": method}
    if draw(st.booleans()):
        options["fraction"] = draw(st.floats(0, 1))
    else:
        options["keep"] = np.array(draw(st.lists(st.booleans(), min_size=nodes, max_size=nodes)), dtype=bool)
    if method == "elimination":
        given_order = st.permutations(range(nodes)).map(lambda order: np.array(order, dtype=np.int64))
        options["node_order"] = draw(st.one_of(st.sampled_from(["random", "degree"]), given_order))
        options["neighbor_order"] = draw(st.sampled_from(NEIGHBOR_ORDERS))
    return Case(nodes, edge_index, weight, ground, options)


def eliminated(case: Case) -> int:
    if "keep" in case.options:
        return case.num_nodes - int(case.options["keep"].sum())
    return int(case.options["fraction"] * case.num_nodes)


@SETTINGS
@given(cases())
def test_elimination_gives_a_laplacian(case: Case) -> None:
    view = case.view()
    assert_valid_view(view, case.num_nodes)
    assert_laplacian(view, case.num_nodes)
    expected = np.float64 if case.edge_weight is None else case.edge_weight.dtype
    assert view.edge_weight.dtype == expected


@SETTINGS
@given(cases("walks"))
def test_walks_give_a_laplacian(case: Case) -> None:
    view = case.view()
    assert_valid_view(view, case.num_nodes)
    assert_laplacian(view, case.num_nodes)
    assert case.num_nodes - view.node_mask.sum() == eliminated(case)
    assert view.edge_index.shape[1] <= case.edge_index.shape[1] + 2 * (case.ground is not None) * case.num_nodes


@SETTINGS
@given(cases())
def test_the_number_of_eliminated_nodes_is_exact(case: Case) -> None:
    mask = case.view().node_mask
    assert case.num_nodes - mask.sum() == eliminated(case)
    if "keep" in case.options:
        np.testing.assert_array_equal(mask, case.options["keep"])
    elif not isinstance(case.options["node_order"], str):
        assert set(np.flatnonzero(~mask)) == set(case.options["node_order"][: eliminated(case)])


@SETTINGS
@given(cases())
def test_connected_stays_connected_and_apart_stays_apart(case: Case) -> None:
    view = case.view()
    before, after = case.components(case.edge_index, case.ground), case.components(view.edge_index, view.ground)
    kept = np.append(view.node_mask, True)
    together = before[kept][:, None] == before[kept][None]
    np.testing.assert_array_equal(after[kept][:, None] == after[kept][None], together)


@SETTINGS
@given(cases("walks"))
def test_walks_never_join_what_is_apart(case: Case) -> None:
    view = case.view()
    before = case.components(case.edge_index, case.ground)
    assert (before[view.edge_index[0]] == before[view.edge_index[1]]).all()
    if case.ground is not None:
        assert (before[:-1][view.ground > 0] == before[-1]).all()


@SETTINGS
@given(cases())
def test_every_elimination_takes_at_least_one_edge(case: Case) -> None:
    """A star of d edges is replaced by a tree of d - 1; only the last node of a whole component has none to lose."""
    view = case.view()
    component = case.components(case.edge_index, case.ground)
    kept = np.append(view.node_mask, True)
    whole = len(set(component) - set(component[kept]))

    def edges(edge_index: NDArray[np.int64], ground: NDArray[np.float64] | None) -> int:
        return int(edge_index.shape[1]) // 2 + (0 if ground is None else int((ground > 0).sum()))

    most = edges(case.edge_index, case.ground) - eliminated(case) + whole
    assert edges(view.edge_index, view.ground) <= most


@SETTINGS
@given(cases())
def test_the_total_weight_never_grows(case: Case) -> None:
    view = case.view(dtype=np.float64)
    before = case.edge_index.shape[1] if case.edge_weight is None else case.edge_weight.astype(float).sum()
    after = view.edge_weight.sum()
    if case.ground is not None:
        before, after = before + 2 * case.ground.sum(), after + 2 * view.ground.sum()
    assert after <= before * (1 + 1e-12)


@SETTINGS
@given(cases())
def test_relabelling_only_drops_rows(case: Case) -> None:
    plain, short = case.view(), case.view(relabel=True)
    assert_valid_view(short, case.num_nodes, relabel=True)
    place = np.cumsum(plain.node_mask) - 1
    np.testing.assert_array_equal(short.edge_index, place[plain.edge_index])
    np.testing.assert_array_equal(short.edge_weight, plain.edge_weight)
    np.testing.assert_array_equal(short.node_mask, plain.node_mask)
    if case.ground is not None:
        np.testing.assert_array_equal(short.ground, plain.ground[plain.node_mask])


@SETTINGS
@given(cases(), st.randoms(use_true_random=False))
def test_how_the_edges_are_listed_does_not_matter(case: Case, random: Any) -> None:
    """The same graph, shuffled, with a self-loop and every edge in two halves: the same view."""
    plain = case.view()
    loop = np.zeros((2, min(case.num_nodes, 1)), dtype=np.int64)
    parts = 1 if case.edge_weight is None else 2
    edge_index = np.concatenate([case.edge_index] * parts + [loop], axis=1)
    weight = None
    if case.edge_weight is not None:
        weight = np.concatenate([case.edge_weight / 2, case.edge_weight / 2, np.ones(loop.shape[1])])
    order = list(range(edge_index.shape[1]))
    random.shuffle(order)
    weight = None if weight is None or case.edge_weight is None else weight[order].astype(case.edge_weight.dtype)
    listed = Case(case.num_nodes, edge_index[:, order], weight, case.ground, case.options).view()
    np.testing.assert_array_equal(listed.edge_index, plain.edge_index)
    np.testing.assert_array_equal(listed.edge_weight, plain.edge_weight)

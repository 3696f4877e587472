"""Arrays that nobody would send on purpose, thrown at `schur_view` and at the core behind it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rlap
from rlap import _core
from tests.validity import assert_valid_view

SETTINGS = settings(derandomize=True, deadline=None, database=None, max_examples=600)
EDGE = 2**31
# NumPy warns of casts of NaN, nanobind of hollow objects.
QUIET = pytest.mark.filterwarnings("ignore::RuntimeWarning")
INTEGERS = st.one_of(
    st.integers(-2, 8),
    st.sampled_from([EDGE - 1, EDGE, EDGE + 1, 2**32, 2**32 + 1, 2**53, 2**63 - 1, -EDGE, -EDGE - 1, -(2**63)]),
)
WEIGHTS = st.one_of(
    st.just(1.0),
    st.floats(0.1, 10),
    st.sampled_from([0.0, -0.0, -1.0, np.nan, np.inf, -np.inf, 1e308, 1.7e308, 5e-324, 1e-310, 1e-45, 3e38]),
)
DTYPES = st.sampled_from(
    ["i1", "u1", "i4", "i8", "u4", "u8", "f2", "f4", "f8", ">i8", ">f8", "g", "c16", "?", "O", "U3"]
)


@st.composite
def arrays(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> Any:
    """Any shape, any type, any strides; now and then no array at all."""
    shape = draw(
        st.sampled_from([(), (0,), (1,), (2,), (3,), (4,), (6,), (7,), (2, 0), (2, 3), (3, 2), (1, 4), (2, 2, 2)])
    )
    count = int(np.prod(shape))
    listed = draw(st.lists(values, min_size=count, max_size=count))
    if draw(st.integers(0, 9)) == 9:
        return draw(st.sampled_from([None, "x", 1.5, object(), [], [[1, 2], [3]], {}, b"\0" * 8]))
    natural = np.array(listed, dtype=object).reshape(shape)
    try:
        with np.errstate(all="ignore"):
            array = natural.astype(draw(DTYPES))
    except (OverflowError, ValueError, TypeError):
        array = natural
    kind = draw(st.sampled_from(["plain", "reversed", "strided", "fortran", "broadcast"]))
    if kind == "reversed" and array.ndim:
        return array[::-1]
    if kind == "strided" and array.ndim:
        return np.repeat(array, 2, axis=-1)[..., ::2]
    if kind == "fortran":
        return np.asfortranarray(array)
    if kind == "broadcast" and array.ndim and array.size:
        return np.broadcast_to(array.flat[0], array.shape)
    return array


@st.composite
def edge_lists(draw: st.DrawFn, nodes: int) -> tuple[Any, Any]:
    """Both directions of some edges, then perhaps damage."""
    ends = st.integers(0, max(nodes - 1, 0))
    once = np.array(draw(st.lists(st.tuples(ends, ends), max_size=10 if nodes else 0)), dtype=np.int64).reshape(-1, 2).T
    index = np.concatenate([once, once[::-1]], axis=1)
    weight = np.array(draw(st.lists(WEIGHTS, min_size=once.shape[1], max_size=once.shape[1])), dtype=float)
    both: Any = np.tile(weight, 2) if draw(st.booleans()) else None
    damage = draw(st.sampled_from(["none", "none", "drop", "change", "id", "half"]))
    if index.size and damage != "none":
        at = draw(st.integers(0, index.shape[1] - 1))
        if damage == "drop":
            index = np.delete(index, at, axis=1)
            both = None if both is None else np.delete(both, at)
        elif damage == "change" and both is not None:
            both[at] = draw(WEIGHTS)
        elif damage == "id":
            index[draw(st.integers(0, 1)), at] = draw(INTEGERS)
        elif damage == "half":
            index = index[:, :at]
    return index, both


def check_refusal(error: Exception, with_value: bool) -> None:
    """The message says something; `schur_view` also gives the value."""
    message = str(error)
    assert len(message) > 10
    if isinstance(error, RuntimeError):
        assert "10000 steps" in message
    if isinstance(error, ValueError) and with_value:
        # Some rules have no value to show, and a ragged list is refused by NumPy.
        assert any(word in message for word in ("got", "give", "no orders", "inhomogeneous")), message


@SETTINGS
@given(st.data())
def test_schur_view(data: st.DataObject) -> None:
    nodes = data.draw(st.integers(0, 7))
    index, weight = data.draw(edge_lists(nodes))
    options: dict[str, Any] = {"num_nodes": nodes, "fraction": 0.5, "seed": data.draw(st.integers(0, 2**64 - 1))}
    odd: dict[str, st.SearchStrategy[Any]] = {
        "num_nodes": st.sampled_from(
            [-1, 0, 1, 3, 8, EDGE - 1, EDGE, 2**32 + 3, 2**63, 2.0, None, "3", np.int8(4), True]
        ),
        "fraction": st.one_of(st.floats(), arrays(st.floats()), st.sampled_from([None, "half", 0, 1, 2**70])),
        "keep": arrays(INTEGERS),
        "eliminate": arrays(INTEGERS),
        "node_order": st.one_of(arrays(INTEGERS), st.sampled_from(["random", "degree", "", "coarsen", 3])),
        "neighbor_order": st.sampled_from(["asc", "desc", "random", "ASC", None, 1, b"asc"]),
        "method": st.sampled_from(["elimination", "walks", "coarsening", "walk", None, 0]),
        "ground": st.one_of(arrays(WEIGHTS), st.just(np.full(nodes, 0.5))),
        "ptr": st.one_of(arrays(INTEGERS), st.just([0, nodes // 2, nodes])),
        "batch": arrays(INTEGERS),
        "num_views": st.sampled_from([None, 1, 2, 0, -1, 1.5, "2", True]),
        "relabel": st.sampled_from([True, False, 2, None]),
        "symmetrize": st.sampled_from([True, False, 2, None]),
        "dtype": st.sampled_from([None, "f4", "f8", "f2", "i4", np.float32, "c16"]),
        "seed": st.sampled_from([0, -1, 2**64, 2**64 - 1, 1.5, "s", np.int64(3), [1]]),
        "num_threads": st.sampled_from([0, 1, 2, 5, -1, 2**31, 2**70, 1.5, None]),
        "edge_index": arrays(INTEGERS),
        "edge_weight": arrays(WEIGHTS),
    }
    for name in data.draw(st.lists(st.sampled_from(sorted(odd)), max_size=3, unique=True)):
        options[name] = data.draw(odd[name], label=name)
        if name in ("keep", "eliminate") and data.draw(st.booleans()):
            options["fraction"] = None
    call = {"edge_index": index, "edge_weight": weight} | options
    try:
        views = rlap.schur_view(**call)
    except (ValueError, TypeError, RuntimeError) as error:
        check_refusal(error, with_value=True)
        return
    for view in views if isinstance(views, list) else [views]:
        assert_valid_view(view, int(call["num_nodes"]), relabel=bool(call.get("relabel")))


ORDERS = st.sampled_from([*_core.NodeOrder, None, 0, "random"])
REPLACEMENTS = st.sampled_from([*_core.NeighborOrder, None, 0, "asc"])


def or_odd(data: st.DataObject, usual: Any, odd: st.SearchStrategy[Any]) -> Any:
    """What belongs here, or now and then something else."""
    return data.draw(odd) if data.draw(st.integers(0, 11)) == 11 else usual


def near_misses(dtype: str, rows: int | None = None) -> st.SearchStrategy[Any]:
    """The right type and number of dimensions, but any length and any values; or nothing of the kind."""
    values = INTEGERS.map(lambda value: np.int64(value).astype(dtype))
    lists = st.lists(values, max_size=8).map(lambda listed: np.array(listed, dtype=dtype))
    shaped = lists if rows is None else lists.map(lambda listed: np.tile(listed, (rows, 1)))
    return st.one_of(shaped, shaped, arrays(INTEGERS))


@QUIET
@SETTINGS
@given(st.data())
def test_the_bindings(data: st.DataObject) -> None:
    """The core checks by itself what could make it read out of bounds; values are checked by its callers too."""
    nodes = data.draw(st.integers(0, 7))
    index, weight = data.draw(edge_lists(nodes))
    cut = sorted(data.draw(st.lists(st.integers(0, nodes), max_size=2)))
    ptr = np.array([0, *cut, nodes], dtype=np.int64)
    try:
        graph = _core.Graph(
            or_odd(data, index[0], near_misses("i8")),
            or_odd(data, index[1], near_misses("i8")),
            or_odd(data, weight, arrays(WEIGHTS)),
            or_odd(data, nodes, st.sampled_from([-1, 0, 3, EDGE - 1, EDGE, 2**63, None, 1.5])),
            or_odd(data, ptr, near_misses("i8")),
            or_odd(data, data.draw(st.booleans()), st.sampled_from([None, 2, "yes"])),
        )
    except (ValueError, TypeError) as error:
        check_refusal(error, with_value=False)
        return
    assert graph.num_graphs >= 1
    size, graphs = graph.num_nodes, graph.num_graphs
    sizes = np.diff(ptr) if graphs == len(ptr) - 1 and size == nodes else np.zeros(graphs, dtype=np.int64)
    chosen = data.draw(st.booleans())
    count = or_odd(data, sizes[None] // 2, near_misses("i8", data.draw(st.integers(0, 2))))
    candidates = or_odd(data, np.arange(size, dtype=np.int32) if chosen else None, near_misses("i4"))
    begin = or_odd(data, ptr if chosen else None, near_misses("i8"))
    order = or_odd(data, _core.NodeOrder.random, ORDERS)
    replacement = or_odd(data, _core.NeighborOrder.asc, REPLACEMENTS)
    ground = or_odd(data, data.draw(st.sampled_from([None, np.full(size, 0.5)])), arrays(WEIGHTS))
    flags = [or_odd(data, data.draw(st.booleans()), st.sampled_from([None, 2])) for _ in range(2)]
    threads = or_odd(data, 1, st.sampled_from([-1, 0, 2, 9, 2**31 - 1, -(2**31), 2**40, None]))
    seeds = or_odd(data, np.array([3], dtype=np.uint64), near_misses("u8"))
    seed = or_odd(data, 3, st.sampled_from([-1, 2**64, None, 0.5]))
    keep = or_odd(data, np.arange(size) % 2 == 0, near_misses("?"))
    stops = or_odd(data, [], st.lists(INTEGERS, max_size=3))
    arguments: dict[str, tuple[Any, ...]] = {
        "eliminate": (graph, count, seeds, candidates, begin, order, replacement, ground, *flags, threads),
        "eliminate_tracked": (graph, count, seed, candidates, begin, order, replacement, ground, stops, *flags),
        "walk": (graph, keep, seed, ground, *flags, threads),
        "choose_kept": (graph, count, seed),
    }
    for name, given_arguments in arguments.items():
        try:
            result: Any = getattr(_core, name)(*given_arguments)
        except (ValueError, TypeError, RuntimeError) as error:
            check_refusal(error, with_value=False)
            continue
        if name == "choose_kept":
            assert result.shape == (size,)
            continue
        relabel = name != "eliminate_tracked" and bool(flags[0])
        views = result if name == "eliminate" else [result[0], *result[1]] if name == "eliminate_tracked" else [result]
        for view in views:
            assert_valid_view(rlap.View(*view), size, relabel=relabel)
        if name == "eliminate_tracked":
            check_columns(result[2], data)


def check_columns(columns: _core.Columns, data: st.DataObject) -> None:
    try:
        solved = columns.solve(data.draw(arrays(WEIGHTS)))
    except (ValueError, TypeError) as error:
        check_refusal(error, with_value=False)
    else:
        assert solved.ndim == 1


@QUIET
@pytest.mark.parametrize("kind", [_core.Graph, _core.Columns])
def test_objects_that_were_never_made(kind: Any) -> None:
    hollow = kind.__new__(kind)
    count = np.zeros((1, 1), dtype=np.int64)
    with pytest.raises((TypeError, AttributeError, RuntimeError)):
        _ = hollow.num_nodes
    with pytest.raises((TypeError, AttributeError, RuntimeError)):
        _ = hollow.node
    with pytest.raises(TypeError):
        _core.choose_kept(hollow, count, 0)

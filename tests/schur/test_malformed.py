"""Malformed input: always an exception that states the rule and the value, never a crash, a hang or a wrong view."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import rlap
from tests.graphs import KARATE
from tests.schur.variants import same, view_arrays
from tests.validity import assert_valid_view

PATH = np.array([[0, 1, 1, 2], [1, 0, 2, 1]])
FINE: dict[str, Any] = {"edge_index": PATH, "num_nodes": 3, "fraction": 0.5, "seed": 0}
ONES = np.ones(4)

# What is changed in a call that is fine, the kind of error, and what the message must say.
REFUSED: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"edge_index": PATH.T}, ValueError, r"edge_index must have the shape \(2, E\) \(got \(4, 2\)\)"),
    ({"edge_index": PATH[0]}, ValueError, r"shape \(2, E\) \(got \(4,\)\)"),
    ({"edge_index": PATH[None]}, ValueError, r"shape \(2, E\) \(got \(1, 2, 4\)\)"),
    ({"edge_index": []}, ValueError, r"shape \(2, E\) \(got \(0,\)\)"),
    ({"edge_index": PATH.astype(float)}, TypeError, r"integers \(got float64\)"),
    ({"edge_index": PATH.astype(complex)}, TypeError, r"integers \(got complex128\)"),
    ({"edge_index": PATH.astype(str)}, TypeError, r"integers \(got <U"),
    ({"edge_index": PATH.astype(object)}, TypeError, r"integers \(got object\)"),
    ({"edge_index": PATH.astype(bool)}, TypeError, r"integers \(got bool\)"),
    ({"edge_index": PATH - 1}, ValueError, r"\[0, num_nodes\) = \[0, 3\) \(got -1 at edge 0\)"),
    ({"edge_index": PATH + 1}, ValueError, r"\[0, num_nodes\) = \[0, 3\) \(got 3 at edge 2\)"),
    ({"edge_index": (PATH - 1).astype(np.int32)}, ValueError, r"\(got -1 at edge 0\)"),
    *(
        ({"edge_index": PATH + shift}, ValueError, rf"\[0, num_nodes\) = \[0, 3\) \(got {shift} at edge 0\)")
        for shift in (2**31 - 1, 2**31, 2**32, 2**32 + 3, 2**53, 2**62, -(2**31), -(2**32), -(2**63))
    ),
    ({"edge_index": PATH.astype(np.uint64) + 2**63}, ValueError, r"64 bits with sign \(got 9223372036854775810\)"),
    ({"edge_index": [[0], [1]]}, ValueError, r"both directions.*\(got 0 -> 1 at edge 0 without its reverse"),
    ({"edge_index": [[1], [0]]}, ValueError, r"both directions.*\(got 1 -> 0 at edge 0 without its reverse"),
    ({"edge_index": PATH[:, [0, 1, 3]]}, ValueError, r"\(got 2 -> 1 at edge 2 without its reverse"),
    ({"edge_weight": [1, 2, 1, 1]}, ValueError, r"same in both directions \(got 1 for 0 -> 1 but 2 for its reverse"),
    ({"edge_weight": [1, 1 + 1e-6, 1, 1]}, ValueError, r"same in both directions \(got 1 for 0 -> 1 but 1.0000009"),
    ({"edge_weight": ONES[:3]}, ValueError, r"the shape \(4,\) \(got \(3,\)\)"),
    ({"edge_weight": ONES.reshape(2, 2)}, ValueError, r"the shape \(4,\) \(got \(2, 2\)\)"),
    ({"edge_weight": 1.0}, ValueError, r"the shape \(4,\) \(got \(\)\)"),
    ({"edge_weight": ONES.astype(complex)}, TypeError, r"real numbers \(got complex128\)"),
    ({"edge_weight": ONES.astype(str)}, TypeError, r"real numbers \(got <U"),
    ({"edge_weight": ONES.astype(object)}, TypeError, r"real numbers \(got object\)"),
    ({"edge_weight": ONES.astype("datetime64[s]")}, TypeError, r"real numbers \(got datetime64"),
    ({"edge_weight": -ONES}, ValueError, r"positive and finite \(got -1 at edge 0\)"),
    ({"edge_weight": [1, 1, 0, 0]}, ValueError, r"positive and finite \(got 0 at edge 2\)"),
    ({"edge_weight": [1, 1, 1, np.nan]}, ValueError, r"positive and finite \(got nan at edge 3\)"),
    ({"edge_weight": [np.inf, np.inf, 1, 1]}, ValueError, r"positive and finite \(got inf at edge 0\)"),
    ({"edge_weight": np.full(4, np.nan, dtype=np.float32)}, ValueError, r"\(got nan at edge 0\)"),
    ({"edge_weight": np.full(4, 1e308)}, ValueError, r"finite sum \(got inf\)"),
    ({"ground": [1.7e308, 0, 0]}, ValueError, r"ground must have a finite sum, both directions counted \(got inf\)"),
    ({"num_nodes": -1}, ValueError, r"num_nodes must lie in \[0, 2147483646\] \(got -1\)"),
    ({"num_nodes": 2**31 - 1}, ValueError, r"\[0, 2147483646\] \(got 2147483647\)"),
    ({"num_nodes": 2**63}, ValueError, r"\(got 9223372036854775808\)"),
    ({"num_nodes": 3.0}, TypeError, r"num_nodes must be an integer \(got float\)"),
    ({"num_nodes": None}, TypeError, r"num_nodes must be an integer \(got NoneType\)"),
    ({"num_nodes": 2}, ValueError, r"\[0, 2\) \(got 2 at edge 2\)"),
    ({"num_nodes": 0}, ValueError, r"\[0, 0\) \(got 0 at edge 0\)"),
    ({"fraction": 1.5}, ValueError, r"fraction must lie in \[0, 1\] \(got 1.5\)"),
    ({"fraction": -1e-9}, ValueError, r"\[0, 1\] \(got -1e-09\)"),
    ({"fraction": float("nan")}, ValueError, r"\[0, 1\] \(got nan\)"),
    ({"fraction": "half"}, TypeError, r"fraction must be a number \(got str\)"),
    ({"fraction": [0.5, 0.5]}, ValueError, r"each of the 1 views \(got \(2,\)\)"),
    ({"fraction": None}, ValueError, "exactly one of fraction, keep and eliminate"),
    ({"keep": [0]}, ValueError, "exactly one of fraction, keep and eliminate"),
    ({"fraction": None, "keep": [0], "eliminate": [1]}, ValueError, "give one of them"),
    ({"fraction": None, "keep": [3]}, ValueError, r"keep must lie in \[0, num_nodes\) = \[0, 3\) \(got 3\)"),
    ({"fraction": None, "keep": [-1]}, ValueError, r"\[0, 3\) \(got -1\)"),
    ({"fraction": None, "keep": [2**40]}, ValueError, r"\[0, 3\) \(got 1099511627776\)"),
    ({"fraction": None, "keep": [0.5]}, TypeError, r"keep must hold integers \(got float64\)"),
    ({"fraction": None, "keep": [True, False]}, ValueError, r"every node, 3 \(got 2\)"),
    ({"fraction": None, "keep": [[0]]}, ValueError, r"one dimension \(got 2\)"),
    ({"fraction": None, "eliminate": 1}, ValueError, r"eliminate must have one dimension \(got 0\)"),
    ({"node_order": "Random"}, ValueError, r"node_order must be one of .*\(got 'Random'\)"),
    ({"node_order": [0, 1]}, ValueError, r"each of the 3 nodes once \(got the shape \(2,\)\)"),
    ({"node_order": [0, 1, 1]}, ValueError, r"each node once \(got 1 2 times\)"),
    ({"node_order": [0, 1, 3]}, ValueError, r"node_order must lie in .*\(got 3\)"),
    ({"node_order": [0.0, 1.0, 2.0]}, TypeError, r"node_order must hold integers \(got float64\)"),
    ({"node_order": None}, ValueError, r"node_order must hold each of the 3 nodes once \(got the shape \(\)\)"),
    ({"neighbor_order": "up"}, ValueError, r"neighbor_order must be one of \"asc\", \"desc\", \"random\" \(got 'up'\)"),
    ({"neighbor_order": None}, ValueError, r"neighbor_order must be one of .*\(got None\)"),
    ({"neighbor_order": "coarsen"}, ValueError, r"\(got 'coarsen'\)"),
    ({"method": "magic"}, ValueError, r"method must be .*\(got 'magic'\)"),
    ({"method": "coarsening", "neighbor_order": "desc"}, ValueError, r"no neighbor_order.*\(got 'desc'\)"),
    ({"method": "walks", "neighbor_order": "desc"}, ValueError, "has no orders"),
    ({"method": "walks", "node_order": "degree"}, ValueError, "has no orders"),
    ({"ground": [1.0, 1.0]}, ValueError, r"ground must have one value for every node, the shape \(3,\) \(got \(2,\)\)"),
    ({"ground": 1.0}, ValueError, r"the shape \(3,\) \(got \(\)\)"),
    ({"ground": [1.0, -0.5, 0.0]}, ValueError, r"finite and not negative \(got -0.5 at node 1\)"),
    ({"ground": [1.0, 0.0, np.nan]}, ValueError, r"finite and not negative \(got nan at node 2\)"),
    ({"ground": [np.inf, 0.0, 0.0]}, ValueError, r"finite and not negative \(got inf at node 0\)"),
    ({"ground": ["a", "b", "c"]}, TypeError, r"ground must hold real numbers \(got <U1\)"),
    ({"ground": [1j, 0, 0]}, TypeError, r"real numbers \(got complex128\)"),
    ({"ptr": [0, 2]}, ValueError, r"ptr must rise from 0 to num_nodes = 3 \(got \[0 2\]\)"),
    ({"ptr": [1, 3]}, ValueError, r"rise from 0 .*\(got \[1 3\]\)"),
    ({"ptr": [0, 2, 1, 3]}, ValueError, r"rise from 0 .*\(got \[0 2 1 3\]\)"),
    ({"ptr": [0, 5, 3]}, ValueError, r"rise from 0 .*\(got \[0 5 3\]\)"),
    ({"ptr": [3]}, ValueError, r"rise from 0 .*\(got \[3\]\)"),
    ({"ptr": []}, ValueError, r"rise from 0 .*\(got \[\]\)"),
    ({"ptr": [[0, 3]]}, ValueError, r"ptr must have one dimension \(got 2\)"),
    ({"ptr": [0.0, 3.0]}, TypeError, r"ptr must hold integers \(got float64\)"),
    ({"ptr": [0, 1, 3]}, ValueError, r"one graph of the batch \(got 0 -> 1 at edge 0\)"),
    ({"batch": [0, 0]}, ValueError, r"every node, 3 of them \(got 2\)"),
    ({"batch": [0, 1, 0]}, ValueError, r"sorted and not negative \(got \[0 1 0\]\)"),
    ({"batch": [-1, 0, 0]}, ValueError, r"sorted and not negative \(got \[-1  0  0\]\)"),
    ({"batch": [0, 0, 2**28]}, ValueError, r"number its graphs from 0, .* \(got graph 268435456 for 3 nodes\)"),
    ({"batch": [0.0, 0.0, 0.0]}, TypeError, r"batch must hold integers \(got float64\)"),
    ({"batch": [0, 0, 0], "ptr": [0, 3]}, ValueError, "give one of them"),
    ({"num_views": 0}, ValueError, r"positive integer \(got 0\)"),
    ({"num_views": -1}, ValueError, r"positive integer \(got -1\)"),
    ({"num_views": 1.5}, ValueError, r"positive integer \(got 1.5\)"),
    ({"num_views": "two"}, ValueError, r"positive integer \(got 'two'\)"),
    ({"dtype": np.int64}, ValueError, r"float32 or float64 \(got int64\)"),
    ({"dtype": np.float16}, ValueError, r"float32 or float64 \(got float16\)"),
    ({"seed": -1}, ValueError, r"seed must lie in \[0, 2\*\*64\) \(got -1\)"),
    ({"seed": 2**64}, ValueError, r"seed must lie in .*\(got 18446744073709551616\)"),
    ({"seed": 0.5}, TypeError, r"seed must be an integer, a random generator or None \(got float\)"),
    ({"seed": "abc"}, TypeError, r"\(got str\)"),
    ({"num_threads": -1}, ValueError, r"num_threads must lie in \[0, 1024\].*\(got -1\)"),
    ({"num_threads": 2**20}, ValueError, r"\(got 1048576\)"),
    ({"num_threads": 1.0}, TypeError, r"num_threads must be an integer \(got float\)"),
]


@pytest.mark.parametrize(("change", "kind", "message"), REFUSED, ids=lambda value: repr(value)[:60])
def test_refused_with_the_rule_and_the_value(change: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        rlap.schur_view(**(FINE | change))


ACCEPTED: list[dict[str, Any]] = [
    {"edge_index": PATH.astype(dtype)} for dtype in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4", ">i8")
] + [
    {"edge_index": PATH.tolist()},
    {"edge_index": np.asfortranarray(PATH)},
    {"edge_index": np.repeat(PATH, 2, axis=1)[:, ::2]},
    {"edge_index": PATH[:, ::-1][:, ::-1]},
    {"edge_index": np.concatenate([PATH, [[0, 2], [0, 2]]], axis=1)},  # self-loops
    {"edge_weight": np.ones((1, 4))},
    {"edge_weight": np.ones((4, 1))},
    {"edge_weight": np.ones(8)[::2]},
    {"edge_weight": np.ones(4)[::-1]},
    {"edge_weight": ONES.astype(">f8")},
    {"edge_weight": ONES.astype(np.longdouble)},
    {"edge_weight": ONES.astype(bool)},
    {"edge_weight": ONES.astype(np.uint8)},
    {"edge_weight": ONES.tolist()},
    {"num_nodes": np.int16(3)},
    {"fraction": np.float32(0.5)},
    {"fraction": None, "keep": np.array([0, 0, 2, 2], dtype=np.uint8)},
    {"seed": np.uint64(0)},
    {"ptr": np.array([0, 3], dtype=np.int32)},
    {"batch": np.zeros(3, dtype=np.uint8)},
    {"symmetrize": True},
    {"num_threads": 1024},
]


@pytest.mark.parametrize("change", ACCEPTED, ids=lambda value: repr(value)[:60])
def test_unusual_but_fine(change: dict[str, Any]) -> None:
    """Other widths, byte orders, strides and containers are the same graph, and give the same view."""
    options = FINE | change
    plain = {key: value for key, value in FINE.items() if key not in ("edge_index", "edge_weight")}
    plain |= {key: options[key] for key in ("fraction", "keep") if options.get(key) is not None or key == "fraction"}
    assert same(view_arrays(rlap.schur_view(**options)), view_arrays(rlap.schur_view(PATH, **plain)))


def test_read_only_input_stays_as_it_is() -> None:
    index, weight, ground = PATH.copy(), np.array([1.0, 1.0, 2.0, 2.0]), np.ones(3)
    before = [array.copy() for array in (index, weight, ground)]
    for array in (index, weight, ground):
        array.setflags(write=False)
    rlap.schur_view(index, weight, num_nodes=3, fraction=0.5, ground=ground, seed=0)
    for array, copy in zip((index, weight, ground), before, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize("method", ["elimination", "walks"])
@pytest.mark.parametrize("nodes", [0, 1, 2, 5])
def test_no_edges(nodes: int, method: Any) -> None:
    for dtype in (np.float32, np.float64):
        view = rlap.schur_view(
            np.zeros((2, 0), int), np.zeros(0, dtype), num_nodes=nodes, fraction=0.5, method=method, seed=0
        )
        assert_valid_view(view, nodes)
        assert view.edge_weight.dtype == dtype
        assert view.node_mask.sum() == nodes - nodes // 2


def test_symmetrize_mends_both_faults() -> None:
    one_way = rlap.schur_view([[0, 2], [1, 1]], num_nodes=3, fraction=0.0, symmetrize=True, seed=0)
    np.testing.assert_array_equal(one_way.edge_index, PATH)
    np.testing.assert_array_equal(one_way.edge_weight, np.ones(4))
    mean = rlap.schur_view(PATH, [1.0, 3.0, 5.0, 5.0], num_nodes=3, fraction=0.0, symmetrize=True, seed=0)
    np.testing.assert_array_equal(mean.edge_weight, [2, 2, 5, 5])


def test_rounding_is_not_asymmetry() -> None:
    weight = np.array([1.0, 1.0 + 1e-12, 2.0, 2.0])
    view = rlap.schur_view(PATH, weight, num_nodes=3, fraction=0.0, seed=0)
    assert_valid_view(view, 3)
    np.testing.assert_allclose(view.edge_weight, weight, rtol=1e-11)


@pytest.mark.parametrize("weights", [(1e-308, 1e308), (5e-324, 1.0), (5e-324, 1e308), (1e-300, 1e-308)])
@pytest.mark.parametrize("ground", [None, 1e-320, 1e300])
@pytest.mark.parametrize("neighbor_order", ["asc", "desc", "random"])
def test_weights_at_the_ends_of_the_range(
    weights: tuple[float, float], ground: float | None, neighbor_order: str
) -> None:
    """Products and quotients underflow or overflow here; the view must be one all the same."""
    star = np.array([[0, 0, 0, 0, 1, 2, 3, 4], [1, 2, 3, 4, 0, 0, 0, 0]])
    values = np.array([weights[0], weights[1] / 8, weights[0], 1.0])
    for eliminate in ([0], [0, 1], [1, 0, 4]):
        view = rlap.schur_view(
            star,
            np.tile(values, 2),
            num_nodes=5,
            eliminate=eliminate,
            neighbor_order=neighbor_order,
            ground=None if ground is None else np.full(5, ground),
            seed=0,
        )
        assert_valid_view(view, 5)


@pytest.mark.parametrize("method", ["elimination", "walks", "coarsening"])
def test_ground_and_weights_that_overflow_together(method: Any) -> None:
    """Each sum is finite by itself, that of a star with its ground is not: an error, or the right view, no other."""
    weight, ground = np.full(4, 4e307), np.array([0.0, 1.7e308, 0.0])
    options: dict[str, Any] = {"num_nodes": 3, "eliminate": [1], "method": method, "seed": 0}
    small = rlap.schur_view(PATH, weight / 2**20, ground=ground / 2**20, **options)
    try:
        large = rlap.schur_view(PATH, weight, ground=ground, **options)
    except ValueError:
        pass
    else:
        np.testing.assert_array_equal(large.edge_index, small.edge_index)
        np.testing.assert_allclose(large.edge_weight, small.edge_weight * 2**20, rtol=1e-12)
        np.testing.assert_allclose(large.ground, small.ground * 2**20, rtol=1e-12)


def test_weights_too_large_for_single_precision() -> None:
    """An error, or weights that are finite: infinity is not a weight."""
    for dtype, weight in ((np.float32, 1e300), (None, np.float32(3e38))):
        twice = np.concatenate([PATH, PATH], axis=1)
        try:
            view = rlap.schur_view(
                twice, np.full(8, weight), num_nodes=3, fraction=0.0, dtype=dtype, seed=0, num_threads=1
            )
        except ValueError:
            continue
        assert_valid_view(view, 3)


MATRICES: list[tuple[Any, type[Exception], str]] = [
    (np.eye(3), TypeError, r"SciPy sparse array or matrix \(got ndarray"),
    ([[0, 1], [1, 0]], TypeError, r"\(got list"),
    (None, TypeError, r"\(got NoneType"),
    (sp.csr_array((2, 3)), ValueError, r"square \(got the shape \(2, 3\)\)"),
    (sp.csr_array(np.array([[0, 1j], [1j, 0]])), TypeError, r"real \(got complex128\)"),
    (sp.csr_array(np.array([[0, 1.0], [2.0, 0]])), ValueError, r"both directions \(got 1 for 0 -> 1 but 2"),
    (sp.csr_array(np.array([[0, -1.0], [-1.0, 0]])), ValueError, r"positive and finite \(got -1"),
    (sp.csr_array(np.array([[0, np.nan], [np.nan, 0]])), ValueError, r"positive and finite \(got nan"),
]


@pytest.mark.parametrize(("matrix", "kind", "message"), MATRICES, ids=lambda value: repr(value)[:40])
@pytest.mark.parametrize("function", [rlap.randomized_schur, rlap.walk_schur, rlap.exact_schur, rlap.vertex_coarsening])
def test_matrices(function: Any, matrix: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        function(matrix, keep=[0])


# In a process of its own with little memory, so that a huge allocation fails instead of taking the machine along.
LIMITED = """
import resource
import numpy as np, rlap
resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30, 3 * 2**30))
empty, pair = np.zeros((2, 0), dtype=np.int64), np.array([[0, 2**31 - 3], [2**31 - 3, 0]])
for nodes in (2**31 - 2, 2**31 - 3, 2**30):
    for edges in (empty, pair):
        for method in ("elimination", "walks"):
            try:
                rlap.schur_view(edges, num_nodes=nodes, fraction=0.5, method=method, seed=0, num_threads=1)
            except MemoryError:
                print("MemoryError")
            except ValueError as error:
                assert "got 2147483645 at edge 0" in str(error), error
                print("ValueError")
print(rlap.schur_view(np.array([[0, 1], [1, 0]]), num_nodes=2, fraction=0.0, seed=0).edge_weight.tolist())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the limit on memory is Linux's")
@pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer reserves more than the limit"
)
def test_more_nodes_than_memory() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.split("\n")
    assert set(lines[:-2]) <= {"MemoryError", "ValueError"}
    assert len(lines) == 12 + 2
    assert lines[-2] == "[1.0, 1.0]"


def test_many_views_on_many_threads() -> None:
    views = rlap.schur_view(KARATE.edge_index, num_nodes=34, fraction=0.5, num_views=500, seed=0, num_threads=64)
    assert len(views) == 500
    for view in views:
        assert_valid_view(view, 34)

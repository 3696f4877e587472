"""Every kind of SciPy matrix must give what its dense form says."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import rlap
from tests.graphs import random_graph
from tests.oracles import dense_schur

GRAPH = random_graph(30, 90, seed=2)
KEEP = np.array(GRAPH.keep)
GONE = np.setdiff1d(np.arange(30), KEEP)
ARRAYS = [sp.csr_array, sp.csc_array, sp.coo_array, sp.lil_array, sp.dok_array, sp.bsr_array, sp.dia_array]
MATRICES = [sp.csr_matrix, sp.csc_matrix, sp.coo_matrix, sp.lil_matrix, sp.dok_matrix, sp.bsr_matrix, sp.dia_matrix]
FUNCTIONS = {
    "randomized": rlap.randomized_schur,
    "walks": rlap.walk_schur,
    "coarsening": rlap.vertex_coarsening,
    "exact": lambda adjacency, rng, **options: rlap.exact_schur(adjacency, **options),
}


@pytest.mark.parametrize("kind", ARRAYS + MATRICES, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_format_gives_the_same_result(kind, name):
    result = FUNCTIONS[name](kind(GRAPH.dense), keep=KEEP, rng=5)
    expected = FUNCTIONS[name](GRAPH.sparse, keep=KEEP, rng=5)
    assert type(result) is (sp.csr_array if kind in ARRAYS else sp.csr_matrix)
    np.testing.assert_array_equal(result.toarray(), expected.toarray())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_result_is_a_canonical_csr_array_of_the_same_shape(name):
    result = FUNCTIONS[name](GRAPH.sparse, keep=KEEP, rng=5)
    assert result.shape == (30, 30)
    assert result.format == "csr"
    assert (result.data > 0).all()
    copy = sp.csr_array((result.data.copy(), result.indices.copy(), result.indptr.copy()), shape=result.shape)
    assert copy.has_canonical_format  # found out from the entries, not from what the result says of itself
    assert not result.diagonal().any()
    assert np.diff(result.indptr)[GONE].sum() == 0
    np.testing.assert_array_equal(result.toarray(), result.toarray().T)


def test_exact_schur_is_the_dense_formula():
    result = rlap.exact_schur(GRAPH.sparse, keep=KEEP).toarray()
    expected = dense_schur(GRAPH.dense, GONE)
    # A dense solve of 15 rows with weights between 0.1 and 10 loses about three digits.
    np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint16, np.bool_, np.float32, np.float64, np.longdouble])
def test_types(dtype):
    ones = (GRAPH.dense > 0).astype(dtype)
    result = rlap.randomized_schur(sp.csr_array(ones), keep=KEEP, rng=1)
    expected = rlap.randomized_schur(sp.csr_array((GRAPH.dense > 0).astype(float)), keep=KEEP, rng=1)
    assert result.dtype == (np.float32 if dtype is np.float32 else np.float64)
    np.testing.assert_allclose(result.toarray(), expected.toarray(), rtol=1e-6 if dtype is np.float32 else 0)


def test_small_integers_are_summed_without_overflow():
    twice = sp.coo_array((np.full(4, 100, np.int8), ([0, 0, 1, 1], [1, 1, 0, 0])), shape=(2, 2))
    assert rlap.randomized_schur(twice, fraction=0.0, rng=0)[0, 1] == 200


def test_complex_matrices_are_refused():
    with pytest.raises(TypeError, match=r"the adjacency must be real \(got complex128\)"):
        rlap.randomized_schur(GRAPH.sparse * 1j, fraction=0.5)


def test_stored_zeros_are_no_edges():
    stored = GRAPH.sparse.copy()
    stored.data[:] = 1.0
    u, v = 0, int(stored.indices[0])
    stored[u, v] = stored[v, u] = 0.0
    clean = stored.copy()
    clean.eliminate_zeros()
    assert clean.nnz == stored.nnz - 2
    result = rlap.randomized_schur(stored, fraction=0.0, rng=0)
    np.testing.assert_array_equal(result.toarray(), clean.toarray())
    assert result.nnz == clean.nnz


def test_unsorted_indices():
    mixed = GRAPH.sparse.copy()
    for row in range(30):
        part = slice(mixed.indptr[row], mixed.indptr[row + 1])
        mixed.indices[part] = mixed.indices[part][::-1].copy()
        mixed.data[part] = mixed.data[part][::-1].copy()
    mixed.has_sorted_indices = False
    before = mixed.indices.copy()
    result = rlap.randomized_schur(mixed, keep=KEEP, rng=2)
    np.testing.assert_array_equal(result.toarray(), rlap.randomized_schur(GRAPH.sparse, keep=KEEP, rng=2).toarray())
    np.testing.assert_array_equal(mixed.indices, before)


@pytest.mark.parametrize("kind", [sp.coo_array, sp.csr_array, sp.csc_array])
def test_duplicates_are_summed(kind):
    coo = sp.coo_array(GRAPH.sparse)
    row, col = (np.concatenate([end, end]) for end in coo.coords)
    data = np.concatenate([0.25 * coo.data, 0.75 * coo.data])
    if kind is sp.coo_array:
        twice = sp.coo_array((data, (row, col)), shape=(30, 30))
    else:  # built by hand, since SciPy would sum them
        order = np.argsort(row if kind is sp.csr_array else col, kind="stable")
        major, minor = (row, col) if kind is sp.csr_array else (col, row)
        starts = np.searchsorted(major[order], np.arange(31))
        twice = kind((data[order], minor[order], starts), shape=(30, 30))
    assert twice.nnz == 2 * coo.nnz
    result = rlap.randomized_schur(twice, fraction=0.0, rng=0)
    np.testing.assert_allclose(result.toarray(), GRAPH.dense, rtol=1e-15)


def test_self_loops_are_dropped():
    looped = sp.csr_array(GRAPH.dense + 5 * np.eye(30))
    result = rlap.randomized_schur(looped, keep=KEEP, rng=2)
    np.testing.assert_array_equal(result.toarray(), rlap.randomized_schur(GRAPH.sparse, keep=KEEP, rng=2).toarray())


def test_the_input_is_not_changed():
    source = GRAPH.sparse.copy()
    rlap.randomized_schur(source, fraction=0.5, rng=0)
    rlap.exact_schur(source, keep=KEEP)
    np.testing.assert_array_equal(source.toarray(), GRAPH.dense)


def test_64_bit_indices():
    wide = GRAPH.sparse.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    result = rlap.randomized_schur(wide, keep=KEEP, rng=2)
    np.testing.assert_array_equal(result.toarray(), rlap.randomized_schur(GRAPH.sparse, keep=KEEP, rng=2).toarray())


def test_empty_matrices():
    for size in (0, 3):
        result = rlap.randomized_schur(sp.csr_array((size, size)), fraction=0.5, rng=0)
        assert result.shape == (size, size)
        assert result.nnz == 0


def test_wrong_things_are_refused():
    with pytest.raises(TypeError, match=r"must be a SciPy sparse array or matrix \(got ndarray; csr_array wraps"):
        rlap.randomized_schur(GRAPH.dense, fraction=0.5)
    with pytest.raises(ValueError, match=r"must be square \(got the shape \(30, 29\)\)"):
        rlap.randomized_schur(GRAPH.sparse[:, :29], fraction=0.5)
    crooked = GRAPH.sparse.copy()
    crooked[0, int(crooked.indices[0])] *= 2
    with pytest.raises(ValueError, match="the same in both directions"):
        rlap.randomized_schur(crooked, fraction=0.5)
    assert rlap.randomized_schur(crooked, fraction=0.5, symmetrize=True, rng=0).nnz > 0


@pytest.mark.parametrize("seed", [lambda: 3, lambda: np.random.default_rng(3), lambda: np.random.RandomState(3)])
def test_seeds_repeat(seed):
    first = rlap.randomized_schur(GRAPH.sparse, fraction=0.5, rng=seed())
    again = rlap.randomized_schur(GRAPH.sparse, fraction=0.5, rng=seed())
    np.testing.assert_array_equal(first.toarray(), again.toarray())


def test_no_seed_follows_numpy():
    np.random.seed(1)  # noqa: NPY002
    first, second = (rlap.randomized_schur(GRAPH.sparse, fraction=0.5).toarray() for _ in range(2))
    np.random.seed(1)  # noqa: NPY002
    again = rlap.randomized_schur(GRAPH.sparse, fraction=0.5).toarray()
    np.testing.assert_array_equal(first, again)
    assert (first != second).any()

"""Matrices whose arrays do not fit together are refused before anything compiled follows them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import rlap
from rlap.schur.coordinates import checked_csr, coordinates

FORMATS = ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"]


def example() -> Any:
    return sp.csr_array(np.array([[0, 2.0, 0, 1.0], [2.0, 0, 5.0, 0], [0, 5.0, 0, 0], [1.0, 0, 0, 0]]))


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("legacy", [False, True])
def test_all_formats_are_read_as_scipy_reads_them(kind: str, legacy: bool) -> None:
    matrix = example().asformat(kind)
    if legacy:
        matrix = getattr(sp, f"{kind}_matrix")(matrix)
    row, col, value = coordinates(matrix)
    found = np.zeros((4, 4))
    np.add.at(found, (row, col), value)
    np.testing.assert_array_equal(found, example().toarray())
    np.testing.assert_array_equal(checked_csr(matrix).toarray(), example().toarray())


def test_rectangles_and_duplicates() -> None:
    wide = sp.csr_array((np.ones(3), np.array([4, 4, 0]), np.array([0, 2, 3])), shape=(2, 5))
    np.testing.assert_array_equal(checked_csr(wide).toarray(), [[0, 0, 0, 0, 2], [1, 0, 0, 0, 0]])
    assert checked_csr(wide).has_canonical_format


def forged(kind: str, **arrays: Any) -> Any:
    matrix = example().asformat(kind)
    for name, values in arrays.items():
        setattr(matrix, name, np.array(values))
    return matrix


# What SciPy's own conversions follow into other memory, or for minutes.
FORGED = {
    "falls below 0": (forged("csr", indptr=[0, -5, 2, 2, 6]), r"indptr must not fall \(got -5 after 0\)"),
    "beyond the end": (forged("csr", indptr=[0, 10**6, 2, 2, 6]), r"must not fall \(got 2 after 1000000\)"),
    "far beyond": (forged("csr", indptr=[0, 1, 2, 3, 10**9]), r"beyond the 6 entries \(got 1000000000\)"),
    "by columns": (forged("csc", indptr=[0, -5, 2, 2, 6]), r"indptr must not fall \(got -5 after 0\)"),
    "blocks": (forged("bsr", indptr=[0, 10**6, 2, 2, 6]), r"indptr must"),
    "a column too far": (forged("csr", indices=[1, 3, 0, 2, 1, 400]), r"indices must lie in \[0, 4\) \(got 400\)"),
    "a negative column": (forged("csr", indices=[1, 3, 0, 2, 1, -1]), r"indices must lie in \[0, 4\) \(got -1\)"),
    "a negative row": (forged("coo", coords=[[0, 0, 1, 1, 2, -3], [1, 3, 0, 2, 1, 0]]), r"in \[0, 4\) \(got -3\)"),
    "no beginning": (forged("csr", indptr=[1, 2, 2, 2, 6]), r"indptr must begin with 0 \(got 1\)"),
    "too few rows": (forged("csr", indptr=[0, 2, 6]), r"indptr must have 5 offsets.*\(got 3\)"),
    "no whole numbers": (forged("csr", indptr=[0.0, 1, 2, 3, 6]), r"indptr must be whole numbers.*float64"),
    "fewer values": (forged("csr", data=[1.0, 2.0]), r"one value for every index, 6 of them \(got 2\)"),
    "fewer diagonals": (forged("dia", offsets=[0]), r"a row for each of 1 diagonals"),
}


@pytest.mark.parametrize("case", FORGED)
def test_forged_arrays_are_refused(case: str) -> None:
    matrix, message = FORGED[case]
    for read in (coordinates, checked_csr, rlap.prepare, lambda one: rlap.exact_schur(one, keep=[0])):
        with pytest.raises(ValueError, match=message):
            read(matrix)

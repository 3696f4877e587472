"""`exact_schur` against the dense formula."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import rlap
from tests.graphs import KARATE, SMALL, Example, random_graph
from tests.oracles import Matrix, dense_schur, exact_elimination, laplacian, with_ground

GROUNDED = pytest.mark.parametrize("grounded", [False, True], ids=["plain", "grounded"])


def exact(example: Example, gone: list[int], ground: Matrix | None) -> Matrix:
    result = rlap.exact_schur(example.sparse, eliminate=gone, ground=ground)
    return with_ground(result.toarray(), None) if ground is None else with_ground(result[0].toarray(), result[1])


@pytest.mark.parametrize("example", SMALL, ids=str)
@GROUNDED
def test_every_set_of_nodes(example: Example, grounded: bool) -> None:
    ground = example.leak if grounded else None
    whole = with_ground(example.dense, ground)
    for size in range(example.num_nodes + 1):
        for gone in itertools.combinations(range(example.num_nodes), size):
            result = exact(example, list(gone), ground)
            np.testing.assert_allclose(result, exact_elimination(whole, gone), rtol=1e-13)
            if example.name != "twelve_orders":  # the formula in double precision is no judge there
                np.testing.assert_allclose(result, dense_schur(whole, gone), rtol=1e-12, atol=1e-12)
            np.testing.assert_array_equal(result, result.T)
            assert (result >= 0).all()
            assert not result.diagonal().any()
            assert not result[list(gone)].any()


@pytest.mark.parametrize("strength", [1e4, 1e8, 1e30])
def test_a_bond_that_is_far_stronger_than_the_way_out(strength: float) -> None:
    """The path 2-0-1-3: three resistances in a row, of which the middle one hardly counts."""
    path = sp.lil_array((4, 4))
    for u, v, weight in ((2, 0, 1 / strength), (0, 1, strength), (1, 3, 1 / strength)):
        path[u, v] = path[v, u] = weight
    expected = 1 / (2 * strength + 1 / strength)
    assert rlap.exact_schur(path.tocsr(), keep=[2, 3])[2, 3] == pytest.approx(expected, rel=1e-14)


def chain(length: int, strength: float) -> sp.csr_array:
    """A path whose ends hang on weights of 1, with `strength` between."""
    weight = np.full(length - 1, strength)
    weight[[0, -1]] = 1.0
    return sp.csr_array(sp.diags_array([weight, weight], offsets=[-1, 1]))


def test_a_long_chain() -> None:
    """Resistances in a row add up; a bond beyond double precision is refused rather than taken for nothing."""
    ends = [0, 999]
    assert rlap.exact_schur(chain(1000, 1e3), keep=ends)[0, 999] == pytest.approx(1 / (2 + 997e-3), rel=1e-6)
    with pytest.raises(ValueError, match=r"outweigh what leads out .* \(got 2e\+17 at a node against 1 on"):
        rlap.exact_schur(chain(1000, 1e17), keep=ends)


@pytest.mark.parametrize("example", [KARATE, random_graph(300, 900, seed=3), random_graph(900, 1300, seed=4)], ids=str)
@GROUNDED
@pytest.mark.parametrize("share", [0.3, 0.9])
def test_larger_graphs(example: Example, grounded: bool, share: float) -> None:
    """Above 600 nodes the sparse factorisation takes over from the dense elimination."""
    ground = example.leak if grounded else None
    gone = np.random.default_rng(0).permutation(example.num_nodes)[: int(share * example.num_nodes)].tolist()
    expected = dense_schur(with_ground(example.dense, ground), gone)
    np.testing.assert_allclose(exact(example, gone, ground), expected, rtol=1e-9, atol=1e-10)


def test_keep_and_eliminate_say_the_same() -> None:
    keep = rlap.exact_schur(KARATE.sparse, keep=KARATE.keep)
    eliminate = rlap.exact_schur(KARATE.sparse, eliminate=KARATE.gone)
    mask = rlap.exact_schur(KARATE.sparse, keep=np.isin(np.arange(34), KARATE.keep))
    np.testing.assert_array_equal(keep.toarray(), eliminate.toarray())
    np.testing.assert_array_equal(keep.toarray(), mask.toarray())


def test_effective_resistances_between_kept_nodes_do_not_change() -> None:
    """What the Schur complement is for; through the pseudo-inverse, which no other test uses."""
    example = random_graph(30, 70, seed=5)
    keep = list(example.keep)
    left = rlap.exact_schur(example.sparse, keep=keep).toarray()[np.ix_(keep, keep)]

    def resistance(weights: Matrix) -> Matrix:
        inverse = np.linalg.pinv(laplacian(weights))
        return np.asarray(np.add.outer(np.diag(inverse), np.diag(inverse)) - 2 * inverse)

    np.testing.assert_allclose(resistance(left), resistance(example.dense)[np.ix_(keep, keep)], rtol=1e-9, atol=1e-12)


def test_a_result_that_would_not_fit_is_refused() -> None:
    leaves = 2000
    star = sp.csr_array(
        (np.ones(2 * leaves), (np.r_[[0] * leaves, 1 : leaves + 1], np.r_[1 : leaves + 1, [0] * leaves]))
    )
    with pytest.raises(MemoryError, match=r"4e\+06 entries.*max_bytes allows"):
        rlap.exact_schur(star, eliminate=[0], max_bytes=10**6)


def test_without_a_set_of_nodes() -> None:
    with pytest.raises(ValueError, match="exactly one of keep and eliminate"):
        rlap.exact_schur(KARATE.sparse)


def test_single_precision_stays() -> None:
    single = rlap.exact_schur(sp.csr_array(SMALL[0].dense.astype(np.float32)), keep=SMALL[0].keep)
    assert single.dtype == np.float32
    double = rlap.exact_schur(SMALL[0].sparse, keep=SMALL[0].keep)
    np.testing.assert_allclose(single.toarray(), double.toarray(), rtol=1e-6)


@pytest.mark.parametrize("seed", range(8))
def test_weights_and_grounds_of_any_size_stay_finite(seed: int) -> None:
    """Against exact fractions; what is too small for double precision may be left out."""
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.random((8, 8)) < 0.5, 1) * 10.0 ** rng.uniform(-306, 290, (8, 8))
    ground = 10.0 ** rng.uniform(-306, 290, 8) * (rng.random(8) < 0.7)
    whole = [[Fraction(x) for x in row] for row in with_ground(weights + weights.T, ground).tolist()]
    result, leaked = rlap.exact_schur(sp.csr_array(weights + weights.T), keep=[0, 1, 2], ground=ground)
    for node in range(7, 2, -1):
        star, total = whole[node], sum(whole[node])
        if total:
            whole = [
                [x + one * other / total if i != j else x for j, (x, other) in enumerate(zip(row, star, strict=True))]
                for i, (row, one) in enumerate(zip(whole, star, strict=True))
            ]
        for row in whole:
            row[node] = Fraction(0)
        whole[node] = [Fraction(0)] * len(whole)
    tiny = float(np.finfo(np.float64).tiny)
    for u in range(3):
        assert leaked[u] == pytest.approx(float(whole[u][8]), rel=1e-12, abs=8 * tiny)
        for v in range(u):
            assert result[u, v] == pytest.approx(float(whole[u][v]), rel=1e-12, abs=8 * tiny)


def test_what_cannot_be_carried_is_refused() -> None:
    pair = sp.csr_array(np.array([[0, 1e308], [1e308, 0]]) / 4)
    with pytest.raises(ValueError, match=r"edge_weight and ground must have a finite sum \(got inf\)"):
        rlap.exact_schur(pair, keep=[0], ground=[1.5e308, 1.5e308])
    star = np.zeros((3, 3), dtype=np.float32)
    star[0, 1:] = star[1:, 0] = 3e38
    clique = rlap.exact_schur(sp.csr_array(star), keep=[1, 2])
    assert clique.dtype == np.float32
    assert np.isfinite(clique.data).all()
    double = np.full((4, 4), 2.5e38, dtype=np.float32)
    np.fill_diagonal(double, 0)
    merged = rlap.exact_schur(sp.csr_array(double), keep=[0, 1])  # 2.5e38 and twice 1.25e38 between them
    assert (merged.data == np.finfo(np.float32).max).all()


@pytest.mark.parametrize("dtype", [str, object, complex, "datetime64[s]", np.float32])
@pytest.mark.parametrize("word", ["keep", "eliminate"])
def test_an_empty_set_of_nodes_must_be_one_of_numbers(word: str, dtype: Any) -> None:
    for call in (rlap.exact_schur, rlap.randomized_schur, rlap.walk_schur):
        with pytest.raises(TypeError, match=f"{word} must hold integers"):
            call(KARATE.sparse, **{word: np.zeros(0, dtype=dtype)})
        call(KARATE.sparse, **{word: []})

"""`laplacian_solver` against dense and sparse direct solves."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import cg, spsolve

import rlap
from tests.graphs import KARATE, SMALL, Example, random_graph
from tests.oracles import Matrix, laplacian

GRAPHS = [*SMALL[:-1], KARATE, random_graph(60, 150, seed=9)]


def centred(b: Matrix, example: Example) -> Matrix:
    """What is left of b when its mean on every component is taken off."""
    _, component = connected_components(example.sparse, directed=False)
    return np.asarray(b - (np.bincount(component, b) / np.bincount(component))[component])


@pytest.mark.parametrize("example", GRAPHS, ids=str)
@pytest.mark.parametrize("node_order", ["degree", "random"])
@pytest.mark.parametrize("neighbor_order", ["asc", "desc", "random"])
def test_pseudo_inverse(example: Example, node_order: str, neighbor_order: str) -> None:
    """Connected and disconnected graphs, isolated nodes among them; b need not be in the range."""
    b = np.random.default_rng(1).normal(size=example.num_nodes)
    solver = rlap.laplacian_solver(example.sparse, node_order=node_order, neighbor_order=neighbor_order, rng=2)
    solution = solver(b, rtol=1e-12)
    expected = np.linalg.pinv(laplacian(example.dense)) @ b
    assert solution.converged
    assert solution.iterations <= example.num_nodes
    np.testing.assert_allclose(solution.x, expected, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("example", GRAPHS, ids=str)
def test_grounded(example: Example) -> None:
    ground = 0.1 + example.leak
    b = np.random.default_rng(3).normal(size=example.num_nodes)
    solution = rlap.laplacian_solver(example.sparse, ground=ground)(b, rtol=1e-12)
    direct = spsolve(sp.csc_array(laplacian(example.dense) + np.diag(ground)), b)
    assert solution.converged
    np.testing.assert_allclose(solution.x, direct, atol=1e-9 * np.abs(direct).max())


def test_ground_in_one_place_alone() -> None:
    ground = np.zeros(34)
    ground[5] = 0.01
    b = np.random.default_rng(4).normal(size=34)
    solution = rlap.laplacian_solver(KARATE.sparse, ground=ground)(b, rtol=1e-12)
    expected = np.linalg.solve(laplacian(KARATE.dense) + np.diag(ground), b)
    np.testing.assert_allclose(solution.x, expected, rtol=1e-7)


def test_a_component_without_ground_is_refused() -> None:
    disconnected = SMALL[3]
    with pytest.raises(ValueError, match=r"every component \(got none on that of node 1\)"):
        rlap.laplacian_solver(disconnected.sparse, ground=[1.0, 0, 0, 0, 0, 0])


def grid(side: int) -> sp.csr_array:
    """A grid whose weights spread over four orders of magnitude: hard for plain conjugate gradients."""
    line = sp.diags_array([np.ones(side - 1)], offsets=[1], shape=(side, side))
    upper = sp.coo_array(sp.kron(line, sp.eye_array(side)) + sp.kron(sp.eye_array(side), line))
    upper.data = 10.0 ** np.random.default_rng(5).uniform(-2, 2, size=upper.nnz)
    return sp.csr_array(upper + upper.T)


def test_the_factor_saves_iterations() -> None:
    adjacency = grid(50)
    solver = rlap.laplacian_solver(adjacency)
    b = np.random.default_rng(6).normal(size=adjacency.shape[0])
    b -= b.mean()
    solution = solver(b)
    plain = 0

    def count(_: object) -> None:
        nonlocal plain
        plain += 1

    cg(solver.laplacian, b, rtol=1e-8, maxiter=5000, callback=count)
    assert solution.converged
    assert solution.iterations * 10 < plain


def test_the_residual_is_that_of_the_solution() -> None:
    adjacency = grid(20)
    degree = np.asarray(adjacency.sum(axis=1)).ravel()
    full = sp.csr_array(sp.diags_array(degree) - adjacency)
    b = np.random.default_rng(7).normal(size=400)
    b -= b.mean()
    for rtol in (1e-2, 1e-6, 1e-10):
        solution = rlap.laplacian_solver(adjacency)(b, rtol=rtol)
        residual = float(np.linalg.norm(b - full @ solution.x) / np.linalg.norm(b))
        assert solution.residual == pytest.approx(residual, rel=1e-3)
        assert residual <= 2 * rtol
        assert abs(solution.x.mean()) < 1e-9 * np.abs(solution.x).max()


def test_giving_up_is_said() -> None:
    solution = rlap.laplacian_solver(grid(20))(np.arange(400.0), rtol=1e-12, maxiter=2)
    assert not solution.converged
    assert solution.iterations == 2
    assert solution.residual > 1e-12


def test_nothing_to_solve() -> None:
    solution = rlap.laplacian_solver(KARATE.sparse)(np.ones(34))
    np.testing.assert_array_equal(solution.x, np.zeros(34))
    assert (solution.iterations, solution.converged) == (0, True)


@pytest.mark.parametrize(
    ("b", "message"),
    [
        (np.zeros(33), r"the shape \(34,\) \(got \(33,\)\)"),
        (np.full(34, np.nan), r"b must be finite \(got nan\)"),
        (np.full(34, np.inf), r"b must be finite \(got inf\)"),
    ],
)
def test_bad_right_hand_sides(b: Matrix, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rlap.laplacian_solver(KARATE.sparse)(b)


def test_same_seed_same_solution() -> None:
    b = np.arange(34.0)
    first, again = (rlap.laplacian_solver(KARATE.sparse, rng=8)(b) for _ in range(2))
    np.testing.assert_array_equal(first.x, again.x)


@pytest.mark.parametrize("example", GRAPHS, ids=str)
def test_the_part_out_of_reach_is_taken_off(example: Example) -> None:
    b = np.random.default_rng(9).normal(size=example.num_nodes)
    solver = rlap.laplacian_solver(example.sparse)
    np.testing.assert_allclose(laplacian(example.dense) @ solver(b, rtol=1e-12).x, centred(b, example), atol=1e-9)

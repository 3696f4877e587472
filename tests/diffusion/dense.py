"""The closed forms, in dense matrices, and what a sparse diffusion promises against them."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
ALPHA, TIME, STEPS = 0.2, 3.0, 10
SERIES = ("ppr", "heat", "markov")
TRANSITIONS = ("random-walk", "symmetric")


def transition_matrix(adjacency: Matrix, transition: str, self_loops: bool) -> Matrix:
    """T, with an empty column for an isolated node."""
    weights = adjacency + np.eye(len(adjacency)) if self_loops else adjacency
    degree = weights.sum(axis=0)
    inverse = np.divide(1.0, degree, out=np.zeros_like(degree), where=degree > 0)
    if transition == "symmetric":
        return np.sqrt(inverse)[:, None] * weights * np.sqrt(inverse)
    return weights * inverse


def closed_form(series: str, transition: Matrix) -> Matrix:
    identity = np.eye(len(transition))
    if series == "ppr":
        return np.asarray(ALPHA * scipy.linalg.inv(identity - (1 - ALPHA) * transition))
    if series == "heat":
        return np.asarray(scipy.linalg.expm(TIME * transition - TIME * identity))
    powers = sum(np.linalg.matrix_power(transition, k) for k in range(1, STEPS + 1))
    return np.asarray(ALPHA * identity + (1 - ALPHA) / STEPS * powers)


def spectral_function(series: str, values: Matrix) -> Matrix:
    """What the series makes of an eigenvalue of T."""
    if series == "ppr":
        return np.asarray(ALPHA / (1 - (1 - ALPHA) * values))
    if series == "heat":
        return np.asarray(np.exp(TIME * values - TIME))
    return np.asarray(ALPHA + (1 - ALPHA) / STEPS * sum(values**k for k in range(1, STEPS + 1)))


def assert_promise(result: Any, exact: Matrix, eps: float, tol: float) -> None:
    """Entries kept are right to tol, all above eps + tol are kept, and none below eps - tol.

    The exact matrix has an error of its own, below 1e-12 for the sizes and condition numbers here.
    """
    assert isinstance(result, sp.csr_array)
    assert result.shape == exact.shape
    rows = np.repeat(np.arange(len(exact)), np.diff(result.indptr))
    places = rows * len(exact) + result.indices
    assert (np.diff(places) > 0).all(), "columns must be sorted and differ"
    kept = np.zeros(exact.shape, dtype=bool)
    kept[rows, result.indices] = True
    own = 1e-12
    assert np.abs(result.data - exact[kept]).max(initial=0) <= tol + own
    assert exact[~kept].max(initial=0) <= eps + tol + own
    assert exact[kept].min(initial=np.inf) >= eps - tol - own


@cache
def random_graph(nodes: int = 240, seed: int = 3) -> Matrix:
    """Weights over six orders of magnitude, isolated nodes, pairs, and a dense part: nothing is regular."""
    rng = np.random.default_rng(seed)
    weights = np.zeros((nodes, nodes))
    part = nodes * 3 // 4
    for _ in range(4 * nodes):
        u, v = rng.integers(part, size=2)
        weights[u, v] = 10.0 ** rng.uniform(-3, 3)
    dense = rng.choice(part, size=40, replace=False)
    weights[np.ix_(dense, dense)] += rng.random((40, 40))
    for u in range(part, nodes - 20, 2):  # pairs; the last twenty nodes are isolated
        weights[u, u + 1] = rng.random()
    weights = np.triu(weights, 1)
    return weights + weights.T


def star(leaves: int) -> sp.csr_array:
    hub, ends = np.zeros(leaves, dtype=np.int64), np.arange(1, leaves + 1)
    row, col = np.concatenate([hub, ends]), np.concatenate([ends, hub])
    return sp.csr_array((np.ones(2 * leaves), (row, col)), shape=(leaves + 1, leaves + 1))


def diffused_star(series: str, transition: str, leaves: int) -> Matrix:
    """The symmetric T of a star has the eigenvalues 1 and -1, with (1, +-1/sqrt(n), ...) / sqrt(2), and 0."""
    none, up, down = spectral_function(series, np.array([0.0, 1.0, -1.0]))
    exact = np.full((leaves + 1, leaves + 1), ((up + down) / 2 - none) / leaves)
    exact[0, 0] = (up + down) / 2
    exact[0, 1:] = exact[1:, 0] = (up - down) / 2 / np.sqrt(leaves)
    exact[np.arange(1, leaves + 1), np.arange(1, leaves + 1)] += none
    if transition == "random-walk":
        exact[0, 1:] *= np.sqrt(leaves)
        exact[1:, 0] /= np.sqrt(leaves)
    return exact


def cora() -> sp.csr_array:
    """The citation graph, from PyG's raw files under the folder that RLAP_DATA names."""
    folder = os.environ.get("RLAP_DATA")
    if not folder or not (Path(folder) / "Cora").exists():
        pytest.skip("RLAP_DATA names no folder with Cora")
    datasets = pytest.importorskip("torch_geometric.datasets")
    graph = datasets.Planetoid(folder, "Cora")[0]
    row, col = graph.edge_index.numpy()
    return sp.csr_array((np.ones(row.size), (row, col)), shape=(graph.num_nodes, graph.num_nodes))

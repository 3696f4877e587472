"""One elimination of a small graph against dense matrices."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from torch_geometric.data import Data

from rlap import datasets
from rlap.experiments import spectral
from rlap.experiments.kinds import Bench
from rlap.experiments.spectral import compute, spectral_job
from rlap.schur import schur_path
from rlap.schur.deviation import deviation_bound, track_deviation

FRACTIONS = [0.0, 0.2, 0.5]
NODES = 60


@pytest.fixture
def graph(monkeypatch):
    rng = np.random.default_rng(3)
    upper = np.triu(rng.random((NODES, NODES)) < 0.12, 1)
    upper[np.arange(NODES - 1), np.arange(1, NODES)] = True  # connected
    adjacency = (upper | upper.T).astype(float)
    data = Data(edge_index=torch.from_numpy(np.stack(np.nonzero(adjacency))), num_nodes=NODES)
    monkeypatch.setattr(spectral.datasets, "load", lambda *_, **__: SimpleNamespace(level="node", data=data))
    return adjacency


def run(variant, seed=0, **settings):
    job = spectral_job("digits", variant, seed, {"fractions": FRACTIONS, "exact_fractions": [0.5], **settings})
    return compute(job, Bench(None, None, lambda fraction, words: None))


def norm(matrix):
    return np.abs(np.linalg.eigvalsh(matrix)).max()


@pytest.mark.parametrize("variant", ["rLap-rand-desc", "rLap-deg-rand", "VertexCoarsening", "WalkSchur"])
def test_spectra_and_edges(graph, variant):
    orders = {"rLap-rand-desc": {"neighbor_order": "desc"}, "VertexCoarsening": {"coarsen": True}}
    orders["rLap-deg-rand"] = {"node_order": "degree", "neighbor_order": "random"}
    result = run(variant, seed=5)
    if variant == "WalkSchur":
        assert result["edges"][0] == graph.sum() / 2
        np.testing.assert_allclose(result["sigma_max"][0], norm(np.diag(graph.sum(0)) - graph), rtol=1e-9)
        return
    views = [view.toarray() for view in schur_path(sp.csr_array(graph), FRACTIONS, rng=5, **orders[variant])]
    assert result["edges"] == [np.count_nonzero(view) // 2 for view in views]
    laplacians = [norm(np.diag(view.sum(axis=0)) - view) for view in views]
    np.testing.assert_allclose(result["sigma_max"], laplacians, rtol=1e-9)
    np.testing.assert_allclose(result["sigma_max_adjacency"], [norm((view > 0) * 1.0) for view in views], rtol=1e-9)
    assert ("deviation" in result) == variant.startswith("rLap")


def test_deviation_and_bound_belong_to_the_same_elimination(graph):
    result = run("rLap-rand-asc", seed=2)
    until = track_deviation(sp.csr_array(graph), steps=[12, 30], fraction=0.5, rng=2)
    np.testing.assert_allclose(result["deviation"], until.deviation, rtol=1e-9)
    np.testing.assert_allclose(result["sigma_max"], until.sigma_max, rtol=1e-9)  # the path is that elimination
    assert result["bound"][1] == pytest.approx(bound_of_first(until, 12), rel=1e-3)
    assert result["bound"][2] == pytest.approx(deviation_bound(until, 0.05), rel=1e-6)
    assert result["edgewise_bound"] == deviation_bound(until, 0.05, corrector="edgewise")
    assert all(low <= high for low, high in zip(result["deviation"], result["bound"], strict=True))
    assert run("rLap-deg-asc")["bound"] is None


def bound_of_first(run, steps):
    """The paper's bound on the first steps: (log(2 N / 0.05) + sum_j g_j B_R) / theta, at the best of many theta."""
    remainder, clique, choices = (
        getattr(run.bounds, name)[:steps, None] for name in ("remainder", "clique", "choices")
    )
    theta = np.geomspace(1e-6, 3 / clique.max() * (1 - 1e-9), 20_000)[None]
    exponent = remainder * clique * theta**2 / (2 * (1 - clique * theta / 3))
    with np.errstate(over="ignore"):
        corrector = (2 / choices * np.expm1(exponent)).sum(axis=0)
    return ((np.log(2 * NODES / 0.05) + corrector) / theta[0]).min()


def dense_schur(adjacency, keep):
    laplacian = np.diag(adjacency.sum(axis=0)) - adjacency
    gone = np.setdiff1d(np.arange(NODES), keep)
    inner = laplacian[np.ix_(gone, gone)]
    return laplacian[np.ix_(keep, keep)] - laplacian[np.ix_(keep, gone)] @ np.linalg.solve(
        inner, laplacian[np.ix_(gone, keep)]
    )


def test_bias_against_a_dense_schur_complement(graph):
    [one] = run("rLap-rand-asc", seed=4)["exact"]
    view = schur_path(sp.csr_array(graph), [0.5], rng=4)[0].toarray()
    keep = np.flatnonzero(view.sum(axis=0))
    assert keep.size == NODES // 2
    assert one["ratio"] == pytest.approx(view.sum() / np.trace(dense_schur(graph, keep)), rel=1e-9)
    ratios = np.array([[pair["ratio"], pair["walks_ratio"]] for seed in range(60) for pair in run_exact(seed)])
    mean, error = ratios.mean(axis=0), ratios.std(axis=0, ddof=1) / np.sqrt(len(ratios))
    assert mean[0] < 1 - 3 * error[0]  # elimination loses weight
    assert abs(mean[1] - 1) < 4 * error[1]  # walks do not
    [walks] = run("WalkSchur", seed=4)["exact"]
    assert walks["ratio"] == walks["walks_ratio"]
    assert run("rLap-rand-asc", exact_bytes=1)["exact"] == [{"fraction": 0.5, "ratio": None, "walks_ratio": None}]


def run_exact(seed):
    job = spectral_job("digits", "rLap-rand-asc", seed, {"fractions": FRACTIONS, "exact_fractions": [0.5]})
    adjacency = spectral.read_graph("digits", Bench(None, None, lambda fraction, words: None))
    return [spectral._compare(adjacency, job, 0.5)]


def test_a_graph_set_is_no_graph():
    with pytest.raises(ValueError, match="must be one graph"):
        spectral.read_graph("families", Bench(None, None, lambda fraction, words: None))
    assert datasets.load("families").level == "graph"

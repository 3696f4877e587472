"""Jobs of the kind "spectral": what happens to a graph along one elimination."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import aslinearoperator

from rlap import datasets
from rlap.experiments.job import Job
from rlap.experiments.kinds import Bench
from rlap.schur import exact_schur, schur_path, walk_schur
from rlap.schur.deviation import Deviation, deviation_bound, sigma_max, track_deviation
from rlap.schur.deviation.spectrum import spectral_norm

_NODE_ORDERS = {"rand": "random", "deg": "degree"}
_NEIGHBOR_ORDERS = {"asc": "asc", "desc": "desc", "rand": "random"}
_WALKS = "WalkSchur"
_COARSENING = "VertexCoarsening"
_PROBABILITY = 0.05
SETTINGS: Mapping[str, Any] = {
    "fractions": [round(0.05 * step, 2) for step in range(11)],
    "exact_fractions": [0.1, 0.25, 0.5],
    "exact_bytes": 2**26,  # above, the exact Schur complement is left out: it is dense, and takes minutes
}


def spectral_job(dataset: str, variant: str, seed: int, settings: Mapping[str, Any] | None = None) -> Job:
    """Describe one elimination of a data set's graph.

    `variant` is rLap-rand-asc and the like, VertexCoarsening, or WalkSchur.

    Example:
        >>> spectral_job("Cora", "rLap-deg-asc", seed=0).dataset
        'CORA'
    """
    name = datasets.registry.canonical(dataset)
    return Job("spectral", name, "spectral", variant, seed=seed, settings={**SETTINGS, **(settings or {})})


def compute(job: Job, bench: Bench) -> dict[str, Any]:
    """Follow one elimination and measure it at every fraction.

    The result has, for each of `fractions`, the undirected `edges` of R_i, `sigma_max` of its Laplacian, and
    `sigma_max_adjacency`, of its adjacency matrix without weights (which is what the paper's scripts plot). For the
    variants of rLap there is also `deviation`, ||L_i - L||, and what it stays below with a probability of 0.95: the
    paper's `bound` at every fraction (only for a random node order, which it assumes), and `edgewise_bound` at the
    last. `exact` compares total weights with those of the exact Schur complement onto the same nodes: `ratio` of this
    variant, and `walks_ratio` of terminal random walks; None where the exact one is too dense.
    """
    adjacency = read_graph(job.dataset, bench)
    fractions = [float(one) for one in job.settings["fractions"]]
    views = dict(zip(fractions, _views(adjacency, job, fractions), strict=True))
    result: dict[str, Any] = {"fractions": fractions, "edges": [view.nnz // 2 for view in views.values()]}
    values: dict[str, list[float]] = {"sigma_max": [], "sigma_max_adjacency": []}
    for number, view in enumerate(views.values()):
        bench.watch(number / (len(fractions) + 1), "spectra")
        values["sigma_max"].append(sigma_max(view))
        values["sigma_max_adjacency"].append(_adjacency_norm(view))
    bench.watch(len(fractions) / (len(fractions) + 1), "deviation and bias")
    result |= values
    if job.augmentor not in (_WALKS, _COARSENING):
        result |= _deviation(adjacency, job, fractions)
    result["exact"] = [_compare(adjacency, job, float(one)) for one in job.settings["exact_fractions"]]
    return result


def read_graph(name: str, bench: Bench) -> sp.csr_array:
    """Read the graph of a node set, without weights."""
    dataset = datasets.load(name, bench.folder, sparse_features=True)
    if dataset.level != "node":
        raise ValueError(f"the data set must be one graph (got {name})")
    nodes, edges = dataset.data.num_nodes, dataset.data.edge_index.numpy()
    graph = sp.csr_array((np.ones(edges.shape[1]), (edges[0], edges[1])), shape=(nodes, nodes))
    graph.data[:] = 1.0
    return graph


def _views(adjacency: sp.csr_array, job: Job, fractions: list[float]) -> list[Any]:
    if job.augmentor == _WALKS:
        return [walk_schur(adjacency, fraction=one, rng=job.seed) for one in fractions]
    return schur_path(adjacency, fractions, rng=job.seed, **_orders(job.augmentor))


def _orders(variant: str) -> dict[str, Any]:
    if variant == _COARSENING:
        return {"coarsen": True}
    _, node, neighbor = ("rLap-rand-asc" if variant == "rLap" else variant).split("-")
    return {"node_order": _NODE_ORDERS[node], "neighbor_order": _NEIGHBOR_ORDERS[neighbor]}


def _adjacency_norm(view: sp.csr_array) -> float:
    ones = sp.csr_array((np.ones(view.nnz), view.indices, view.indptr), shape=view.shape)
    return spectral_norm(aslinearoperator(ones), 1.0)


def _deviation(adjacency: sp.csr_array, job: Job, fractions: list[float]) -> dict[str, Any]:
    steps = [int(np.floor(one * adjacency.shape[0])) for one in fractions]
    orders = _orders(job.augmentor)
    run = track_deviation(adjacency, steps=steps, fraction=max(fractions), rng=job.seed, **orders)
    deviation = dict(zip(run.eliminated.tolist(), run.deviation.tolist(), strict=True))
    bounds = [deviation_bound(_until(run, step), _PROBABILITY) for step in steps] if run.uniform else None
    return {
        "deviation": [deviation[step] for step in steps],
        "bound": bounds,
        "edgewise_bound": deviation_bound(run, _PROBABILITY, corrector="edgewise"),
    }


def _until(run: Deviation, step: int) -> Deviation:
    """Give the run up to a step; the composite corrector looks at single steps, so it may be cut."""
    whole = run.bounds
    cut = replace(whole, remainder=whole.remainder[:step], clique=whole.clique[:step], choices=whole.choices[:step])
    return replace(run, bounds=cut)


def _compare(adjacency: sp.csr_array, job: Job, fraction: float) -> dict[str, Any]:
    [view] = _views(adjacency, job, [fraction])
    # A node without edges is gone, or it is alone in its component and has no weight in any Schur complement. Walks
    # may leave a node without edges that is there; they choose the nodes that a random order eliminates.
    chosen = schur_path(adjacency, [fraction], rng=job.seed)[0] if job.augmentor == _WALKS else view
    keep = np.flatnonzero(np.diff(chosen.indptr))
    compared = {"fraction": fraction, "ratio": None, "walks_ratio": None}
    try:
        exact = exact_schur(adjacency, keep=keep, max_bytes=int(job.settings["exact_bytes"])).sum()
    except MemoryError:
        return compared
    walks = view if job.augmentor == _WALKS else walk_schur(adjacency, keep=keep, rng=job.seed)
    if exact > 0:
        compared |= {"ratio": float(view.sum() / exact), "walks_ratio": float(walks.sum() / exact)}
    return compared

"""PPR and a sub-graph, against rLap, PPR and a sub-graph: memory, time, edges and the error that rLap brings."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import NDArray

import rlap.transforms as transforms
from rlap import datasets
from rlap.adapters.pyg import BatchRecord, find_relations, leave_nodes
from rlap.datasets import Folder
from rlap.experiments.overheads.exact_ppr import errors, exact_columns
from rlap.experiments.overheads.isolation import Outcome, run_alone
from rlap.experiments.overheads.measure import Measurement, measure_transform
from rlap.experiments.overheads.store import ResultFile
from rlap.experiments.overheads.suite import MEASURED, quartiles

PPR, SHORTCUT, GROUNDED = "PPR", "shortcut", "grounded"  # the last two reduce the graph by rLap first
SAMPLES = 10  # sub-graphs whose edges are counted


@dataclass(frozen=True)
class PPRTask:
    """What to measure; gamma is the share of nodes that rLap eliminates, and 0 for PPR alone."""

    dataset: str
    method: str
    gamma: float
    folder: Folder = None
    alpha: float = 0.2
    size: int = 8192
    columns: int = 64
    runs: int = 3
    seed: int = 0


@dataclass(frozen=True)
class PPRRow:
    """A row of the comparison.

    `edges` counts the entries of the whole matrix, `subgraph_edges` those of a sub-graph of `size` nodes, as a mean.
    `error` and `absolute_error` are those of `exact_ppr.errors`, on `columns` random columns.
    """

    dataset: str
    method: str
    gamma: float
    alpha: float
    size: int
    columns: int
    runs: int
    seed: int
    status: str
    memory_mb: float | None = None
    seconds: float | None = None
    seconds_lower: float | None = None
    seconds_upper: float | None = None
    edges: float | None = None
    subgraph_edges: float | None = None
    error: float | None = None
    absolute_error: float | None = None


@dataclass(frozen=True)
class Comparison:
    """What was found in a process of its own."""

    measurement: Measurement
    edges: int
    subgraph_edges: float
    error: float
    absolute_error: float


class Subgraph:
    """Keep a random sub-graph of `size` of the nodes that are still there, as `rlap.transforms.PPRSubgraph` does."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __call__(self, data: Any) -> Any:
        """Take the edges of all other nodes away, in a copy."""
        data = copy.copy(data)
        there = data.node_mask.nonzero().view(-1) if "node_mask" in data else torch.arange(data.num_nodes)
        kept = torch.zeros(data.num_nodes, dtype=torch.bool)
        kept[there[torch.randperm(len(there))[: self.size]]] = True
        leave_nodes(BatchRecord(data), data, find_relations(data)[0], kept, relabel=False)
        return data


def tasks(gammas: Sequence[float], **options: Any) -> list[PPRTask]:
    """List PPR alone, and both ways with rLap for every gamma.

    Example:
        >>> [(task.method, task.gamma) for task in tasks([0.5], dataset="digits")]
        [('PPR', 0.0), ('shortcut', 0.5), ('grounded', 0.5)]
    """
    pairs = [(method, gamma) for gamma in gammas for method in (SHORTCUT, GROUNDED)]
    return [PPRTask(method=method, gamma=gamma, **options) for method, gamma in [(PPR, 0.0), *pairs]]


def node_order(num_nodes: int, seed: int) -> NDArray[np.int64]:
    """Order the nodes at random: the first are eliminated, so that what a larger gamma keeps, a smaller one does too.

    The last ones are kept by all, and name the columns on which the error is computed.
    """
    return np.random.default_rng(seed).permutation(num_nodes)


def exact(task: PPRTask) -> NDArray[np.float64]:
    """Compute the exact columns that all tasks of a comparison are measured against."""
    data = _load(task)
    last = node_order(data.num_nodes, task.seed)[-task.columns :]
    return exact_columns(data.edge_index.numpy(), data.num_nodes, last, task.alpha)


def compare(task: PPRTask, truth: NDArray[np.float64]) -> Comparison:
    """Measure one way; to be called in a process of its own."""
    torch.manual_seed(task.seed)
    data = _load(task)
    subgraph = Subgraph(task.size)
    diffuse = _diffusion(task, fraction=task.gamma)
    measurement = measure_transform(lambda graph: subgraph(diffuse(graph)), [data], task.runs)
    order = node_order(data.num_nodes, task.seed)
    kept = np.sort(order[int(task.gamma * len(order)) :])
    view = _diffusion(task, keep=kept, seed=task.seed)(data)
    found = sp.csr_array(
        (view.edge_weight.numpy(), tuple(view.edge_index.numpy())), shape=(data.num_nodes, data.num_nodes)
    )
    return Comparison(
        measurement,
        view.num_edges,
        float(np.mean([subgraph(view).num_edges for _ in range(SAMPLES)])),
        *errors(found, truth, kept, order[-task.columns :]),
    )


def open_comparison(path: Path | None, task: PPRTask) -> ResultFile[PPRRow]:
    """Take up the results in a file, if there are any, that were made with the same options as this task."""
    settings = {name: getattr(task, name) for name in ("dataset", "alpha", "size", "columns", "runs", "seed")}
    return ResultFile(path, PPRRow, key=("method", "gamma"), settings=settings)


def take_up_ppr(task: PPRTask, truth: NDArray[np.float64], results: ResultFile[PPRRow]) -> PPRRow:
    """Give the row of a task: from the results, or measured now and added to them."""
    known = results.find(task.method, task.gamma)
    if known is not None and known.status == MEASURED:
        return known
    row = _to_row(task, run_alone(compare, task, truth))
    results.add(row)
    return row


def _to_row(task: PPRTask, outcome: Outcome[Comparison]) -> PPRRow:
    words = (task.dataset, task.method, task.gamma, task.alpha, task.size, task.columns, task.runs, task.seed)
    if outcome.result is None:
        return PPRRow(*words, outcome.problem)
    found = outcome.result
    lower, middle, upper = quartiles(found.measurement.seconds)
    return PPRRow(
        *words,
        MEASURED,
        memory_mb=found.measurement.memory / 1e6,
        seconds=middle,
        seconds_lower=lower,
        seconds_upper=upper,
        edges=found.edges,
        subgraph_edges=found.subgraph_edges,
        error=found.error,
        absolute_error=found.absolute_error,
    )


def _diffusion(task: PPRTask, **which: Any) -> Any:
    if task.method == PPR:
        return transforms.PPRDiffusion(task.alpha)
    return transforms.RLapPPR(alpha=task.alpha, grounded=task.method == GROUNDED, **which)


def _load(task: PPRTask) -> Any:
    loaded = datasets.load(task.dataset, task.folder)
    if not isinstance(loaded, datasets.NodeSet):
        raise ValueError(f"the data set must be one graph (got the graph set {task.dataset})")
    return loaded.data

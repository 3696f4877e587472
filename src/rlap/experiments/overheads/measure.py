"""One measurement: the memory and the time that one augmentor needs for one data set."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch_geometric.data import Batch, Data

from rlap import datasets
from rlap.datasets import Folder
from rlap.experiments.overheads.augmentors import make
from rlap.experiments.overheads.memory import peak_growth
from rlap.transforms.content_cache import clear_caches

BATCH = 128  # graphs, as in the paper


@dataclass(frozen=True)
class Task:
    """What to measure."""

    dataset: str
    augmentor: str
    folder: Folder = None
    perturbation: float = 0.5
    runs: int = 10
    seed: int = 0


@dataclass(frozen=True)
class Measurement:
    """What was measured.

    Attributes:
        memory: bytes by which the resident size peaked above where it stood, in the first call of a fresh process.
        seconds: of every run, when nothing is remembered from a run before.
        cached: of every run, when the run before was on the same graphs; None for augmentors that remember nothing.
    """

    memory: int
    seconds: tuple[float, ...]
    cached: tuple[float, ...] | None


@dataclass(frozen=True)
class Size:
    """How large a data set is; edges count in both directions."""

    level: str
    graphs: int
    nodes: int
    edges: int


def describe(name: str, folder: Folder = None) -> Size:
    """Load a data set and say how large it is.

    Example:
        >>> describe("digits").nodes
        1797
    """
    loaded = datasets.load(name, folder)
    graphs = [loaded.data] if isinstance(loaded, datasets.NodeSet) else loaded.graphs
    nodes, edges = sum(one.num_nodes for one in graphs), sum(one.num_edges for one in graphs)
    return Size(loaded.level, len(graphs), nodes, edges)


def load_batches(name: str, folder: Folder = None) -> list[Any]:
    """Load a data set as what an augmentor is given: a single graph, or batches of 128, in the order of the files.

    Example:
        >>> [batch.num_graphs for batch in load_batches("families")]
        [128, 128, 44]
    """
    loaded = datasets.load(name, folder)
    if isinstance(loaded, datasets.NodeSet):
        return [loaded.data]
    return [Batch.from_data_list(loaded.graphs[at : at + BATCH]) for at in range(0, len(loaded.graphs), BATCH)]


def measure(task: Task) -> Measurement:
    """Measure an augmentor; to be called in a process of its own, since it counts what the process grows by.

    All batches of the data set are augmented one after the other, and only one view is held at a time.
    """
    torch.manual_seed(task.seed)
    return measure_transform(
        make(task.augmentor, task.perturbation), load_batches(task.dataset, task.folder), task.runs
    )


def measure_transform(transform: Callable[[Any], Any], batches: Sequence[Any], runs: int) -> Measurement:
    """Measure any transform on graphs that are loaded.

    Example:
        >>> from rlap.transforms import EdgeDropping
        >>> measurement = measure_transform(EdgeDropping(0.5), load_batches("families"), runs=3)
        >>> len(measurement.seconds), measurement.cached
        (3, None)
    """
    transform(_small())  # imports, and threads that wait for work, are no part of an augmentation
    clear_caches()
    memory, _ = peak_growth(lambda: _sweep(transform, batches))
    remembers = clear_caches() > 0
    seconds = []
    for _ in range(runs):
        clear_caches()
        seconds.append(_timed(transform, batches))
    cached = tuple(_timed(transform, batches) for _ in range(runs)) if remembers else None
    return Measurement(memory, tuple(seconds), cached)


def _small() -> Data:
    nodes = torch.arange(16)
    following = nodes.roll(-1)
    edge_index = torch.stack([torch.cat([nodes, following]), torch.cat([following, nodes])])
    return Data(x=torch.ones(16, 2), edge_index=edge_index)


def _sweep(transform: Callable[[Any], Any], batches: Sequence[Any]) -> Any:
    view = None
    for batch in batches:
        view = transform(batch)
    return view


def _timed(transform: Callable[[Any], Any], batches: Sequence[Any]) -> float:
    begin = time.perf_counter()
    view = _sweep(transform, batches)
    seconds = time.perf_counter() - begin
    del view  # only now: to give memory back is no part of an augmentation
    return seconds

"""The native core. Arrays are checked for shape, type and range; words are turned into enums by the callers."""

import enum
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

class NodeOrder(enum.Enum):
    random = ...
    degree = ...
    given = ...

class NeighborOrder(enum.Enum):
    asc = ...
    desc = ...
    random = ...
    coarsen = ...

# edge_index (2, E) int64, weight (E,) float32 or float64, node_mask (N,) bool, ground (N,) float64 or None
View = tuple[NDArray[np.int64], NDArray[np.floating], NDArray[np.bool_], NDArray[np.float64] | None]

class Graph:
    def __init__(
        self,
        row: NDArray[np.integer],
        col: NDArray[np.integer],
        weight: NDArray[np.floating] | None,
        num_nodes: int,
        ptr: NDArray[np.int64],
        symmetrize: bool = False,
        threads: int = 1,
        least_edges: int = ...,
    ) -> None: ...
    @property
    def num_nodes(self) -> int: ...
    @property
    def num_edges(self) -> int: ...
    @property
    def num_graphs(self) -> int: ...
    def rows(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64] | None]: ...

class Columns:
    @property
    def node(self) -> NDArray[np.int32]: ...
    @property
    def total(self) -> NDArray[np.float64]: ...
    @property
    def begin(self) -> NDArray[np.int64]: ...
    @property
    def neighbor(self) -> NDArray[np.int32]: ...
    @property
    def weight(self) -> NDArray[np.float64]: ...
    def solve(self, b: NDArray[np.float64]) -> NDArray[np.float64]: ...

def eliminate(
    graph: Graph,
    count: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    nodes: NDArray[np.int32] | None,
    begin: NDArray[np.int64] | None,
    node_order: NodeOrder,
    neighbor_order: NeighborOrder,
    ground: NDArray[np.float64] | None,
    relabel: bool,
    single: bool,
    threads: int,
    least_edges: int = ...,  # both directions counted, from which threads share the work within a graph
) -> list[View]: ...
def eliminate_tracked(
    graph: Graph,
    count: NDArray[np.int64],
    seed: int,
    nodes: NDArray[np.int32] | None,
    begin: NDArray[np.int64] | None,
    node_order: NodeOrder,
    neighbor_order: NeighborOrder,
    ground: NDArray[np.float64] | None,
    stops: Sequence[int],
    columns: bool,
    single: bool,
) -> tuple[View, list[View], Columns]: ...
def walk(
    graph: Graph,
    keep: NDArray[np.bool_],
    seed: int,
    ground: NDArray[np.float64] | None,
    relabel: bool,
    single: bool,
    threads: int,
    least_edges: int = ...,
) -> View: ...
def choose_kept(graph: Graph, count: NDArray[np.int64], seed: int) -> NDArray[np.bool_]: ...

# The rows of a sparse matrix: offsets (N + 1,), columns, values of float32 when `single`, else float64
Rows = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.floating]]

def degrees(graph: Graph) -> NDArray[np.float64]: ...
def eigenvector_centrality(graph: Graph) -> NDArray[np.float64]: ...
def pagerank(graph: Graph, alpha: float, tol: float) -> NDArray[np.float64]: ...

class Diffusion:
    def __init__(self, symmetric: bool, self_loops: bool, eps: float, tol: float, threads: int) -> None: ...

def diffuse_ppr(graph: Graph, alpha: float, diffusion: Diffusion, single: bool) -> Rows: ...

# of float32 when the largest scale / ground times `single` is at most the tolerance
def diffuse_grounded(
    graph: Graph, ground: NDArray[np.float64], scale: NDArray[np.float64], diffusion: Diffusion, single: float
) -> Rows: ...
def diffuse_series(
    graph: Graph, coefficient: Sequence[float], tail: float, diffusion: Diffusion, single: bool
) -> Rows: ...
def walk_restarting(
    graph: Graph, start: NDArray[np.int32], steps: int, restart: float, uniform: bool, seed: int, threads: int
) -> NDArray[np.int64]: ...
def visit_restarting(
    graph: Graph, start: NDArray[np.int32], steps: int, restart: float, uniform: bool, seed: int, threads: int
) -> NDArray[np.bool_]: ...
def coin_starts(seed: int, graphs: int) -> NDArray[np.uint64]: ...
def coins(
    key: NDArray[np.uint64], graph: NDArray[np.int64] | None, start: NDArray[np.uint64]
) -> NDArray[np.float64]: ...

# places of the edges that stay, and their ends, of the shape (2, k)
Staying = tuple[NDArray[np.int64], NDArray[np.int64]]

def drop_edges(
    index: NDArray[np.int64],
    first: NDArray[np.int64],
    start: NDArray[np.uint64],
    directed: bool,
    least: int,
    leasts: NDArray[np.int64] | None,
    threads: int,
) -> Staying: ...
def edges_between(
    index: NDArray[np.int64], row_stays: NDArray[np.bool_] | None, col_stays: NDArray[np.bool_] | None, threads: int
) -> Staying: ...
def fingerprint(array: NDArray[Any], threads: int) -> int: ...
def fingerprints(array: NDArray[Any], bounds: NDArray[np.int64]) -> NDArray[np.uint64]: ...

# source, target, weight and filled of the edges that are left, each once, in the part's own numbers
PartEdges = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64], NDArray[np.bool_]]

def eliminate_part(
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    weight: NDArray[np.float64],
    filled: NDArray[np.bool_],
    id: NDArray[np.int64],
    order: NDArray[np.int32],
    neighbor_order: NeighborOrder,
    seed: int,
) -> PartEdges: ...

# step, place and length of every walk at its exit; place is the number of the exit
def walk_part(
    start: NDArray[np.int64],
    to: NDArray[np.int32],
    weight: NDArray[np.float64],
    key: NDArray[np.uint64],
    step: NDArray[np.int64],
    place: NDArray[np.int32],
    length: NDArray[np.float64],
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]: ...

# changes cluster, degree and volume
def cluster_edges(
    source: NDArray[np.int64],
    target: NDArray[np.int64],
    cluster: NDArray[np.int64],
    degree: NDArray[np.int32],
    volume: NDArray[np.int64],
    most: int,
    count: bool,
) -> None: ...

# writes to out
def drop_entries(
    entries: NDArray[Any], out: NDArray[Any], seed: int, begin: int, least: int, scale: float, threads: int
) -> None: ...

# writes to to_x, and gives the gradient of a slope for each column
def prelu_gradient(
    x: NDArray[Any], gradient: NDArray[Any], slope: NDArray[Any], to_x: NDArray[Any], threads: int
) -> NDArray[np.float64]: ...
def derive_seed(seed: int, view: int, graph: int) -> int: ...
def limit_kept_bytes(bytes: int) -> int: ...
def kept_bytes() -> int: ...

"""`prepare`: a graph that is checked once and used often."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rlap import _core
from rlap.schur.edges import check_num_nodes, check_ptr, read_edges
from rlap.schur.matrix import Adjacency, is_matrix, read_adjacency, register_reader
from rlap.schur.threads import check_num_threads


@dataclass(frozen=True, eq=False, repr=False)
class PreparedGraph:
    """A checked graph, as the core reads it. It cannot be changed, and any number of threads may use it at once.

    Args:
        adjacency: the graph, and how results are translated.
        ptr: where the nodes of every graph of a batch begin, and where the last ones end.
        weighted: whether it came with weights.
        origin: what an adapter needs to give results of the caller's kind; None means NumPy.
    """

    adjacency: Adjacency
    ptr: NDArray[np.int64]
    weighted: bool
    origin: Any = None

    @property
    def graph(self) -> _core.Graph:
        """The graph in the core."""
        return self.adjacency.graph

    @property
    def num_nodes(self) -> int:
        """The number of nodes."""
        return self.adjacency.num_nodes

    @property
    def num_edges(self) -> int:
        """The number of edges, both directions counted."""
        return self.graph.num_edges

    @property
    def nbytes(self) -> int:
        """The memory that it takes, in bytes."""
        start, neighbor, weight = self.graph.rows()
        return 2 * start.nbytes + neighbor.nbytes + (0 if weight is None else weight.nbytes) + self.ptr.nbytes

    def __repr__(self) -> str:
        graphs = f", num_graphs={len(self.ptr) - 1}" if len(self.ptr) > 2 else ""
        return f"PreparedGraph(num_nodes={self.num_nodes}, num_edges={self.num_edges}{graphs})"

    def __reduce__(self) -> tuple[Callable[..., PreparedGraph], tuple[Any, ...]]:
        bare = replace(self, adjacency=replace(self.adjacency, graph=None))  # type: ignore[arg-type]
        return _restore, (bare.adjacency, self.ptr, self.weighted, self.origin, *self.graph.rows())


def prepare(
    graph: Any,
    edge_weight: ArrayLike | None = None,
    *,
    num_nodes: int | None = None,
    ptr: ArrayLike | None = None,
    batch: ArrayLike | None = None,
    symmetrize: bool = False,
    num_threads: int = 0,
) -> PreparedGraph:
    """Check a graph and read it into the core, for functions that are called with it many times.

    Wherever a function of this package takes an edge list or an adjacency matrix, it takes the prepared graph instead,
    without `edge_weight`, `num_nodes`, `ptr`, `batch` and `symmetrize`, and gives the same bits.

    Args:
        graph: an `edge_index` of the shape (2, E), NumPy or torch; a SciPy sparse adjacency matrix; a NetworkX graph; a
            `torch_geometric.data.Data` or `Batch`. A prepared graph is given back as it is.
        edge_weight: positive weights, (E,), of an `edge_index`; None means 1.
        num_nodes: how many nodes there are; required with an `edge_index`.
        ptr: offsets of the graphs of a batch, (G + 1,).
        batch: or the graph of every node, (N,), sorted.
        symmetrize: give an edge without its reverse one, and take the mean of weights that differ by direction.
        num_threads: threads for reading a large graph; 0 means all processors.

    Returns:
        The prepared graph. It can be pickled; its arrays are copies, so later changes of the caller's do not touch it.

    Raises:
        TypeError: when the graph is of another kind, or `num_nodes` is missing.
        ValueError: when the graph breaks a rule of `rlap.schur_view`.

    Example:
        >>> import numpy as np, rlap
        >>> path = rlap.prepare(np.array([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3)
        >>> path
        PreparedGraph(num_nodes=3, num_edges=4)
        >>> rlap.schur_view(path, eliminate=[1], seed=0).edge_weight.tolist()
        [0.5, 0.5]
    """
    threads = check_num_threads(num_threads)
    if isinstance(graph, PreparedGraph) or is_matrix(graph):
        spare = {"edge_weight": edge_weight, "ptr": ptr, "batch": batch}
        for name, value in spare.items():
            if value is not None:
                raise ValueError(f"{name} goes with an edge_index, not with a {type(graph).__name__}")
        nodes = graph.num_nodes if isinstance(graph, PreparedGraph) else None
        if num_nodes is not None and num_nodes != nodes:
            raise ValueError(f"num_nodes is known from the graph: leave it out (got {num_nodes!r})")
        if isinstance(graph, PreparedGraph):
            return graph
        adjacency = read_adjacency(graph, symmetrize, threads)
        return PreparedGraph(adjacency, _offsets(adjacency.num_nodes, None, None), weighted=True)
    nodes = check_num_nodes(num_nodes)
    offsets = _offsets(nodes, ptr, batch)
    read = read_edges(graph, edge_weight, nodes, offsets, symmetrize, threads)
    single = edge_weight is not None and np.asarray(edge_weight).dtype in (np.float32, np.float16)
    return PreparedGraph(Adjacency(read, nodes, single), offsets, weighted=edge_weight is not None)


def _offsets(nodes: int, ptr: ArrayLike | None, batch: ArrayLike | None) -> NDArray[np.int64]:
    offsets = check_ptr(ptr, batch, nodes).copy()
    offsets.flags.writeable = False
    return offsets


def _restore(
    adjacency: Adjacency,
    ptr: NDArray[np.int64],
    weighted: bool,
    origin: Any,
    start: NDArray[np.int64],
    neighbor: NDArray[np.int32],
    weight: NDArray[np.float64] | None,
) -> PreparedGraph:
    row = np.repeat(np.arange(adjacency.num_nodes, dtype=np.int32), np.diff(start))
    graph = _core.Graph(row, neighbor, weight, adjacency.num_nodes, ptr)
    ptr.flags.writeable = False
    return PreparedGraph(replace(adjacency, graph=graph), ptr, weighted, origin)


def _read_prepared(graph: PreparedGraph, _: bool) -> Adjacency:
    if len(graph.ptr) > 2:
        raise ValueError(f"a function of one adjacency matrix takes one graph (got a batch of {len(graph.ptr) - 1})")
    return graph.adjacency


register_reader(lambda graph: isinstance(graph, PreparedGraph), _read_prepared)

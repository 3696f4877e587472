"""SciPy's sparse matrices in and out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from rlap import _core
from rlap.schur.coordinates import coordinates
from rlap.schur.edges import check_ground, read_edges
from rlap.schur.seeds import Seed, check_seed
from rlap.schur.selection import Selection, gone_mask, select
from rlap.schur.threads import check_num_threads

Sparse: TypeAlias = Any  # a SciPy sparse array or matrix, or what an adapter has registered a reader for


@dataclass(frozen=True)
class Adjacency:
    """A weighted adjacency matrix as the core reads it, and how arguments and results are translated."""

    graph: _core.Graph
    num_nodes: int
    single: bool
    legacy: bool = False  # the caller uses SciPy's matrices, not its arrays

    def number(self, nodes: ArrayLike | None) -> ArrayLike | None:
        """Turn the caller's names of nodes into numbers."""
        return nodes

    def check_ground(self, ground: ArrayLike | None) -> NDArray[np.float64] | None:
        """Turn the caller's weights to the ground into an array."""
        return check_ground(ground, self.num_nodes)

    def select(
        self,
        *,
        fraction: float | None,
        keep: ArrayLike | None,
        eliminate: ArrayLike | None,
        node_order: str | ArrayLike,
    ) -> Selection:
        """Select nodes by the caller's names."""
        return select(
            np.array([0, self.num_nodes], dtype=np.int64),
            fraction=fraction,
            keep=self.number(keep),
            eliminate=self.number(eliminate),
            node_order=node_order if isinstance(node_order, str) else self.number(node_order),  # type: ignore[arg-type]
        )

    def gone(self, keep: ArrayLike | None, eliminate: ArrayLike | None) -> NDArray[np.bool_] | None:
        """Say which nodes `keep` or `eliminate` send away; None when neither is given."""
        return gone_mask(self.num_nodes, self.number(keep), self.number(eliminate))

    def weights(self) -> sp.csr_array:
        """Give the checked adjacency matrix, in double precision."""
        nothing = np.zeros((1, 1), dtype=np.int64)
        (view,) = _core.eliminate(
            self.graph,
            nothing,
            np.zeros(1, dtype=np.uint64),
            None,
            None,
            _core.NodeOrder.random,
            _core.NeighborOrder.asc,
            None,
            False,
            False,
            1,
        )
        return to_csr(view[0], view[1], self.num_nodes)

    def wrap(self, view: _core.View) -> Any:
        """Turn a view into the caller's kind of graph, paired with the ground if there is one."""
        matrix = to_csr(view[0], view[1], self.num_nodes)
        kept = sp.csr_matrix(matrix) if self.legacy else matrix
        return kept if view[3] is None else (kept, view[3])


Reader: TypeAlias = Callable[[Any, bool], Adjacency]
_READERS: list[tuple[Callable[[Any], bool], Reader]] = []


def register_reader(matches: Callable[[Any], bool], read: Reader) -> None:
    """Let every function of an adjacency matrix take graphs of another kind: an adapter's one hook."""
    _READERS.append((matches, read))


def is_matrix(value: Any) -> bool:
    """Return whether functions of an adjacency matrix take this."""
    return sp.issparse(value) or any(matches(value) for matches, _ in _READERS)


def to_csr(edge_index: NDArray[np.int64], edge_weight: NDArray[np.floating], num_nodes: int) -> sp.csr_array:
    """Build the adjacency matrix of a sorted edge list."""
    indptr = np.searchsorted(edge_index[0], np.arange(num_nodes + 1))
    small = edge_index.shape[1] <= np.iinfo(np.int32).max
    width = np.int32 if small else np.int64
    matrix = sp.csr_array(
        (edge_weight, edge_index[1].astype(width), indptr.astype(width)), shape=(num_nodes, num_nodes)
    )
    matrix.has_canonical_format = True
    return matrix


def read_adjacency(adjacency: Sparse, symmetrize: bool = False, num_threads: int = 1) -> Adjacency:
    """Check a sparse adjacency matrix and read it into the core. Stored zeros are no edges."""
    for matches, read in _READERS:
        if matches(adjacency):
            return read(adjacency, symmetrize)
    if not sp.issparse(adjacency):
        kind = type(adjacency).__name__
        raise TypeError(f"the adjacency must be a SciPy sparse array or matrix (got {kind}; csr_array wraps an array)")
    if adjacency.ndim != 2 or adjacency.shape[0] != adjacency.shape[1]:
        raise ValueError(f"the adjacency must be square (got the shape {adjacency.shape})")
    if np.issubdtype(adjacency.dtype, np.complexfloating):
        raise TypeError(f"the adjacency must be real (got {adjacency.dtype})")
    row, col, weight = coordinates(adjacency)
    if weight.size and not weight.all():
        stored = weight != 0
        row, col, weight = row[stored], col[stored], weight[stored]
    single = weight.dtype in (np.float32, np.float16)
    nodes = int(adjacency.shape[0])
    graph = read_edges(np.stack([row, col]), weight, nodes, symmetrize=symmetrize, num_threads=num_threads)
    return Adjacency(graph, nodes, single, not isinstance(adjacency, sp.sparray))


def eliminate(
    adjacency: Sparse,
    neighbor_order: _core.NeighborOrder,
    *,
    fraction: float | None,
    keep: ArrayLike | None,
    eliminate: ArrayLike | None,
    node_order: str | ArrayLike,
    ground: ArrayLike | None,
    symmetrize: bool,
    rng: Seed,
    num_threads: int,
) -> Any:
    """Eliminate nodes of an adjacency matrix: what all ways of doing so share."""
    threads = check_num_threads(num_threads)
    source = read_adjacency(adjacency, symmetrize, threads)
    selection = source.select(fraction=fraction, keep=keep, eliminate=eliminate, node_order=node_order)
    (view,) = _core.eliminate(
        source.graph,
        selection.count[None],
        np.array([check_seed(rng, "rng")], dtype=np.uint64),
        selection.nodes,
        selection.begin,
        selection.order,
        neighbor_order,
        source.check_ground(ground),
        False,
        source.single,
        threads,
    )
    return source.wrap(view)

"""`schur_view`: an edge list in, randomized Schur complement views of it out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from rlap import _core
from rlap.schur.edges import check_ground, check_num_nodes, check_ptr
from rlap.schur.memory import bytes_needed, check_memory
from rlap.schur.prepared import PreparedGraph, prepare
from rlap.schur.seeds import Seed, check_seed
from rlap.schur.selection import check_neighbor_order, gone_mask, select
from rlap.schur.threads import check_num_threads


@dataclass(frozen=True)
class View:
    """One view of a graph. Unpacks as `edge_index, edge_weight = view`.

    `edge_index` holds both directions of every edge, sorted by (row, col), without duplicates and self-loops;
    `edge_weight` is positive. `node_mask` is true for the nodes of the input that are left. `ground` holds the weights
    of the nodes to the ground, when the call had a ground.
    """

    edge_index: Any
    edge_weight: Any
    node_mask: Any
    ground: Any = None

    def __iter__(self) -> Iterator[Any]:
        return iter((self.edge_index, self.edge_weight))


@overload
def schur_view(
    edge_index: Any,
    edge_weight: Any = None,
    *,
    num_nodes: int | None = None,
    fraction: float | Sequence[float] | None = None,
    keep: Any = None,
    eliminate: Any = None,
    node_order: Any = "random",
    neighbor_order: str = "asc",
    method: Literal["elimination", "walks", "coarsening"] = "elimination",
    ground: Any = None,
    ptr: Any = None,
    batch: Any = None,
    num_views: None = None,
    relabel: bool = False,
    symmetrize: bool = False,
    dtype: Any = None,
    seed: Any = None,
    num_threads: int = 0,
) -> View: ...


@overload
def schur_view(
    edge_index: Any,
    edge_weight: Any = None,
    *,
    num_nodes: int | None = None,
    fraction: float | Sequence[float] | None = None,
    keep: Any = None,
    eliminate: Any = None,
    node_order: Any = "random",
    neighbor_order: str = "asc",
    method: Literal["elimination", "walks", "coarsening"] = "elimination",
    ground: Any = None,
    ptr: Any = None,
    batch: Any = None,
    num_views: int,
    relabel: bool = False,
    symmetrize: bool = False,
    dtype: Any = None,
    seed: Any = None,
    num_threads: int = 0,
) -> list[View]: ...


def schur_view(
    edge_index: ArrayLike | PreparedGraph,
    edge_weight: ArrayLike | None = None,
    *,
    num_nodes: int | None = None,
    fraction: float | Sequence[float] | None = None,
    keep: ArrayLike | None = None,
    eliminate: ArrayLike | None = None,
    node_order: str | ArrayLike = "random",
    neighbor_order: str = "asc",
    method: Literal["elimination", "walks", "coarsening"] = "elimination",
    ground: ArrayLike | None = None,
    ptr: ArrayLike | None = None,
    batch: ArrayLike | None = None,
    num_views: int | None = None,
    relabel: bool = False,
    symmetrize: bool = False,
    dtype: DTypeLike | None = None,
    seed: Seed = None,
    num_threads: int = 0,
) -> View | list[View]:
    """Make a randomized Schur complement of a graph onto some of its nodes.

    Nodes are eliminated one after another; each is replaced by a sampled clique over its neighbours (the paper's
    Algorithm 1). One elimination has the exact Schur complement as its mean. After many, the mean lies a little below
    it; `method="walks"` samples the same graph by terminal random walks instead, and is unbiased for any set of nodes.
    Elimination and coarsening keep a connected graph connected; walks need not.

    Args:
        edge_index: node numbers, of the shape (2, E), both directions of every edge. NumPy or torch; the result is of
            the same kind. Or a graph that `rlap.prepare` has read, without `edge_weight`, `num_nodes`, `ptr`, `batch`
            and `symmetrize`: same bits, less time.
        edge_weight: positive weights, (E,); None means 1.
        num_nodes: how many nodes there are; it is never guessed from the edges.
        fraction: eliminate `floor(fraction * nodes)` nodes of every graph; a sequence has one value for every view.
        keep: the nodes to keep instead, as numbers or a mask.
        eliminate: the nodes to eliminate instead, as numbers or a mask.
        node_order: o_v: "random", "degree" (dynamic minimum degree, where parallel edges count until they are merged;
            ties at random), or a permutation, of which the first nodes go.
        neighbor_order: o_n: "asc" or "desc" by weight, or "random". Weights that agree to seven digits count as equal,
            and equal ones come in random order.
        method: "elimination", "walks", or "coarsening", which contracts each node that goes into a neighbour, as
            `vertex_coarsening` does.
        ground: a weight from every node to a ground vertex that is never eliminated: the graph of the matrix
            `D - A + diag(ground)`. The kept nodes' new weights are the view's `ground`.
        ptr: offsets of the graphs of a batch, (G + 1,).
        batch: or the graph of every node, (N,), sorted.
        num_views: make so many views, in a list.
        relabel: drop the eliminated nodes and number the others anew, in their order.
        symmetrize: give an edge without its reverse one, and take the mean of weights that differ by direction.
        dtype: float32 or float64 for the new weights; None means that of `edge_weight`, or float64 without.
        seed: an integer, a generator, or None for the global generator. Same seed, same views.
        num_threads: 0 means all processors. It does not change the result. Threads are shared out over views, over the
            graphs of a batch and, where threads are left, within a graph, if it is large. There they share the reading
            of edges that are sorted, the elimination in an order that is known beforehand (random, or given), the walks
            and the writing of the view; elimination by minimum degree is one step after another.

    Returns:
        A `View`, or a list of them when `num_views` is given.

    Raises:
        ValueError: when an argument breaks a rule; the message says the rule and the value.
        MemoryError: when the views would not fit in memory; the message says how much they need.

    Example:
        >>> import numpy as np, rlap
        >>> path = np.array([[0, 1, 1, 2], [1, 0, 2, 1]])
        >>> edge_index, edge_weight = rlap.schur_view(path, num_nodes=3, eliminate=[1], seed=0)
        >>> edge_index.tolist(), edge_weight.tolist()
        ([[0, 2], [2, 0]], [0.5, 0.5])
    """
    known = edge_index if isinstance(edge_index, PreparedGraph) else None
    nodes = known.num_nodes if known else check_num_nodes(num_nodes)
    offsets = known.ptr if known else check_ptr(ptr, batch, nodes)
    leak = check_ground(ground, nodes)
    views = 1 if num_views is None else _check_num_views(num_views)
    fractions = _fractions(fraction, views)
    key = check_seed(seed)
    threads = check_num_threads(num_threads)
    single = _is_single(dtype, edge_weight, known)
    weighted = known.weighted if known else edge_weight is not None
    shape: tuple[int, ...] = () if known else np.shape(edge_index)  # type: ignore[arg-type]
    edges = known.num_edges if known else shape[1] if len(shape) == 2 else 0
    check_memory(bytes_needed(edges, nodes, weighted=weighted, single=single, views=views, num_threads=threads))
    graph = prepare(
        edge_index,
        edge_weight,
        num_nodes=num_nodes,
        ptr=ptr if known else offsets,
        batch=batch if known else None,
        symmetrize=symmetrize,
        num_threads=threads,
    ).graph
    seeds = [_core.derive_seed(key, view, 0) for view in range(views)]

    made: list[_core.View]
    if method in ("elimination", "coarsening"):
        order = _replacement(method, neighbor_order)
        selections = [
            select(offsets, fraction=share, keep=keep, eliminate=eliminate, node_order=node_order)
            for share in fractions
        ]
        made = _core.eliminate(
            graph,
            np.stack([selection.count for selection in selections]),
            np.array(seeds, dtype=np.uint64),
            selections[0].nodes,
            selections[0].begin,
            selections[0].order,
            order,
            leak,
            bool(relabel),
            single,
            threads,
        )
    elif method == "walks":
        if not isinstance(node_order, str) or node_order != "random" or neighbor_order != "asc":
            raise ValueError('method="walks" has no orders: leave node_order and neighbor_order as they are')
        gone = gone_mask(nodes, keep, eliminate)
        made = []
        for share, own in zip(fractions, seeds, strict=True):
            selection = select(offsets, fraction=share, keep=keep, eliminate=eliminate, node_order="random")
            kept = _core.choose_kept(graph, selection.count[None], own) if gone is None else ~gone
            made.append(_core.walk(graph, kept, own, leak, bool(relabel), single, threads))
    else:
        raise ValueError(f'method must be "elimination", "walks" or "coarsening" (got {method!r})')
    result = [View(*one) for one in made]
    return result[0] if num_views is None else result


def _check_num_views(num_views: int) -> int:
    if not isinstance(num_views, (int, np.integer)) or num_views < 1:
        raise ValueError(f"num_views must be a positive integer (got {num_views!r})")
    return int(num_views)


def _replacement(method: str, neighbor_order: str) -> _core.NeighborOrder:
    if method != "coarsening":
        return check_neighbor_order(neighbor_order)
    if neighbor_order != "asc":
        raise ValueError(f'method="coarsening" has no neighbor_order: leave it as it is (got {neighbor_order!r})')
    return _core.NeighborOrder.coarsen


def _is_single(dtype: DTypeLike | None, edge_weight: ArrayLike | None, known: PreparedGraph | None) -> bool:
    if dtype is None and known is not None:
        return known.adjacency.single
    if dtype is None:
        return edge_weight is not None and np.asarray(edge_weight).dtype in (np.float32, np.float16)
    if np.dtype(dtype) not in (np.float32, np.float64):
        raise ValueError(f"dtype must be float32 or float64 (got {np.dtype(dtype)})")
    return np.dtype(dtype) == np.float32


def _fractions(fraction: float | Sequence[float] | None, views: int) -> list[float | None]:
    if fraction is None or np.ndim(fraction) == 0:
        return [fraction] * views  # type: ignore[list-item]
    if np.iscomplexobj(fraction):
        raise TypeError(f"fraction must hold real numbers (got {np.asarray(fraction).dtype})")
    shares: NDArray[np.float64] = np.asarray(fraction, dtype=np.float64)
    if shares.shape != (views,):
        raise ValueError(f"fraction must be one number, or one for each of the {views} views (got {shares.shape})")
    return [float(share) for share in shares]

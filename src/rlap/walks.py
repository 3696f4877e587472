"""Random walks with restart, and the nodes that they meet."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rlap import _core
from rlap.schur.memory import check_memory
from rlap.schur.prepared import PreparedGraph, prepare
from rlap.schur.seeds import Seed, check_seed
from rlap.schur.threads import check_num_threads


def random_walks(
    edge_index: ArrayLike | PreparedGraph,
    edge_weight: ArrayLike | None = None,
    *,
    num_nodes: int | None = None,
    start: ArrayLike,
    length: int,
    restart: float = 0.0,
    uniform: bool = False,
    ptr: ArrayLike | None = None,
    batch: ArrayLike | None = None,
    symmetrize: bool = False,
    seed: Seed = None,
    num_threads: int = 0,
) -> NDArray[np.int64]:
    """Walk at random from given nodes.

    At every step a walk returns to its start with the probability `restart`; else it goes on to a neighbour, with a
    probability proportional to the weight of the edge. At an isolated node it stays.

    Args:
        edge_index: node numbers, of the shape (2, E), both directions of every edge; or a graph that `rlap.prepare`
            has read.
        edge_weight: positive weights, (E,); None means 1.
        num_nodes: how many nodes there are.
        start: the first node of every walk, (W,); a node may occur several times.
        length: how many steps each walk takes.
        restart: the probability of a return, in [0, 1].
        uniform: choose among neighbours with equal probability, whatever the weights.
        ptr: offsets of the graphs of a batch, (G + 1,).
        batch: or the graph of every node, (N,), sorted.
        symmetrize: give an edge without its reverse one, and take the mean of weights that differ by direction.
        seed: an integer, a generator, or None for the global generator. Same seed, same walks. The walks of graph g of
            a batch are those that it has alone with `rlap.derive_seed(seed, graph=g)`.
        num_threads: threads over walks; 0 means all. It does not change the result.

    Returns:
        The nodes of every walk, (W, length + 1), the start first.

    Raises:
        MemoryError: when the walks would not fit in memory; the message says how much they need.

    Example:
        >>> import numpy as np
        >>> from rlap.walks import random_walks
        >>> pair = np.array([[0, 1], [1, 0]])
        >>> random_walks(pair, num_nodes=2, start=[0, 1], length=3, seed=0).tolist()
        [[0, 1, 0, 1], [1, 0, 1, 0]]
    """
    graph, first, options = _read(
        edge_index, edge_weight, num_nodes, start, length, restart, uniform, ptr, batch, symmetrize, seed, num_threads
    )
    check_memory(8 * first.size * (options[0] + 1))  # `length` is a single number
    return _core.walk_restarting(graph, first, *options).reshape(first.size, options[0] + 1)


def visited_nodes(
    edge_index: ArrayLike | PreparedGraph,
    edge_weight: ArrayLike | None = None,
    *,
    num_nodes: int | None = None,
    start: ArrayLike,
    length: int,
    restart: float = 0.0,
    uniform: bool = False,
    ptr: ArrayLike | None = None,
    batch: ArrayLike | None = None,
    symmetrize: bool = False,
    seed: Seed = None,
    num_threads: int = 0,
) -> NDArray[np.bool_]:
    """Say which nodes the walks of `random_walks` meet, without storing the walks.

    Arguments are those of `random_walks`, and with the same seed the walks are the same, too.

    Returns:
        A mask of the nodes, (N,).

    Example:
        >>> import numpy as np
        >>> from rlap.walks import visited_nodes
        >>> pairs = np.array([[0, 1, 2, 3], [1, 0, 3, 2]])
        >>> visited_nodes(pairs, num_nodes=4, start=[2], length=5, seed=0).tolist()
        [False, False, True, True]
    """
    graph, first, options = _read(
        edge_index, edge_weight, num_nodes, start, length, restart, uniform, ptr, batch, symmetrize, seed, num_threads
    )
    return _core.visit_restarting(graph, first, *options)


def _read(
    edge_index: ArrayLike | PreparedGraph,
    edge_weight: ArrayLike | None,
    num_nodes: int | None,
    start: ArrayLike,
    length: int,
    restart: float,
    uniform: bool,
    ptr: ArrayLike | None,
    batch: ArrayLike | None,
    symmetrize: bool,
    seed: Seed,
    num_threads: int,
) -> tuple[_core.Graph, NDArray[np.int32], tuple[int, float, bool, int, int]]:
    source = prepare(
        edge_index, edge_weight, num_nodes=num_nodes, ptr=ptr, batch=batch, symmetrize=symmetrize, num_threads=1
    )
    first = _check_start(start, source.num_nodes)
    chance = float(restart)
    if not 0 <= chance <= 1:
        raise ValueError(f"restart must lie in [0, 1] (got {chance})")
    options = (_check_length(length), chance, bool(uniform), check_seed(seed), check_num_threads(num_threads))
    return source.graph, first, options


def _check_start(start: ArrayLike, nodes: int) -> NDArray[np.int32]:
    first = np.asarray(start)
    if first.ndim != 1:
        raise ValueError(f"start must have one dimension (got {first.ndim})")
    if first.size and not np.issubdtype(first.dtype, np.integer):
        raise TypeError(f"start must hold integers (got {first.dtype})")
    bad = (first < 0) | (first >= nodes)
    if bad.any():
        at = int(bad.argmax())
        raise ValueError(f"start must lie in [0, {nodes}) (got {first[at]} for walk {at})")
    return np.ascontiguousarray(first, dtype=np.int32)


def _check_length(length: Any) -> int:
    try:
        steps = operator.index(length)
    except TypeError:
        raise TypeError(f"length must be an integer (got {type(length).__name__})") from None
    if not 0 <= steps < 2**31:
        raise ValueError(f"length must lie in [0, 2**31) (got {steps})")
    return steps

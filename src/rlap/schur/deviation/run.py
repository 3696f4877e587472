"""`track_deviation`: the martingale L_i - L along one elimination."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray
from scipy.sparse.linalg import LinearOperator, aslinearoperator

from rlap import _core
from rlap.schur.deviation.spectrum import laplacian, spectral_norm
from rlap.schur.deviation.stars import StepBounds, bound_steps
from rlap.schur.matrix import Sparse, read_adjacency, to_csr
from rlap.schur.seeds import Seed, check_seed
from rlap.schur.selection import check_neighbor_order

_STOPS = 16


@dataclass(frozen=True)
class Deviation:
    """One tracked elimination; the arrays have one value for every step looked at, the first of which is 0.

    - `eliminated`: how many nodes are gone, i.
    - `deviation`: ||L_i - L||, where L_i = R_i + sum_{k<=i} s_k s_k^T has the mean L.
    - `sigma_max`: ||R_i||, the largest singular value of the Laplacian of the view.
    - `edges`: undirected edges of the view; those to the ground are not counted.

    `num_nodes` is N; `uniform` says that nodes went in random order; `bounds` is what `tail_bound` needs.
    """

    eliminated: NDArray[np.int64]
    deviation: NDArray[np.float64]
    sigma_max: NDArray[np.float64]
    edges: NDArray[np.int64]
    num_nodes: int
    uniform: bool
    bounds: StepBounds


def track_deviation(
    adjacency: Sparse,
    *,
    steps: Sequence[int] | NDArray[np.integer] | None = None,
    fraction: float | None = None,
    keep: ArrayLike | None = None,
    eliminate: ArrayLike | None = None,
    node_order: str | ArrayLike = "random",
    neighbor_order: str = "asc",
    ground: ArrayLike | None = None,
    symmetrize: bool = False,
    rng: Seed = None,
) -> Deviation:
    """Follow one elimination and measure how far it strays from its mean.

    `steps` says after how many eliminations to look; by default at 16 even distances up to the end. Step 0 is always
    among them. More steps make the composite corrector of `tail_bound` tighter, since between two of them it has to
    assume the worst. The other arguments are those of `approximate_factor`, and the run is the one that it makes;
    without `fraction`, `keep` and `eliminate` all nodes go. Each look costs a snapshot of the graph and two Lanczos
    iterations; no dense matrix is made for more than 200 nodes.

    Example:
        >>> import numpy as np, scipy.sparse as sp
        >>> from rlap.schur.deviation import track_deviation
        >>> path = sp.diags_array([np.ones(4)] * 2, offsets=[-1, 1])
        >>> run = track_deviation(path, steps=[3], rng=0)  # stars of two have one edge to sample: nothing strays
        >>> run.eliminated.tolist(), run.deviation.tolist(), run.edges.tolist()
        ([0, 3], [0.0, 0.0], [4, 1])
    """
    source = read_adjacency(adjacency, symmetrize)
    if fraction is None and keep is None and eliminate is None:
        fraction = 1.0
    selection = source.select(fraction=fraction, keep=keep, eliminate=eliminate, node_order=node_order)
    stops = _check_steps(steps, int(selection.count[0]))
    _, snapshots, columns = _core.eliminate_tracked(
        source.graph,
        selection.count[None],
        check_seed(rng, "rng"),
        selection.nodes,
        selection.begin,
        selection.order,
        check_neighbor_order(neighbor_order),
        source.check_ground(ground),
        stops.tolist(),
        True,
        False,
    )
    nodes = source.num_nodes
    candidate = np.ones(nodes, dtype=np.bool_)
    if selection.nodes is not None:
        candidate[:] = False
        candidate[selection.nodes] = True
    factor = _factor(columns, nodes)
    deviation, norm, degree = np.zeros(stops.size), np.zeros(stops.size), np.zeros(stops.size)
    whole = _laplacian_of(snapshots[0], nodes)
    for at, (stop, view) in enumerate(zip(stops, snapshots, strict=True)):
        rest = _laplacian_of(view, nodes)
        weighted_degree = rest.diagonal()
        norm[at] = spectral_norm(aslinearoperator(rest), weighted_degree.max(initial=0.0))
        degree[at] = weighted_degree[candidate].max(initial=0.0)  # those that are gone have none left
        deviation[at] = spectral_norm(difference(rest, whole, factor[:stop]), norm[0])
    return Deviation(
        eliminated=stops,
        deviation=deviation,
        sigma_max=norm,
        edges=np.array([view[0].shape[1] // 2 for view in snapshots], dtype=np.int64),
        num_nodes=nodes,
        uniform=selection.order == _core.NodeOrder.random,
        bounds=bound_steps(columns, nodes, int(candidate.sum()), stops, norm, degree),
    )


def difference(rest: sp.csr_array, whole: sp.csr_array, gone: sp.csr_array) -> LinearOperator:
    """Give the operator L_i - L = R_i - L + sum_k s_k s_k^T, with the s_k as rows; their product would be dense."""
    change, back = sp.csr_array(rest - whole), sp.csr_array(gone.T)

    def apply(x: NDArray[np.float64]) -> NDArray[np.float64]:
        result: NDArray[np.float64] = change @ x + back @ (gone @ x)
        return result

    return LinearOperator(whole.shape, matvec=apply, matmat=apply, dtype=np.float64)


def _check_steps(steps: Sequence[int] | NDArray[np.integer] | None, count: int) -> NDArray[np.int64]:
    if steps is None:
        return np.unique(np.linspace(0, count, _STOPS + 1).astype(np.int64))
    wanted = np.asarray(steps)
    if wanted.ndim != 1:
        raise ValueError(f"steps must have one dimension (got {wanted.ndim})")
    if wanted.size and not np.issubdtype(wanted.dtype, np.integer):
        raise TypeError(f"steps must hold integers (got {wanted.dtype})")
    outside = (wanted < 0) | (wanted > count)
    if outside.any():
        raise ValueError(f"steps must lie in [0, {count}], the number of eliminations (got {wanted[outside][0]})")
    return np.union1d([0], wanted).astype(np.int64)


def _laplacian_of(view: _core.View, nodes: int) -> sp.csr_array:
    return laplacian(to_csr(view[0], view[1].astype(np.float64), nodes), view[3])


def _factor(columns: _core.Columns, nodes: int) -> sp.csr_array:
    """Stack the columns s_k as rows, in the order of elimination; the ground has no place in them."""
    count = columns.node.size
    root = np.sqrt(columns.total)
    step = np.repeat(np.arange(count), np.diff(columns.begin))
    real = columns.neighbor < nodes
    value = -columns.weight / root[step]
    return sp.csr_array(
        (
            np.concatenate([root, value[real]]),
            (np.concatenate([np.arange(count), step[real]]), np.concatenate([columns.node, columns.neighbor[real]])),
        ),
        shape=(count, nodes),
    )

"""`schur_path`: the views at many fractions from one elimination."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlap import _core
from rlap.schur.matrix import Sparse, read_adjacency
from rlap.schur.seeds import Seed, check_seed
from rlap.schur.selection import check_fraction, check_neighbor_order


def schur_path(
    adjacency: Sparse,
    fractions: Sequence[float],
    *,
    node_order: str | ArrayLike = "random",
    neighbor_order: str = "asc",
    coarsen: bool = False,
    ground: ArrayLike | None = None,
    symmetrize: bool = False,
    rng: Seed = None,
) -> list[Any]:
    """Follow one elimination and show the graph at each of the fractions, in the order in which they are given.

    The result at a fraction is the randomized Schur complement after `floor(fraction * nodes)` eliminations. All come
    from one run, so each is a further elimination of the one before. `coarsen=True` follows vertex coarsening instead.

    Example:
        >>> import numpy as np, scipy.sparse as sp, rlap
        >>> clique = sp.csr_array(1.0 - np.eye(8))
        >>> [graph.nnz for graph in rlap.schur_path(clique, [0.0, 0.5, 0.75], rng=0)]
        [56, 12, 2]
    """
    source = read_adjacency(adjacency, symmetrize)
    shares = np.array([check_fraction(share, "fractions") for share in fractions], dtype=np.float64)
    order = _core.NeighborOrder.coarsen if coarsen else check_neighbor_order(neighbor_order)
    leak = source.check_ground(ground)
    if shares.size == 0:
        return []
    selection = source.select(fraction=float(shares.max()), keep=None, eliminate=None, node_order=node_order)
    stops, which = np.unique(np.floor(shares * source.num_nodes).astype(np.int64), return_inverse=True)
    _, snapshots, _ = _core.eliminate_tracked(
        source.graph,
        selection.count[None],
        check_seed(rng, "rng"),
        selection.nodes,
        selection.begin,
        selection.order,
        order,
        leak,
        stops.tolist(),
        False,
        source.single,
    )
    graphs = [source.wrap(snapshot) for snapshot in snapshots]
    return [graphs[i] for i in which]

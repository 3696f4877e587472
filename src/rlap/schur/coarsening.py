"""`vertex_coarsening`: elimination by contraction."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from rlap import _core
from rlap.schur.matrix import Sparse
from rlap.schur.matrix import eliminate as eliminate_nodes
from rlap.schur.seeds import Seed


def vertex_coarsening(
    adjacency: Sparse,
    *,
    fraction: float | None = None,
    keep: ArrayLike | None = None,
    eliminate: ArrayLike | None = None,
    node_order: str | ArrayLike = "degree",
    ground: ArrayLike | None = None,
    symmetrize: bool = False,
    rng: Seed = None,
    num_threads: int = 0,
) -> Any:
    """Coarsen a graph by contracting nodes into a neighbour (Fahrbach et al. 2020, Algorithm 5).

    An eliminated node with the weights w picks the neighbour u with probability w_u / sum(w); every other neighbour v
    is joined to u with the weight w_u w_v / (w_u + w_v). The mean of one step is the exact clique. Nodes go by dynamic
    minimum degree unless `node_order` says otherwise; the other arguments and the result are those of
    `randomized_schur`.

    Example:
        >>> import numpy as np, scipy.sparse as sp, rlap
        >>> clique = sp.csr_array(1.0 - np.eye(4))
        >>> rlap.vertex_coarsening(clique, fraction=0.5, rng=0).nnz
        2
    """
    return eliminate_nodes(
        adjacency,
        _core.NeighborOrder.coarsen,
        fraction=fraction,
        keep=keep,
        eliminate=eliminate,
        node_order=node_order,
        ground=ground,
        symmetrize=symmetrize,
        rng=rng,
        num_threads=num_threads,
    )

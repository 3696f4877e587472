"""`randomized_schur`: the paper's Algorithm 1 on a sparse adjacency matrix."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from rlap.schur.matrix import Sparse
from rlap.schur.matrix import eliminate as eliminate_nodes
from rlap.schur.seeds import Seed
from rlap.schur.selection import check_neighbor_order


def randomized_schur(
    adjacency: Sparse,
    *,
    fraction: float | None = None,
    keep: ArrayLike | None = None,
    eliminate: ArrayLike | None = None,
    node_order: str | ArrayLike = "random",
    neighbor_order: str = "asc",
    ground: ArrayLike | None = None,
    symmetrize: bool = False,
    rng: Seed = None,
    num_threads: int = 0,
) -> Any:
    """Make a randomized Schur complement of a graph, given and returned as a sparse adjacency matrix.

    The arguments are those of `schur_view`. The result has the shape of the input; the rows of eliminated nodes are
    empty. With `ground`, the pair of the adjacency and the new weights to the ground comes back.

    Example:
        >>> import numpy as np, scipy.sparse as sp, rlap
        >>> star = sp.csr_array(np.array([[0, 1, 2], [1, 0, 0], [2, 0, 0]], dtype=float))
        >>> rlap.randomized_schur(star, eliminate=[0], rng=0).toarray().round(3).tolist()
        [[0.0, 0.0, 0.0], [0.0, 0.0, 0.667], [0.0, 0.667, 0.0]]
    """
    return eliminate_nodes(
        adjacency,
        check_neighbor_order(neighbor_order),
        fraction=fraction,
        keep=keep,
        eliminate=eliminate,
        node_order=node_order,
        ground=ground,
        symmetrize=symmetrize,
        rng=rng,
        num_threads=num_threads,
    )

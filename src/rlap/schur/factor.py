"""`approximate_factor`: the approximate Cholesky factor that an elimination leaves behind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from rlap import _core
from rlap.schur.matrix import Sparse, read_adjacency
from rlap.schur.seeds import Seed, check_seed
from rlap.schur.selection import check_neighbor_order


@dataclass(frozen=True)
class Factor:
    """An approximate factorisation of a Laplacian. Unpacks as `G, d = factor`.

    With the nodes in the order `order` (eliminated ones first, as they went, then the kept ones), `lower` is N x k,
    unit lower triangular, and `lower @ diag(diagonal) @ lower.T` plus the Laplacian of `remainder` has the Laplacian as
    its mean. When all nodes are eliminated the remainder is empty, and `solve` applies the (pseudo-)inverse of the
    product.
    """

    lower: sp.csc_array
    diagonal: NDArray[np.float64]
    order: NDArray[np.int64]
    remainder: Any
    columns: _core.Columns

    def __iter__(self) -> Iterator[Any]:
        return iter((self.lower, self.diagonal))

    def solve(self, b: NDArray[np.float64]) -> NDArray[np.float64]:
        """Solve with the product of the factors, for one right-hand side with a value for every node."""
        if self.columns.node.size != self.order.size:
            left = self.order.size - self.columns.node.size
            raise ValueError(f"solve needs a factor of all nodes ({left} of {self.order.size} are not eliminated)")
        b = np.ascontiguousarray(b, dtype=np.float64)
        if b.shape != self.order.shape:
            raise ValueError(f"b must have one value for every node, the shape {self.order.shape} (got {b.shape})")
        return self.columns.solve(b)


def approximate_factor(
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
) -> Factor:
    """Factorise the Laplacian of a graph approximately (Kyng and Sachdeva 2016), in almost linear time.

    The columns are what `randomized_schur` with the same arguments eliminates. By default all nodes go. With `ground`,
    the matrix is the Laplacian plus diag(ground), and the ground has no row.

    Example:
        >>> import numpy as np, scipy.sparse as sp, rlap
        >>> path = sp.csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=float))
        >>> G, d = rlap.approximate_factor(path, node_order=[0, 1, 2], rng=0)
        >>> (G @ sp.diags_array(d) @ G.T).toarray().tolist()
        [[1.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]]
    """
    source = read_adjacency(adjacency, symmetrize)
    if fraction is None and keep is None and eliminate is None:
        fraction = 1.0
    selection = source.select(fraction=fraction, keep=keep, eliminate=eliminate, node_order=node_order)
    view, _, columns = _core.eliminate_tracked(
        source.graph,
        selection.count[None],
        check_seed(rng, "rng"),
        selection.nodes,
        selection.begin,
        selection.order,
        check_neighbor_order(neighbor_order),
        source.check_ground(ground),
        [],
        True,
        source.single,
    )
    order = np.concatenate([columns.node, np.flatnonzero(view[2])]).astype(np.int64)
    return Factor(_lower(columns, order), columns.total, order, source.wrap(view), columns)


def _lower(columns: _core.Columns, order: NDArray[np.int64]) -> sp.csc_array:
    """Arrange the columns by place in the order, with ones on the diagonal."""
    nodes, count = order.size, columns.node.size
    place = np.full(nodes + 1, -1, dtype=np.int64)  # the last one is the ground, which has no row
    place[order] = np.arange(nodes)
    row = place[columns.neighbor]
    column = np.repeat(np.arange(count), np.diff(columns.begin))
    value = -columns.weight / columns.total[column]
    real = row >= 0
    return sp.csc_array(
        (
            np.concatenate([np.ones(count), value[real]]),
            (np.concatenate([np.arange(count), row[real]]), np.concatenate([np.arange(count), column[real]])),
        ),
        shape=(nodes, count),
    )

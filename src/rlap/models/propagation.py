"""Messages along edges as a product with a sparse matrix: no message is ever stored."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from rlap.models.csr import CSR


class Propagation:
    """The matrix that sends features along edges: row i becomes the sum over edges (j, i) of weight times row j.

    Edges with the same ends add up. Nothing is differentiated with respect to the weights: a view is a sample.

    Args:
        edge_index: of the shape (2, E), from its first row to its second.
        weight: of the shape (E,).
        num_nodes: how many there are, with or without edges.

    Example:
        >>> import torch
        >>> from rlap.models import Propagation
        >>> one_way = Propagation(torch.tensor([[0], [1]]), torch.tensor([2.0]), 2)
        >>> one_way(torch.tensor([[1.0], [5.0]])).tolist()
        [[0.0], [2.0]]
    """

    def __init__(self, edge_index: Tensor, weight: Tensor, num_nodes: int) -> None:
        self.forward_matrix, self.backward_matrix = _matrices(edge_index, weight, num_nodes)

    def __call__(self, features: Tensor) -> Tensor:
        """Send the features."""
        sent: Tensor = _Product.apply(features, self.forward_matrix, self.backward_matrix)
        return sent


def gcn_propagation(edge_index: Tensor, edge_weight: Tensor | None, num_nodes: int, dtype: Any) -> Propagation:
    """Give D^-1/2 (A + I) D^-1/2 of Kipf and Welling 2017. A node that has a loop keeps it instead of the added one.

    Example:
        >>> import torch
        >>> from rlap.models import gcn_propagation
        >>> edge = gcn_propagation(torch.tensor([[0, 1], [1, 0]]), None, 2, torch.float32)
        >>> edge(torch.tensor([[1.0], [3.0]])).flatten().round(decimals=4).tolist()
        [2.0, 2.0]
    """
    source, target = edge_index
    weight = _weights(edge_weight, edge_index, dtype)
    loop = source == target
    loops = torch.ones(num_nodes, dtype=dtype, device=edge_index.device)
    if bool(loop.any()):
        loops[source[loop]] = weight[loop]
        source, target, weight = source[~loop], target[~loop], weight[~loop]
    nodes = torch.arange(num_nodes, device=edge_index.device)
    degree = loops.index_add(0, target, weight)
    root = torch.where(degree > 0, degree, torch.ones_like(degree)).rsqrt()
    weight = torch.cat([weight * root[source] * root[target], loops * root * root])
    return Propagation(torch.stack([torch.cat([source, nodes]), torch.cat([target, nodes])]), weight, num_nodes)


def gin_propagation(edge_index: Tensor, edge_weight: Tensor | None, num_nodes: int, dtype: Any) -> Propagation:
    """Give A + I: the sum over the neighbours, weighted where edges are, and the node itself (Xu et al. 2019).

    Example:
        >>> import torch
        >>> from rlap.models import gin_propagation
        >>> edge = gin_propagation(torch.tensor([[0, 1], [1, 0]]), torch.tensor([2.0, 2.0]), 2, torch.float32)
        >>> edge(torch.tensor([[1.0], [3.0]])).flatten().tolist()
        [7.0, 5.0]
    """
    nodes = torch.arange(num_nodes, device=edge_index.device)
    weight = torch.cat([_weights(edge_weight, edge_index, dtype), torch.ones_like(nodes, dtype=dtype)])
    return Propagation(torch.cat([edge_index, nodes.expand(2, -1)], dim=1), weight, num_nodes)


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, features: Tensor, forward_matrix: CSR, backward_matrix: CSR) -> Tensor:
        ctx.matrix = backward_matrix
        return forward_matrix @ features

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        return ctx.matrix @ gradients[0], None, None


def _weights(edge_weight: Tensor | None, edge_index: Tensor, dtype: Any) -> Tensor:
    if edge_weight is None:
        return torch.ones(edge_index.shape[1], dtype=dtype, device=edge_index.device)
    if edge_weight.numel() != edge_index.shape[1]:
        count = edge_index.shape[1]
        raise ValueError(f"edge_weight must have one value for every edge, {count} (got {edge_weight.numel()})")
    return edge_weight.detach().reshape(-1).to(dtype)


def _matrices(edge_index: Tensor, weight: Tensor, num_nodes: int) -> tuple[CSR, CSR]:
    shape = (num_nodes, num_nodes)
    if edge_index.device.type != "cpu":
        matrix = torch.sparse_coo_tensor(edge_index.flip(0), weight, shape)
        both = [one.coalesce().to_sparse_csr() for one in (matrix, matrix.t())]
        first, second = (CSR(one.crow_indices(), one.col_indices(), one.values()) for one in both)
        return first, second
    source, target = edge_index.numpy()
    # SciPy sorts by counting, which takes a fraction of the time of torch's sort.
    matrix = sp.coo_array((weight.numpy(), (target, source)), shape=shape).tocsr()
    return _to_torch(matrix), _to_torch(matrix.T.tocsr())


def _to_torch(matrix: Any) -> CSR:
    begin, index = (torch.from_numpy(part.astype(np.int64)) for part in (matrix.indptr, matrix.indices))
    return CSR(begin, index, torch.from_numpy(matrix.data))

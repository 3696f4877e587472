"""Features times weights, sparse where the features are: bags of words are zeros to 99 %."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor
from torch.utils.weak import WeakIdKeyDictionary

from rlap.adapters.pyg.rows import SPARSE_BELOW
from rlap.models.csr import CSR

_WORTH = 1 << 16  # entries


def sparse_features(x: Tensor) -> Tensor:
    """Give features as a CSR matrix if most of them are zero, and as they are if not.

    The answer is remembered as long as the tensor lives, so that asking in every step costs nothing.

    Example:
        >>> import torch
        >>> from rlap.models import sparse_features
        >>> sparse_features(torch.eye(300)).layout, sparse_features(torch.ones(300, 300)).layout
        (torch.sparse_csr, torch.strided)
    """
    if x.layout != torch.strided or x.dim() != 2 or x.numel() < _WORTH or x.requires_grad or x.is_inference():
        return x
    with _LOCK:
        if _CONVERTED.get(x, (None, None))[0] != x._version:
            count = int(torch.count_nonzero(x))
            _CONVERTED[x] = x._version, x.to_sparse_csr() if count < SPARSE_BELOW * x.numel() else None
        converted = _CONVERTED[x][1]
    return x if converted is None else converted


def lift(x: Tensor, weight: Tensor, nodes: Tensor | None = None) -> Tensor:
    """Multiply features, dense or CSR, with a matrix, and take the rows of these nodes.

    Nothing is differentiated with respect to sparse features.

    Example:
        >>> import torch
        >>> from rlap.models import lift
        >>> lift(torch.eye(3).to_sparse_csr(), torch.arange(6.0).view(3, 2), torch.tensor([2])).tolist()
        [[4.0, 5.0]]
    """
    if x.layout == torch.strided:
        return (x if nodes is None else x[nodes]) @ weight
    if x.layout != torch.sparse_csr:
        raise ValueError(f"x must be dense or in CSR form (got {x.layout})")
    product: Tensor = _SparseProduct.apply(x, weight)
    return product if nodes is None else product[nodes]


class _SparseProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor) -> Tensor:
        ctx.x = x
        return CSR(x.crow_indices(), x.col_indices(), x.values()) @ weight

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[None, Tensor]:
        return None, _transpose(ctx.x) @ gradients[0]


def _transpose(x: Tensor) -> CSR:
    """Give the transpose in CSR form too, the one form that is multiplied fast."""
    if x.device.type != "cpu":
        turned = x.t().to_sparse_csr()
        return CSR(turned.crow_indices(), turned.col_indices(), turned.values())
    rows, columns = x.crow_indices(), x.col_indices()
    key = rows.data_ptr(), columns.data_ptr(), x.shape
    with _LOCK:
        if key not in _TRANSPOSED:
            # What is remembered holds the indices, so that no others can come to lie at their addresses.
            _TRANSPOSED[key] = rows, columns, *_transposed_indices(x)
            if len(_TRANSPOSED) > _REMEMBERED:
                _TRANSPOSED.popitem(last=False)
        _TRANSPOSED.move_to_end(key)
        _, _, begin, index, order = _TRANSPOSED[key]
    return CSR(begin, index, x.values()[order])


def _transposed_indices(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    columns = x.col_indices().numpy()
    places = sp.csr_array((np.arange(len(columns)), columns, x.crow_indices().numpy()), shape=x.shape).tocsc()
    parts = (places.indptr, places.indices, places.data)
    begin, index, order = (torch.from_numpy(part.astype(np.int64)) for part in parts)
    return begin, index, order


_LOCK = threading.RLock()
_REMEMBERED = 4
_CONVERTED: Any = WeakIdKeyDictionary()
_TRANSPOSED: OrderedDict[Any, tuple[Tensor, ...]] = OrderedDict()

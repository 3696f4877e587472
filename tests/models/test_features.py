"""Sparse features: the same numbers as dense ones, and remembered no longer than they are right."""

from __future__ import annotations

import gc

import pytest
import torch

from rlap.models import csr_matrix, features, lift, sparse_features


def words(seed, rows=40, columns=30):
    random = torch.Generator().manual_seed(seed)
    x = torch.rand(rows, columns, generator=random, dtype=torch.float64)
    return torch.where(x < 0.1, x + 1, torch.zeros_like(x))


@pytest.mark.parametrize("nodes", [None, torch.tensor([3, 3, 0, 39])])
def test_products_are_those_of_dense_features(nodes):
    x = words(0)
    weights = [torch.randn(30, 5, dtype=torch.float64).requires_grad_() for _ in range(2)]
    weights[1].data.copy_(weights[0].data)
    above = torch.randn(40 if nodes is None else 4, 5, dtype=torch.float64)
    products = lift(x.to_sparse_csr(), weights[0], nodes), lift(x, weights[1], nodes)
    torch.testing.assert_close(*products)
    for product in products:
        (product * above).sum().backward()
    torch.testing.assert_close(weights[0].grad, weights[1].grad)


def test_transposes_are_kept_apart():
    """More matrices than are remembered, some with the same indices and other values, again and again."""
    matrices = [words(seed).to_sparse_csr() for seed in range(7)]
    first = matrices[0]
    matrices.append(csr_matrix(first.crow_indices(), first.col_indices(), 3 * first.values(), first.shape))
    for x in matrices * 2:
        weight = torch.zeros(30, 2, dtype=torch.float64).requires_grad_()
        above = torch.randn(40, 2, dtype=torch.float64)
        lift(x, weight).backward(above)
        torch.testing.assert_close(weight.grad, x.to_dense().t() @ above)
    assert len(features._TRANSPOSED) <= features._REMEMBERED


def test_few_entries_become_sparse_once():
    x = torch.eye(300)
    converted = sparse_features(x)
    assert converted.layout == torch.sparse_csr
    assert sparse_features(x) is converted
    x[0, 1] = 5.0
    assert sparse_features(x).to_dense()[0, 1] == 5.0
    gc.collect()  # what other tests have left behind
    before = len(features._CONVERTED)
    del x
    gc.collect()
    assert len(features._CONVERTED) == before - 1


@pytest.mark.parametrize("x", [torch.ones(300, 300), torch.eye(10), torch.ones(90_000)])
def test_others_stay(x):
    assert sparse_features(x) is x


def test_refusals():
    with pytest.raises(ValueError, match=r"dense or in CSR form \(got torch.sparse_coo\)"):
        lift(torch.eye(3).to_sparse_coo(), torch.eye(3))

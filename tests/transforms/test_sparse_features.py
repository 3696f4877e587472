"""Features as torch.sparse_csr are masked like dense ones, and pass through other transforms untouched."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data

import rlap.transforms as T
from tests.significance import assert_counts

TRIALS = 1500
EDGES = torch.tensor([[0, 1, 1, 2, 2, 3, 3, 4], [1, 0, 2, 1, 3, 2, 4, 3]])


def features(rows=5, columns=40):
    random = torch.Generator().manual_seed(0)
    dense = torch.rand(rows, columns, generator=random)
    return torch.where(torch.rand(rows, columns, generator=random) < 0.3, dense, torch.zeros(()))


def test_the_same_columns_are_masked_as_in_dense_features():
    dense = features()
    for seed in range(20):
        mask = T.FeatureMasking(0.5, "column", seed=seed)
        result = mask(Data(x=dense.to_sparse_csr())).x
        assert result.is_sparse_csr
        assert torch.equal(result.to_dense(), mask(Data(x=dense)).x)


@pytest.mark.parametrize("shared", [False, True])
def test_columns_of_a_batch(shared):
    dense = Batch.from_data_list([Data(x=features(rows)) for rows in (3, 1, 0, 4)])
    sparse = dense.clone()
    sparse.x = dense.x.to_sparse_csr()
    mask = T.FeatureMasking(0.5, "column", shared=shared, seed=4)
    assert torch.equal(mask(sparse).x.to_dense(), mask(dense).x)


def test_stored_entries_are_masked_independently():
    dense = features(4, 12)
    sparse = Data(x=dense.to_sparse_csr())
    count = int((dense != 0).sum())
    zero = np.stack([T.FeatureMasking(0.3, seed=seed)(sparse).x.values().numpy() == 0 for seed in range(TRIALS)])
    zero = zero.astype(np.int64)
    assert_counts(zero.sum(axis=0), np.full(count, 0.3), TRIALS)
    together = (zero.T @ zero)[np.triu_indices(count, 1)]
    assert_counts(together, np.full(together.size, 0.09), TRIALS)


def test_what_is_not_masked_stays_and_the_original_too():
    dense = features()
    x = dense.to_sparse_csr()
    result = T.FeatureMasking(0.5, seed=1)(Data(x=x)).x.to_dense()
    assert torch.equal(result, torch.where(result == 0, 0.0, dense))
    assert torch.equal(x.to_dense(), dense)
    assert 0 < (result != 0).sum() < (dense != 0).sum()


@pytest.mark.parametrize("name", [name for name in T.names() if name != "FeatureMasking"])
def test_augmentors_leave_them_alone(name):
    data = Data(x=features().to_sparse_csr(), edge_index=EDGES)
    dense = Data(x=features(), edge_index=EDGES)
    arguments = {"PPRSubgraph": [3], "Identity": []}.get(name, [0.4])
    augmentor = T.get(name, *arguments)
    first, second = T.TwoViews(augmentor, seed=3)(data)
    expected, _ = T.TwoViews(augmentor, seed=3)(dense)
    assert torch.equal(first.x.to_dense(), expected.x)
    assert second.x.is_sparse_csr
    assert torch.equal(first.edge_index, expected.edge_index)

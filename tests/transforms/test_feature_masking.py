"""Entries or columns become zero as often as they should, and the rest stays as it was."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data

from rlap import derive_seed
from rlap.transforms import FeatureMasking
from tests.significance import assert_counts
from tests.transforms.examples import hetero

TRIALS = 1500


def masks(per):
    ones = Data(x=torch.ones(6, 5))
    return np.stack([FeatureMasking(0.3, per, seed=seed)(ones).x.numpy() == 0 for seed in range(TRIALS)])


def test_entries():
    zero = masks("entry").reshape(TRIALS, -1).astype(np.int64)
    assert_counts(zero.sum(axis=0), np.full(30, 0.3), TRIALS)
    together = (zero.T @ zero)[np.triu_indices(30, 1)]
    assert_counts(together, np.full(together.size, 0.09), TRIALS)


def test_columns():
    zero = masks("column")
    assert (zero == zero[:, :1]).all()
    column = zero[:, 0].astype(np.int64)
    assert_counts(column.sum(axis=0), np.full(5, 0.3), TRIALS)
    together = (column.T @ column)[np.triu_indices(5, 1)]
    assert_counts(together, np.full(together.size, 0.09), TRIALS)


def test_columns_of_a_batch_are_masked_for_every_graph_by_itself_unless_shared():
    source = Batch.from_data_list([Data(x=torch.ones(4, 40)) for _ in range(5)])
    alone = FeatureMasking(0.5, "column", seed=1)(source).to_data_list()
    rows = [graph.x.unique(dim=0) for graph in alone]
    assert all(len(row) == 1 for row in rows)
    assert len({tuple(row[0].tolist()) for row in rows}) == 5
    assert len(FeatureMasking(0.5, "column", shared=True, seed=1)(source).x.unique(dim=0)) == 1


@pytest.mark.parametrize("shape", [(7,), (7, 2), (7, 2, 3), (0, 4)])
@pytest.mark.parametrize("per", ["entry", "column"])
def test_what_is_not_masked_stays(shape, per):
    x = torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    result = FeatureMasking(0.5, per, seed=3)(Data(x=x)).x
    assert result.shape == x.shape
    assert result.dtype == x.dtype
    assert torch.equal(result, torch.where(result == 0, 0.0, x))
    assert torch.equal(FeatureMasking(0.0, per)(Data(x=x)).x, x)
    assert not FeatureMasking(1.0, per)(Data(x=x)).x.any()


@pytest.mark.parametrize("dtype", [torch.bool, torch.uint8, torch.float16, torch.bfloat16, torch.int64])
def test_all_types_and_layouts(dtype):
    x = torch.ones(300, 200, dtype=dtype)
    for per in ("entry", "column"):
        result = FeatureMasking(0.25, per, seed=1)(Data(x=x)).x
        assert result.dtype == dtype
        assert result.double().unique().tolist() == [0.0, 1.0]
        assert torch.equal(FeatureMasking(0.25, per, seed=1)(Data(x=torch.ones(200, 300, dtype=dtype).t())).x, result)
    with pytest.raises(ValueError, match=r"x must be dense or sparse_csr \(got torch.sparse_coo\)"):
        FeatureMasking(0.5)(Data(x=torch.eye(3).to_sparse()))


def test_gradients_pass_through_what_is_not_masked():
    x = torch.ones(70, 900, requires_grad=True)
    result = FeatureMasking(0.4, seed=2)(Data(x=x)).x
    assert torch.equal(result.detach(), FeatureMasking(0.4, seed=2)(Data(x=x.detach())).x)
    result.sum().backward()
    assert torch.equal(x.grad, result.detach())


def test_blocks_of_a_large_matrix_are_all_masked_alike():
    zero = (FeatureMasking(0.3, seed=5)(Data(x=torch.ones(400, 1000))).x == 0).numpy()
    assert_counts(zero.sum(axis=1), np.full(400, 0.3), 1000)


def test_infinite_entries_are_masked_too():
    data = Data(x=torch.full((3, 2), float("inf")))
    for per in ("entry", "column"):
        assert not FeatureMasking(1.0, per)(data).x.any()


def test_all_node_types_are_masked_differently():
    data = hetero()
    data["author"].x = torch.ones(9, 8)
    data["paper"].x = torch.ones(9, 8)
    result = FeatureMasking(0.5, seed=0)(data)
    assert not torch.equal(result["author"].x, result["paper"].x)


def test_bad_words_are_refused():
    with pytest.raises(ValueError, match=r'per must be "entry" or "column" \(got \'row\'\)'):
        FeatureMasking(0.5, "row")
    with pytest.raises(ValueError, match='shared needs per="column"'):
        FeatureMasking(0.5, shared=True)


@pytest.mark.parametrize("count", [1, 6, 33_001, 70_000])
def test_entries_are_those_of_numpys_generator(count):
    drawn = np.random.Generator(np.random.SFC64(derive_seed(3, view=0))).integers(2**32, size=count, dtype=np.uint32)
    x = FeatureMasking(0.25, "entry", seed=3)(Data(x=torch.ones(count, 1))).x
    assert np.array_equal(x.view(-1).numpy() == 0, drawn < 2**30)

"""Numbers and masks of any type that can hold them work, others get the rule; a batch may come from anywhere."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data

import rlap.transforms as T

INDEX = torch.tensor([[0, 1, 1, 2, 2, 3, 4, 5], [1, 0, 2, 1, 3, 2, 5, 4]])
WHOLE = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
TRANSFORMS = {
    "NodeDropping": T.NodeDropping(0.5, relabel=True, seed=1),
    "RLap": T.RLap(0.5, relabel=True, seed=1),
    "EdgeAddition": T.EdgeAddition(0.5, seed=1),
    "EdgeDropping": T.EdgeDropping(0.5, seed=1),
}


def assert_same(one: Data, other: Data) -> None:
    assert one.keys() == other.keys()
    for key in one.to_dict():
        assert torch.equal(torch.as_tensor(one[key]).double(), torch.as_tensor(other[key]).double()), key


@pytest.mark.parametrize("name", TRANSFORMS)
@pytest.mark.parametrize("dtype", WHOLE, ids=str)
def test_whole_numbers(name, dtype):
    def graph(dtype):
        return Batch(
            edge_index=INDEX.to(dtype),
            num_nodes=6,
            ptr=torch.tensor([0, 4, 6]).to(dtype),
            batch=torch.tensor([0, 0, 0, 0, 1, 1]).to(dtype),
            x=torch.arange(6.0),
        )

    assert_same(TRANSFORMS[name](graph(dtype)), TRANSFORMS[name](graph(torch.int64)))


@pytest.mark.parametrize("name", ["NodeDropping", "RLap"])
def test_masks(name):
    mask = torch.tensor([True, True, False, True, True, True])
    expected = TRANSFORMS[name](Data(edge_index=INDEX, num_nodes=6, node_mask=mask))
    for dtype in (*WHOLE, torch.float32, torch.float64):
        given = mask.to(dtype) * 2  # not zero, as NumPy and torch take for true
        assert_same(TRANSFORMS[name](Data(edge_index=INDEX, num_nodes=6, node_mask=given)), expected)
    assert_same(TRANSFORMS[name](Data(edge_index=INDEX, num_nodes=6, node_mask=mask.numpy())), expected)
    for broken in (mask[:-1], mask[:, None]):
        with pytest.raises(ValueError, match=r"node_mask must have the shape \(6,\) \(got"):
            TRANSFORMS[name](Data(edge_index=INDEX, num_nodes=6, node_mask=broken))


@pytest.mark.parametrize("name", TRANSFORMS)
def test_rules(name):
    transform = TRANSFORMS[name]
    for dtype in (torch.float32, torch.bool):
        with pytest.raises(TypeError, match=f"edge_index must hold integers .got {dtype}"):
            transform(Data(edge_index=INDEX.to(dtype), num_nodes=6))
    for broken in (INDEX[:1], INDEX[0], np.zeros((2, 3), dtype=np.int64)):
        with pytest.raises(ValueError, match=r"edge_index must be a tensor of the shape \(2, E\)"):
            transform(Data(edge_index=broken, num_nodes=6))
    for ptr in ([0, 4], [0, 7, 6], [1, 6]):
        with pytest.raises(ValueError, match="ptr must rise from 0 to num_nodes = 6"):
            transform(Batch(edge_index=INDEX, num_nodes=6, ptr=torch.tensor(ptr)))
    with pytest.raises(TypeError, match="ptr must hold integers"):
        transform(Batch(edge_index=INDEX, num_nodes=6, ptr=torch.tensor([0.0, 6.0])))
    with pytest.raises(ValueError, match="batch must have one value for every node, 6 of them"):
        transform(Batch(edge_index=INDEX, num_nodes=6, batch=torch.tensor([0, 0])))
    with pytest.raises(ValueError, match="batch must be sorted and not negative"):
        transform(Batch(edge_index=INDEX, num_nodes=6, batch=torch.tensor([-1, 0, 0, 0, 0, 0])))


def test_edges_are_added_whatever_their_attributes_look_like():
    """What has one entry for every edge gets zeros for the new ones; everything else is left alone."""
    for shape in ((8,), (8, 0), (8, 1), (8, 8), (8, 2, 3)):
        result = T.EdgeAddition(0.5, seed=0)(Data(edge_index=INDEX, num_nodes=6, edge_attr=torch.ones(shape)))
        assert result.edge_index.shape == (2, 12)
        assert result.edge_attr.shape == (12, *shape[1:])
        assert (result.edge_attr[8:] == 0).all()
    for shape in ((), (1,), (3, 2), (2, 8), (6, 4)):
        result = T.EdgeAddition(0.5, seed=0)(Data(edge_index=INDEX, num_nodes=6, edge_attr=torch.ones(shape)))
        assert result.edge_index.shape == (2, 12)
        assert result.edge_attr.shape == shape


@pytest.mark.parametrize("directed", [False, True])
def test_a_batch_that_was_not_made_from_a_list(directed):
    made = Batch.from_data_list(
        [Data(edge_index=INDEX[:, :6], num_nodes=4, edge_attr=torch.ones(6, 3)) for _ in range(2)]
    )
    plain = Batch(edge_index=made.edge_index, edge_attr=made.edge_attr, batch=made.batch, num_nodes=8)
    transform = T.EdgeAddition(1.0, directed=directed, seed=0)
    results = [transform(made), transform(plain)]
    for result in results:
        assert result.edge_attr.shape == (result.num_edges, 3)
    edges = [set(map(tuple, result.edge_index.t().tolist())) for result in results]
    assert edges[0] == edges[1]


@pytest.mark.parametrize("name", TRANSFORMS)
def test_a_batch_that_has_other_edges_since_it_was_made(name):
    """PyG's own transforms do that. No edge may be lost, and PyG must not take it apart by what was true before."""
    stale = Batch.from_data_list([Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=3) for _ in range(2)])
    stale.edge_index = torch.tensor([[0, 1, 3, 4, 1, 2, 4, 5], [1, 0, 4, 3, 2, 1, 5, 4]])
    stale.edge_time = torch.arange(8.0)
    fresh = Batch(edge_index=stale.edge_index, edge_time=stale.edge_time, batch=stale.batch, num_nodes=6)
    result, expected = TRANSFORMS[name](stale), TRANSFORMS[name](fresh)
    assert torch.equal(result.edge_index, expected.edge_index)
    if name.startswith("Edge"):
        assert torch.equal(result.edge_time, expected.edge_time)
    with pytest.raises(RuntimeError, match="Cannot reconstruct"):
        result.to_data_list()
    assert len(stale.to_data_list()) == 2  # the caller's is untouched

"""Tensors must give what arrays give, where they lie, in the caller's types."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch_geometric

import rlap
from rlap.adapters.torch import accepts_torch, draw_seed, to_numpy, to_torch
from rlap.schur import View
from tests.graphs import random_graph

GRAPH = random_graph(40, 120, seed=1)
INDEX = torch.from_numpy(GRAPH.edge_index).contiguous()
WEIGHT = torch.from_numpy(GRAPH.edge_weight)


def view(edge_index=INDEX, edge_weight=WEIGHT, **options):
    return rlap.schur_view(edge_index, edge_weight, **{"num_nodes": 40, "fraction": 0.5, "seed": 7, **options})


def same(left, right):
    return torch.equal(left.edge_index, right.edge_index) and torch.equal(left.edge_weight, right.edge_weight)


@pytest.mark.parametrize("method", ["elimination", "walks", "coarsening"])
def test_tensors_and_arrays_give_the_same_view(method):
    tensors = view(method=method)
    arrays = view(GRAPH.edge_index, GRAPH.edge_weight, method=method)
    assert isinstance(arrays.edge_index, np.ndarray)
    np.testing.assert_array_equal(tensors.edge_index.numpy(), arrays.edge_index)
    np.testing.assert_array_equal(tensors.edge_weight.numpy(), arrays.edge_weight)
    np.testing.assert_array_equal(tensors.node_mask.numpy(), arrays.node_mask)
    assert tensors.node_mask.dtype == torch.bool
    assert tensors.ground is None


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.float32, torch.float64, torch.bool])
def test_a_tensor_is_read_where_it_lies(dtype):
    tensor = torch.ones(2, 5, dtype=dtype)
    assert to_numpy(tensor).ctypes.data == tensor.data_ptr()


def test_the_function_sees_the_callers_memory_and_the_caller_gets_its_result_without_a_copy():
    seen = {}

    def function(edge_index, edge_weight=None, **options):
        seen.update(index=edge_index.ctypes.data, weight=edge_weight.ctypes.data, keep=options["keep"].ctypes.data)
        seen["view"] = View(np.zeros((2, 3), np.int64), np.ones(3, np.float32), np.ones(4, bool))
        return seen["view"]

    index, weight, keep = torch.zeros(2, 3, dtype=torch.int64), torch.ones(3), torch.tensor([1, 2])
    result = accepts_torch(function)(index, weight, keep=keep)
    assert seen["index"] == index.data_ptr()
    assert seen["weight"] == weight.data_ptr()
    assert seen["keep"] == keep.data_ptr()
    for name in ("edge_index", "edge_weight", "node_mask"):
        assert getattr(result, name).data_ptr() == getattr(seen["view"], name).ctypes.data, name


def test_another_device_gets_the_whole_result_back():
    """The "meta" device stands for a GPU: nothing can be read from it, but results can be put there."""
    made = View(np.zeros((2, 3), np.int64), np.ones(3, np.float32), np.ones(4, bool), np.ones(4))

    class Faraway(torch.Tensor):
        brought = 0

        @property
        def device(self):
            return torch.device("meta")

        def cpu(self):
            Faraway.brought += 1
            return self.as_subclass(torch.Tensor)

        def detach(self):
            return self

    def function(edge_index, edge_weight=None, **options):
        assert isinstance(edge_index, np.ndarray)
        assert isinstance(edge_weight, np.ndarray)
        return made

    far = torch.zeros(2, 3, dtype=torch.int64).as_subclass(Faraway)
    result = accepts_torch(function)(far, torch.ones(3).as_subclass(Faraway))
    assert Faraway.brought == 2
    for name in ("edge_index", "edge_weight", "node_mask", "ground"):
        assert getattr(result, name).device.type == "meta", name


def test_gradients_stop_at_the_view():
    weight = WEIGHT.clone().requires_grad_()
    tracked = view(edge_weight=weight)
    assert not tracked.edge_weight.requires_grad
    assert same(tracked, view())
    assert weight.grad is None


def test_strided_tensors():
    index = torch.stack([INDEX, INDEX], dim=2)[:, :, 0]
    weight = WEIGHT.repeat_interleave(2)[::2]
    assert not index.is_contiguous()
    assert not weight.is_contiguous()
    assert same(view(index, weight), view())
    assert same(view(INDEX.T.contiguous().T, weight), view())


def test_a_lazy_minus_sign_is_not_lost():
    lazy = torch.complex(WEIGHT, -WEIGHT).conj().imag
    assert lazy.is_neg()
    assert same(view(edge_weight=lazy), view())


@pytest.mark.parametrize("dtype", [torch.int32, torch.int16, torch.uint8])
def test_the_index_keeps_its_type(dtype):
    small = view(INDEX.to(dtype))
    assert small.edge_index.dtype == dtype
    assert torch.equal(small.edge_index.long(), view().edge_index)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_the_weights_keep_their_type(dtype):
    narrow = WEIGHT.to(dtype)
    expected = view(edge_weight=narrow.double())  # the same numbers, computed with in double precision
    result = view(edge_weight=narrow)
    assert result.edge_weight.dtype == dtype
    assert torch.equal(result.edge_index, expected.edge_index)
    # Rounded once to the narrow type, and before that to single precision.
    bound = torch.finfo(dtype).eps / 2 + 1e-7
    assert ((result.edge_weight.double() / expected.edge_weight - 1).abs() <= bound).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_narrow_weights_stay_positive_and_finite(dtype):
    limits = torch.finfo(dtype)
    index = torch.tensor([[0, 1, 1, 2, 0, 2], [1, 0, 2, 1, 2, 0]])
    tiny = torch.full((6,), limits.tiny * limits.eps, dtype=dtype)  # halved by the elimination
    small = rlap.schur_view(index[:, :4], tiny[:4], num_nodes=3, eliminate=[1], seed=0)
    assert (small.edge_weight > 0).all()
    huge = torch.full((6,), limits.max, dtype=dtype)  # half of it is added to an edge that has all of it
    large = rlap.schur_view(index, huge, num_nodes=3, eliminate=[1], seed=0)
    assert torch.isfinite(large.edge_weight).all()
    assert (large.edge_weight == limits.max).all()


def test_missing_and_whole_weights_get_the_default_type():
    whole = torch.ones(INDEX.shape[1], dtype=torch.int64)
    assert view(edge_weight=None).edge_weight.dtype == torch.float32
    assert view(edge_weight=whole).edge_weight.dtype == torch.float32
    assert same(view(edge_weight=whole), view(edge_weight=None))
    torch.set_default_dtype(torch.float64)
    try:
        assert view(edge_weight=None).edge_weight.dtype == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, np.float32, "float64"])
def test_dtype_overrides_the_type_of_the_weights(dtype):
    expected = dtype if isinstance(dtype, torch.dtype) else torch.from_numpy(np.empty(0, dtype)).dtype
    assert view(edge_weight=WEIGHT.half(), dtype=dtype).edge_weight.dtype == expected


def test_dtype_must_be_a_floating_point_type():
    with pytest.raises(ValueError, match=r"dtype must be a floating-point type \(got torch.int64\)"):
        view(dtype=torch.int64)


def test_every_argument_may_be_a_tensor():
    keep, order = torch.arange(0, 40, 2), torch.randperm(40, generator=torch.Generator().manual_seed(3))
    ground = torch.linspace(0, 1, 40)
    result = view(
        num_nodes=torch.tensor(40),
        fraction=None,
        keep=keep,
        node_order=order,
        ground=ground,
        batch=torch.zeros(40, dtype=torch.int64),
        seed=torch.tensor(7),
    )
    expected = view(
        GRAPH.edge_index,
        GRAPH.edge_weight,
        fraction=None,
        keep=keep.numpy(),
        node_order=order.numpy(),
        ground=ground.numpy(),
    )
    np.testing.assert_array_equal(result.edge_weight.numpy(), expected.edge_weight)
    assert result.ground.dtype == torch.float32
    np.testing.assert_allclose(result.ground.numpy(), expected.ground, rtol=1e-6)
    mask = torch.zeros(40, dtype=torch.bool)
    mask[keep] = True
    assert same(view(fraction=None, keep=mask), view(fraction=None, keep=keep))


def test_the_ground_without_a_type_gets_that_of_the_weights():
    assert view(ground=[1.0] * 40).ground.dtype == torch.float64
    assert view(edge_weight=WEIGHT.float(), ground=[1.0] * 40).ground.dtype == torch.float32


def test_several_views_come_as_a_list():
    views = view(num_views=2, fraction=[0.25, 0.5])
    assert [int(one.node_mask.sum()) for one in views] == [30, 20]
    assert all(isinstance(one.edge_index, torch.Tensor) for one in views)


def test_pyg_edge_index():
    wrapped = torch_geometric.EdgeIndex(INDEX, sparse_size=(40, 40))
    assert same(view(wrapped), view())


def test_no_seed_follows_torch_manual_seed():
    def two():
        return [view(seed=None), view(seed=None)]

    torch.manual_seed(5)
    first = two()
    torch.manual_seed(5)
    again = two()
    torch.manual_seed(6)
    other = two()
    assert same(first[0], again[0])
    assert same(first[1], again[1])
    assert not same(first[0], first[1])
    assert not same(first[0], other[0])


def test_no_seed_leaves_numpy_alone_and_the_other_way_round():
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    view(seed=None)
    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002
    before = torch.get_rng_state()
    view(GRAPH.edge_index, GRAPH.edge_weight, seed=None)
    assert torch.equal(torch.get_rng_state(), before)


def test_a_torch_generator_is_drawn_from():
    one, two = torch.Generator().manual_seed(1), torch.Generator().manual_seed(1)
    first, second = view(seed=one), view(seed=one)
    assert same(first, view(seed=two))
    assert not same(first, second)


def test_numpy_seeds_work_beside_tensors():
    assert same(view(seed=np.random.default_rng(3)), view(seed=np.random.default_rng(3)))
    assert same(view(seed=np.random.RandomState(3)), view(seed=np.random.RandomState(3)))


def test_drawn_seeds_fill_64_bits():
    """Each bit is set in 100 of 200 fair draws, with a deviation of 7; five of these are 64 * 6e-7 likely."""
    generator = torch.Generator().manual_seed(0)
    bits = np.array([[draw_seed(generator) >> bit & 1 for bit in range(64)] for _ in range(200)])
    assert (abs(bits.sum(axis=0) - 100) < 5 * 7.07).all()


def test_other_seeds_pass_through():
    assert draw_seed(2**64 - 1) == 2**64 - 1
    assert view(seed=2**64 - 1).edge_index.shape[0] == 2


def test_numpy_seeds_follow_the_global_generator():
    arrays = (GRAPH.edge_index, GRAPH.edge_weight)
    np.random.seed(4)  # noqa: NPY002
    first, second = view(*arrays, seed=None), view(*arrays, seed=None)
    np.random.seed(4)  # noqa: NPY002
    again = view(*arrays, seed=None)
    np.testing.assert_array_equal(first.edge_index, again.edge_index)
    np.testing.assert_array_equal(first.edge_weight, again.edge_weight)
    assert first.edge_index.shape != second.edge_index.shape or (first.edge_index != second.edge_index).any()


def test_numpy_generators_are_drawn_from():
    rng = np.random.default_rng(8)
    first, second = (view(GRAPH.edge_index, GRAPH.edge_weight, seed=rng) for _ in range(2))
    again = view(GRAPH.edge_index, GRAPH.edge_weight, seed=np.random.default_rng(8))
    np.testing.assert_array_equal(first.edge_weight, again.edge_weight)
    assert first.edge_index.shape != second.edge_index.shape or (first.edge_index != second.edge_index).any()


def test_narrowing_leaves_zeros_alone():
    assert to_torch(np.array([0.0, 1.0]), "cpu", torch.float16).tolist() == [0.0, 1.0]


def test_no_edges_of_any_type_give_whole_numbers():
    for dtype in (torch.float32, torch.complex64):
        view = rlap.schur_view(torch.zeros(2, 0, dtype=dtype), num_nodes=3, fraction=0.5, seed=0)
        assert view.edge_index.dtype == torch.int64
        assert view.edge_index.shape == (2, 0)

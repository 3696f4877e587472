"""The pair is what two single calls give, whichever thread is faster."""

from __future__ import annotations

import threading
import time

import pytest
import torch
from torch.utils.data import DataLoader

import rlap
import rlap.transforms as T
from rlap.adapters.torch import seeds_from
from tests.transforms.examples import batch, single
from tests.transforms.test_all import NAMES, Repeated, assert_same, differs, make


@pytest.mark.parametrize("name", NAMES)
def test_with_seeds_it_is_the_two_single_calls(name):
    for source in (single(), batch()):
        first, second = T.TwoViews(make(name, seed=1), make(name, seed=2))(source)
        assert_same(first, make(name, seed=1)(source))
        assert_same(second, make(name, seed=2)(source))


def test_without_seeds_each_side_draws_from_its_own_generator():
    data = single()
    sides = [T.Compose([T.RLap(0.3), T.EdgeDropping(0.3)]), T.Compose([T.NodeDropping(0.3), T.FeatureMasking(0.3)])]
    views = T.TwoViews(*sides, seed=5)(data)
    for number, (side, view) in enumerate(zip(sides, views, strict=True)):
        with seeds_from(rlap.derive_seed(5, view=number)):
            assert_same(side(data), view)


class Slow:
    """A transform that waits first, so that one thread is sure to be the last."""

    def __init__(self, transform, seconds):
        self.transform, self.seconds = transform, seconds

    def __call__(self, data):
        time.sleep(self.seconds)
        return self.transform(data)


def test_results_do_not_depend_on_timing_and_follow_torchs_seed():
    data, runs = single(), []
    for seconds in ((0.0, 0.05), (0.05, 0.0)):
        torch.manual_seed(3)
        runs.append(T.TwoViews(*(Slow(T.EdgeDropping(0.5), one) for one in seconds))(data))
    for one, other in zip(*runs, strict=True):
        assert_same(one, other)
    assert differs(*runs[0])
    torch.manual_seed(4)
    assert differs(runs[0][0], T.TwoViews(T.EdgeDropping(0.5))(data)[0])


def test_both_sides_run_at_the_same_time():
    meet = threading.Barrier(2, timeout=20)

    def wait(data):
        meet.wait()
        return data

    T.TwoViews(wait, wait)(single())


def test_lists_give_two_lists():
    graphs = batch().to_data_list()
    first, second = T.TwoViews(T.EdgeDropping(0.5), seed=1)(graphs)
    assert len(first) == len(second) == len(graphs)
    with seeds_from(rlap.derive_seed(1)):
        for view, graph in zip(first, graphs, strict=True):
            assert_same(view, T.EdgeDropping(0.5)(graph))


def test_an_error_of_either_side_reaches_the_caller():
    def fail(data):
        raise KeyError("no")

    for sides in ((fail, T.Identity()), (T.Identity(), fail)):
        with pytest.raises(KeyError, match="no"):
            T.TwoViews(*sides)(single())
    with pytest.raises(TypeError, match=r"must be callable \(got float\)"):
        T.TwoViews(T.Identity(), 0.5)


def test_forked_workers():
    T.TwoViews(T.RLap(0.5))(single())  # threads of the main process are not there in its forks
    loader = DataLoader(
        Repeated([T.TwoViews(T.RLap(0.5))], 4),
        num_workers=2,
        multiprocessing_context="fork",
        collate_fn=list,
        generator=torch.Generator().manual_seed(0),
    )
    pairs = [one[0] for one in loader]
    assert len({tuple(view.edge_weight.tolist()) for pair in pairs for view in pair}) == 8


def test_repr():
    assert repr(T.TwoViews(T.RLap(0.5), T.Identity())) == "TwoViews(RLap(fraction=0.5), Identity())"

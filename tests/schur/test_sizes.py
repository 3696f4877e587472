"""Numbers beyond what 31, 32 or 63 bits hold, and results beyond any memory: a rule before anything is allocated."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from torch_geometric.data import Data

import rlap
import rlap.transforms as T
from rlap import _core
from rlap.diffusion import diffuse_edges, markov, ppr
from rlap.diffusion.ppr import PPR
from rlap.walks import random_walks, visited_nodes

PAIR = np.array([[0, 1], [1, 0]])
BIG = [2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64]


def matrix(nodes: int) -> sp.coo_array:
    return sp.coo_array((np.ones(2), (PAIR[0], PAIR[1])), shape=(nodes, nodes))


def data(**options: Any) -> Data:
    return Data(edge_index=torch.from_numpy(PAIR), **options)


@pytest.fixture(autouse=True)
def nothing_allocated():
    """No large array is made on the way to the rule; modules that are imported on the way take a megabyte or two."""
    tracemalloc.start()
    yield
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**23


@pytest.mark.parametrize("nodes", BIG)
def test_nodes(nodes):
    calls: list[Callable[[], Any]] = [
        lambda: rlap.schur_view(PAIR, num_nodes=nodes, fraction=0.5),
        lambda: rlap.prepare(PAIR, num_nodes=nodes),
        lambda: random_walks(PAIR, num_nodes=nodes, start=[0], length=3),
        lambda: diffuse_edges(PAIR, num_nodes=nodes, series=PPR(0.2)),
    ]
    if nodes < 2**63:
        calls += [lambda: ppr(matrix(nodes)), lambda: rlap.randomized_schur(matrix(nodes), fraction=0.5)]
        calls += [
            lambda: T.EdgeDropping(0.5)(data(num_nodes=nodes)),
            lambda: T.EdgeAddition(0.5)(data(num_nodes=nodes)),
        ]
    for call in calls:
        with pytest.raises(ValueError, match=rf"num_nodes must lie in \[0, 2147483646\] \(got {nodes}\)"):
            call()


@pytest.mark.parametrize("number", BIG[:-2])
def test_graphs_of_a_batch(number):
    with pytest.raises(ValueError, match=rf"batch must number its graphs .* \(got graph {number} for 2 nodes\)"):
        rlap.schur_view(PAIR, num_nodes=2, fraction=0.5, batch=[0, number])
    with pytest.raises(ValueError, match=rf"batch must number its graphs .* \(got graph {number} for 2 nodes\)"):
        T.EdgeDropping(0.5)(data(num_nodes=2, batch=torch.tensor([0, number])))
    with pytest.raises(ValueError, match="ptr must rise from 0 to num_nodes = 2"):
        rlap.schur_view(PAIR, num_nodes=2, fraction=0.5, ptr=[0, number])


@pytest.mark.parametrize("length", BIG[1:])
def test_walks(length):
    for call in (random_walks, visited_nodes):
        with pytest.raises(ValueError, match=rf"length must lie in \[0, 2\*\*31\) \(got {length}\)"):
            call(PAIR, num_nodes=2, start=[0, 1], length=length)


def test_results_that_fit_in_no_memory(monkeypatch):
    monkeypatch.setattr("rlap.schur.memory.available_memory", lambda: 2**34)
    many = 2**31 - 2
    for call in (
        lambda: rlap.schur_view(PAIR, num_nodes=2, fraction=0.5, num_views=2**40),
        lambda: rlap.schur_view(PAIR, num_nodes=2, fraction=0.5, num_views=2**64),
        lambda: rlap.schur_view(PAIR, num_nodes=many, fraction=0.5),
        lambda: random_walks(PAIR, num_nodes=2, start=[0, 1], length=2**31 - 1),
    ):
        with pytest.raises(MemoryError, match=r"the call needs about .* GiB of memory \(16.0 GiB are available\)"):
            call()


def test_the_core_itself():
    graph = rlap.prepare(PAIR, num_nodes=2).graph
    start = np.zeros(2, dtype=np.int32)
    for steps in (2**59, 2**60, 2**63 - 1, -1):
        with pytest.raises(ValueError, match=r"walks \* \(steps \+ 1\) below 2\*\*60"):
            _core.walk_restarting(graph, start, steps, 0.0, False, 0, 1)
    for graphs in (2**58, 2**61, 2**63 - 1):
        with pytest.raises(MemoryError):
            _core.coin_starts(0, graphs)
    with pytest.raises(ValueError, match="steps must be at most 10000000"):
        markov(sp.csr_array(matrix(2)), 0.1, 2**63)

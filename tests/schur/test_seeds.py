"""Different seeds, different views; the same seed, the same bits: on any number of threads, in a batch or alone."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rlap
from tests.graphs import KARATE, NODE_ORDERS, SMALL, Example, random_graph
from tests.oracles import enumerate_outcomes
from tests.sampling import Batch, Samples
from tests.schur.variants import ORDERS, VARIANTS, Arrays, digest, same, view_arrays
from tests.significance import assert_outcomes

WEIGHTED = random_graph(34, 90, seed=0)
LARGE = random_graph(2_000, 40_000, seed=1)
CALLS: list[dict[str, Any]] = [
    *({"node_order": word, "neighbor_order": neighbor_order} for word, neighbor_order in ORDERS),
    *({"node_order": word, "method": "coarsening"} for word in NODE_ORDERS),
    {"method": "walks"},
]
EACH_CALL = pytest.mark.parametrize("call", CALLS, ids=lambda call: "-".join(call.values()))
GROUNDED = pytest.mark.parametrize("grounded", [False, True], ids=["plain", "grounded"])
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("example", [KARATE, WEIGHTED], ids=str)
@pytest.mark.parametrize("name", VARIANTS)
def test_different_seeds_differ_and_the_same_repeats(example: Example, name: str) -> None:
    """Also with the order given or by degree, and the kept nodes given: then only the sampling can differ."""
    make = VARIANTS[name]
    seeds = [0, 1, 2, 3, 2**32, 2**63, 2**64 - 1]
    made = [make(example, seed) for seed in seeds]
    for left, right in itertools.combinations(made, 2):
        assert not same(left, right)
    assert same(make(example, 3), made[3])


def test_neighbouring_seeds_are_independent() -> None:
    example = SMALL[1]
    views = [
        rlap.schur_view(example.edge_index, num_nodes=6, keep=example.keep, seed=seed, num_threads=1)
        for seed in range(3_000)
    ]
    batch = Batch(example, len(views))
    edges = np.concatenate([view.edge_index + 6 * at for at, view in enumerate(views)], axis=1)
    samples: Samples = batch.unpack(edges, np.concatenate([view.edge_weight for view in views]), None)
    assert_outcomes(samples, enumerate_outcomes(example.dense, len(example.gone), candidates=example.gone))


def batch_options(batch: Batch, call: dict[str, Any], grounded: bool = False) -> dict[str, Any]:
    order = {"node_order": batch.nodes(batch.example.order)} if call.get("node_order") == "given" else {}
    return {
        "num_nodes": batch.num_nodes,
        "ground": batch.ground(batch.example.leak) if grounded else None,
        **call,
        **order,
    }


@EACH_CALL
@GROUNDED
@pytest.mark.parametrize("example", [KARATE, WEIGHTED], ids=str)
def test_threads_over_the_graphs_of_a_batch(call: dict[str, Any], grounded: bool, example: Example) -> None:
    """Large enough that four threads get work: each takes 2^15 edges at least."""
    batch = Batch(example, 1_200)
    options = batch_options(batch, call, grounded)
    made = [
        rlap.schur_view(
            batch.edge_index, batch.edge_weight, ptr=batch.ptr, fraction=0.5, seed=1, num_threads=threads, **options
        )
        for threads in (1, 2, 4)
    ]
    assert batch.edge_index.shape[1] > 4 * 2**15
    assert same(view_arrays(made[0]), view_arrays(made[1]))
    assert same(view_arrays(made[0]), view_arrays(made[2]))


@EACH_CALL
@GROUNDED
def test_threads_over_views_and_one_large_graph(call: dict[str, Any], grounded: bool) -> None:
    options = batch_options(Batch(LARGE, 1), call, grounded)
    made = [
        rlap.schur_view(
            LARGE.edge_index,
            LARGE.edge_weight,
            fraction=[0.5, 0.2, 0.7],
            num_views=3,
            seed=1,
            num_threads=threads,
            **options,
        )
        for threads in (1, 2, 4)
    ]
    for views in zip(*made, strict=True):
        first, *others = map(view_arrays, views)
        assert all(same(first, other) for other in others)


NOTHING = Example("nothing", 0, ())
ALONE = Example("alone", 1, (), ground=(1.0,), keep=(0,), order=(0,))
BATCHES = {
    "weighted": [SMALL[0], NOTHING, *(graph for graph in SMALL[1:] if graph.weighted), ALONE, WEIGHTED],
    "unweighted": [SMALL[1], NOTHING, KARATE, SMALL[4], ALONE],
    "mixed": [SMALL[0], NOTHING, KARATE, *SMALL[1:], ALONE, WEIGHTED],
}


def cut_out(view: rlap.View, begin: int, end: int) -> Arrays:
    inside = (view.edge_index[0] >= begin) & (view.edge_index[0] < end)
    ground = [] if view.ground is None else [view.ground[begin:end]]
    return [view.edge_index[:, inside] - begin, view.edge_weight[inside], view.node_mask[begin:end], *ground]


@EACH_CALL
@GROUNDED
@pytest.mark.parametrize("kept", [False, True], ids=["fraction", "keep"])
@pytest.mark.parametrize("name", BATCHES)
def test_in_a_batch_or_alone(call: dict[str, Any], grounded: bool, kept: bool, name: str) -> None:
    """Also for several views at once: view v of graph g is what the graph has alone with the derived seed."""
    graphs = BATCHES[name]
    if call.get("method") == "walks":
        graphs = [graph for graph in graphs if graph.name != "twelve_orders"]  # where walks can be trapped
    ptr = np.cumsum([0] + [graph.num_nodes for graph in graphs])
    weights = [example.dense[tuple(example.edge_index)] for example in graphs]

    def selection(example: Example, shift: int) -> dict[str, Any]:
        order = {"node_order": np.array(example.order, int) + shift} if call.get("node_order") == "given" else {}
        which = {"keep": np.array(example.keep, int) + shift} if kept else {"fraction": 0.5}
        return {**call, **order, **which, **({"ground": example.leak} if grounded else {})}

    each = [selection(example, int(shift)) for example, shift in zip(graphs, ptr[:-1], strict=True)]
    joined = each[0] | {
        name: np.concatenate([one[name] for one in each])
        for name in ("keep", "node_order", "ground")
        if isinstance(each[0].get(name), np.ndarray)
    }
    edges = np.concatenate([graph.edge_index + shift for graph, shift in zip(graphs, ptr[:-1], strict=True)], axis=1)
    views = rlap.schur_view(
        edges, np.concatenate(weights), num_nodes=int(ptr[-1]), ptr=ptr, seed=7, num_views=2, **joined
    )
    for v, g in itertools.product(range(2), range(len(graphs))):
        single = rlap.schur_view(
            graphs[g].edge_index,
            weights[g],
            num_nodes=graphs[g].num_nodes,
            seed=rlap.derive_seed(7, view=v, graph=g),
            **selection(graphs[g], 0),
        )
        assert same(cut_out(views[v], int(ptr[g]), int(ptr[g + 1])), view_arrays(single)), graphs[g].name


@EACH_CALL
def test_several_views_or_one_after_the_other(call: dict[str, Any]) -> None:
    options = batch_options(Batch(KARATE, 1), call)
    shares = [0.5, 0.1, 0.9]
    views = rlap.schur_view(KARATE.edge_index, fraction=shares, num_views=3, seed=11, **options)
    for v, view in enumerate(views):
        seed = rlap.derive_seed(11, view=v)
        single = rlap.schur_view(KARATE.edge_index, fraction=shares[v], seed=seed, **options)
        assert same(view_arrays(view), view_arrays(single))
    assert rlap.derive_seed(11) == 11


def test_derived_seeds_do_not_meet() -> None:
    derived = {rlap.derive_seed(s, view=v, graph=g) for s in (0, 1) for v in range(50) for g in range(200)}
    assert len(derived) == 2 * 50 * 200


def test_across_processes() -> None:
    script = (
        "import json; from tests.graphs import KARATE; from tests.schur.variants import VARIANTS, digest; "
        "print(json.dumps({name: digest(make(KARATE, 5)) for name, make in VARIANTS.items()}))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "77"}
    output = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT, env=environment
    ).stdout
    assert json.loads(output) == {name: digest(make(KARATE, 5)) for name, make in VARIANTS.items()}


def test_sources_of_seeds() -> None:
    def view(seed: Any) -> Arrays:
        return view_arrays(rlap.schur_view(KARATE.edge_index, num_nodes=34, fraction=0.5, seed=seed))

    assert same(view(np.int64(3)), view(3))
    assert same(view(np.random.default_rng(0)), view(np.random.default_rng(0)))
    assert same(view(np.random.RandomState(0)), view(np.random.RandomState(0)))
    generator = np.random.default_rng(0)
    assert not same(view(generator), view(generator))
    np.random.seed(5)  # noqa: NPY002 (the global generator is what None stands for)
    first = view(None)
    assert not same(view(None), first)
    np.random.seed(5)  # noqa: NPY002
    assert same(view(None), first)

"""Forged edge lists, whose hashes say that they are symmetric: every function that takes edges must refuse them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import rlap
from rlap import _core, centrality, diffusion, walks
from rlap.schur.edges import read_edges
from tests.child import doing, run_in_child
from tests.forged import Forged, cancelling, forge

MODULE = "tests.schur.test_forged"
FAULTS = (
    (None, "missing"),
    (np.float32, "missing"),
    (np.float64, "missing"),
    (np.float32, "weights"),
    (np.float64, "weights"),
)


def variants() -> Iterator[tuple[str, Forged]]:
    """Sizes, seeds, types, orders and faults; among them all that a check by hashes lets through."""
    for nodes, groups, among, seeds in ((20, 1, 0, 3), (20, 1, 100, 2), (300, 5, 200, 1), (40_000, 300, 0, 1)):
        for seed in range(seeds):
            for weight, fault in FAULTS[:: 1 if nodes < 1000 else 2]:
                for order in ("row", "column", "none"):
                    index = (np.int64, np.int32)[(seed + len(order)) % 2]
                    made: dict[str, Any] = {"weight": weight, "index": index, "order": order, "fault": fault}
                    label = f"forge({nodes}, {seed}, groups={groups}, among={among}, {made})"
                    yield label, forge(nodes, seed, groups=groups, among=among, **made)


def matrix(forged: Forged) -> sp.coo_array:
    weight = np.ones(forged.edge_index.shape[1]) if forged.edge_weight is None else forged.edge_weight
    return sp.coo_array((weight, tuple(forged.edge_index)), shape=(forged.num_nodes, forged.num_nodes))


def edges(function: Callable[..., Any], **options: Any) -> Callable[[Forged], Any]:
    return lambda forged: function(forged.edge_index, forged.edge_weight, num_nodes=forged.num_nodes, **options)


def adjacency(function: Callable[..., Any], *arguments: Any, **options: Any) -> Callable[[Forged], Any]:
    return lambda forged: function(matrix(forged), *arguments, **options)


def core_graph(threads: int) -> Callable[[Forged], Any]:
    """The reader itself, with threads however small the list is, and an elimination if it should get that far."""

    def call(forged: Forged) -> Any:
        weight, nodes = forged.edge_weight, forged.num_nodes
        ptr = np.array([0, nodes])
        row, col = (np.ascontiguousarray(end) for end in forged.edge_index)
        graph = _core.Graph(row, col, weight, nodes, ptr, False, threads, 0)
        orders = _core.NodeOrder.random, _core.NeighborOrder.asc
        seeds = np.zeros(1, np.uint64)
        return _core.eliminate(graph, np.array([[nodes // 2]]), seeds, None, None, *orders, None, False, False, 1)

    return call


def batch(forged: Forged) -> Any:
    """The second graph of a batch, behind one that is fine."""
    index = np.concatenate([[[0, 1], [1, 0]], forged.edge_index + 2], axis=1)
    weight = None if forged.edge_weight is None else np.concatenate([np.ones(2), forged.edge_weight])
    nodes = forged.num_nodes + 2
    return rlap.schur_view(index, weight, num_nodes=nodes, ptr=[0, 2, nodes], fraction=0.5, seed=0)


def grounded(forged: Forged) -> Any:
    return rlap.schur_view(
        forged.edge_index,
        forged.edge_weight,
        num_nodes=forged.num_nodes,
        fraction=0.5,
        ground=np.ones(forged.num_nodes),
        seed=0,
    )


CALLS: dict[str, Callable[[Forged], Any]] = {
    **{
        f"schur_view {method} {threads}": edges(
            rlap.schur_view, fraction=0.5, method=method, num_threads=threads, seed=0
        )
        for method in ("elimination", "walks", "coarsening")
        for threads in (1, 2)
    },
    "schur_view degree": edges(rlap.schur_view, fraction=0.5, node_order="degree", seed=0),
    "schur_view two views": edges(rlap.schur_view, fraction=0.5, num_views=2, seed=0),
    "schur_view batch": batch,
    "schur_view ground": grounded,
    "Graph 1": core_graph(1),
    "Graph 2": core_graph(2),
    "Graph 5": core_graph(5),
    "prepare": edges(rlap.prepare),
    "read_edges": lambda forged: read_edges(forged.edge_index, forged.edge_weight, forged.num_nodes),
    "randomized_schur": adjacency(rlap.randomized_schur, fraction=0.5, rng=0),
    "walk_schur": adjacency(rlap.walk_schur, fraction=0.5, rng=0),
    "vertex_coarsening": adjacency(rlap.vertex_coarsening, fraction=0.5, rng=0),
    "exact_schur": adjacency(rlap.exact_schur, keep=[0, 1]),
    "schur_path": adjacency(rlap.schur_path, [0.1, 0.5], rng=0),
    "approximate_factor": adjacency(rlap.approximate_factor, rng=0),
    "laplacian_solver": adjacency(rlap.laplacian_solver),
    "ppr": adjacency(diffusion.ppr),
    "heat": adjacency(diffusion.heat, 2.0),
    "markov": adjacency(diffusion.markov),
    "grounded": lambda forged: diffusion.grounded(matrix(forged), *np.ones((2, forged.num_nodes))),
    **{
        f"diffuse_edges {series}": edges(diffusion.diffuse_edges, series=series)
        for series in (diffusion.PPR(0.2), diffusion.Heat(1.0), diffusion.Markov(0.1, 3))
    },
    "degree": adjacency(centrality.degree),
    "eigenvector": adjacency(centrality.eigenvector),
    "pagerank": adjacency(centrality.pagerank),
    **{
        f"centrality {kind}": edges(centrality.centrality_of_edges, kind=kind)
        for kind in ("degree", "eigenvector", "pagerank")
    },
    "random_walks": edges(walks.random_walks, start=[0, 1], length=9, seed=0),
    "visited_nodes": edges(walks.visited_nodes, start=[0, 1], length=9, seed=0),
}


def refuse_all(names: list[str]) -> None:
    """Run in a child: no call may give a result, or die."""
    for label, forged in variants():
        for name in names:
            doing(f"{name} of {label}")
            with pytest.raises(ValueError, match=forged.refused) as caught:
                CALLS[name](forged)
            assert named_edge_is_at_fault(str(caught.value), forged), f"{name} of {label}: {caught.value}"


def named_edge_is_at_fault(message: str, forged: Forged) -> bool:
    """The edge of the message is there, and its reverse is not, or has another weight."""
    found = re.search(r"(\d+) -> (\d+)", message)
    if found is None:
        return False
    u, v = int(found[1]), int(found[2])
    known = {}
    weight = np.ones(forged.edge_index.shape[1]) if forged.edge_weight is None else forged.edge_weight
    for shift in (0, 2):  # the second graph of a batch begins at node 2
        known = {(x + shift, y + shift): w for x, y, w in zip(*forged.edge_index.tolist(), weight, strict=True)}
        if (u, v) in known and known.get((v, u)) != known[u, v]:
            return True
    return False


@pytest.mark.parametrize("names", [list(CALLS)[at::2] for at in range(2)], ids=["even", "odd"])
def test_every_function_refuses_them(names: list[str]) -> None:
    run_in_child(MODULE, "refuse_all", names)


def mend_all() -> None:
    """Run in a child: `symmetrize` makes a graph of a forged list, the same as of the list with all reverses."""
    for label, forged in variants():
        doing(label)
        mended = rlap.schur_view(
            forged.edge_index, forged.edge_weight, num_nodes=forged.num_nodes, fraction=0.0, symmetrize=True, seed=0
        )
        one_way = matrix(forged).astype(np.float64).tocsr()
        given = (one_way != 0).astype(np.float64)
        expected = (one_way + one_way.T).multiply((given + given.T).power(-1.0)).tocsr()
        expected.sort_indices()
        np.testing.assert_array_equal(mended.edge_index, expected.tocoo().coords)
        np.testing.assert_allclose(mended.edge_weight, expected.data, rtol=1e-6)


def test_symmetrize_mends_them() -> None:
    run_in_child(MODULE, "mend_all")


def take_parts() -> None:
    """Run in a child: parts of a graph take every edge once, in any direction, so to them nothing is wrong here."""
    orders = _core.NeighborOrder.asc
    for label, forged in variants():
        if "'fault': 'weights'" in label:
            continue
        doing(label)
        source, target = (np.ascontiguousarray(end, dtype=np.int32) for end in forged.edge_index)
        given = forged.edge_weight
        weight = np.ones(source.size) if given is None else given.astype(np.float64)
        nodes = forged.num_nodes
        filled, ids = np.zeros(source.size, np.bool_), np.arange(nodes, dtype=np.int64)
        order = np.random.default_rng(0).permutation(nodes)[: nodes // 2].astype(np.int32)
        # An edge that has both directions comes twice, and is summed.
        low, high, left, _ = _core.eliminate_part(source, target, weight, filled, ids, order, orders, 0)
        assert (low < high).all()
        assert not np.isin([low, high], order).any()
        assert (np.isfinite(left) & (left > 0)).all()
        assert low.size <= source.size
        rows = matrix(forged).tocsr()
        to = np.where(np.isin(rows.indices, order), rows.indices, ~rows.indices).astype(np.int32)
        start = rows.indptr.astype(np.int64)
        stood = np.flatnonzero(np.diff(start))[:50].astype(np.int32)
        walks_of = np.arange(stood.size)
        walked = rows.data.astype(np.float64), walks_of.astype(np.uint64), np.zeros_like(walks_of), stood
        try:
            step, exits, length = _core.walk_part(start, to, *walked, np.zeros(stood.size))
        except (ValueError, RuntimeError) as error:  # a way of one direction may lead to where none goes on
            if not re.search("must stand at a node that has an edge|took over 10000 steps", str(error)):
                raise
        else:
            assert (step > 0).all()
            assert (length > 0).all()
            assert not np.isin(exits, order).any()
        cluster, degree, volume = np.full(nodes, -1), np.zeros(nodes, np.int32), np.zeros(nodes, np.int64)
        for count in (True, False):
            _core.cluster_edges(source.astype(np.int64), target.astype(np.int64), cluster, degree, volume, 99, count)
        assert volume.sum() == 2 * source.size


def test_parts_take_them_for_what_they_are() -> None:
    run_in_child(MODULE, "take_parts")


def use_torch() -> None:
    """Run in a child: tensors, the drop-in and the transforms."""
    import torch
    from torch_geometric.data import Batch, Data

    import rlap.transforms as T
    from rlap import ops

    refusing = [
        T.RLap(0.5),
        T.RLap(0.5, method="walks"),
        T.VertexCoarsening(0.5),
        T.WalkSchur(0.5),
        T.RLapPPR(0.5),
        T.PPRDiffusion(),
        T.HeatDiffusion(2.0),
        T.MarkovDiffusion(),
        T.PPRSubgraph(5),
    ]
    # These take edges of one direction for what they are, or add the other.
    taking = [
        T.EdgeDropping(0.5),
        T.EdgeDroppingDegree(0.5),
        T.EdgeDroppingEVC(0.5),
        T.EdgeDroppingPR(0.5),
        T.EdgeAddition(0.5),
        T.NodeDropping(0.5),
        T.RandomWalkSubgraph(0.5),
    ]
    for label, forged in variants():
        if not label.startswith("forge(20, 0, groups=1, among=0") or forged.edge_index.dtype == np.int32:
            continue
        index = torch.from_numpy(forged.edge_index)
        weight = None if forged.edge_weight is None else torch.from_numpy(forged.edge_weight)
        data = Data(edge_index=index, edge_weight=weight, num_nodes=forged.num_nodes)
        ones = None if weight is None else torch.ones(2, dtype=weight.dtype)
        fine = Data(edge_index=torch.tensor([[0, 1], [1, 0]]), edge_weight=ones, num_nodes=2)
        for made in (data, Batch.from_data_list([fine, data])):
            for transform in refusing:
                doing(f"{transform} of {label}")
                with pytest.raises(ValueError, match=forged.refused):
                    transform(made)
            for transform in taking:
                doing(f"{transform} of {label}")
                assert transform(made).num_nodes <= made.num_nodes
        doing(f"torch of {label}")
        for order in ("random", "degree", "coarsen"):
            with pytest.raises(ValueError, match=forged.refused):
                ops.approximate_cholesky(index, weight, forged.num_nodes, forged.num_nodes // 2, order, "asc")
        with pytest.raises(ValueError, match=forged.refused):
            rlap.schur_view(index, weight, num_nodes=forged.num_nodes, fraction=0.5, seed=0)


def test_torch_and_transforms() -> None:
    pytest.importorskip("torch_geometric")
    run_in_child(MODULE, "use_torch")


def use_networkx() -> None:
    """Run in a child: a directed graph with forged edges."""
    import networkx as nx

    forged = forge(20, 0)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(20))
    graph.add_edges_from(forged.edge_index.T.tolist())
    for function in (rlap.randomized_schur, rlap.walk_schur, rlap.vertex_coarsening):
        doing(function.__name__)
        with pytest.raises(ValueError, match="both directions"):
            function(graph, fraction=0.5)


def test_networkx() -> None:
    pytest.importorskip("networkx")
    run_in_child(MODULE, "use_networkx")


def test_the_sets_cancel() -> None:
    """What is found cancels, and nothing that is not needed is in it."""
    hashes = np.random.default_rng(0).integers(0, 2**64, 66, dtype=np.uint64)
    chosen = cancelling(hashes)
    assert 2 < chosen.size <= 65
    assert np.bitwise_xor.reduce(hashes[chosen]) == 0
    assert np.bitwise_xor.reduce(hashes[chosen[:-1]]) != 0

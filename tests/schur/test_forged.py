"""Sets of one-way edges that were made to deceive a symmetry check by hashing are refused like any others.

An exclusive or of hashes is linear: among a few dozen one-way edges, Gaussian elimination over GF(2) finds some whose
hashes cancel. The check is exact now; a check by hashes let these sets through, and wrote out of bounds.
"""

from __future__ import annotations

import subprocess
import sys
import textwrap

import numpy as np
import pytest

GOLDEN = 0x9E3779B97F4A7C15
MASK = 2**64 - 1


def mix(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def forge(nodes, seed, weighted=False):
    """Find one-way edges (u, v, weight) whose hashes cancel."""
    rng = np.random.default_rng(seed)
    basis = {}
    seen = set()
    edges = []
    while True:
        u, v = (int(end) for end in rng.integers(0, nodes, 2))
        if u == v or (min(u, v), max(u, v)) in seen:
            continue
        seen.add((min(u, v), max(u, v)))
        weight = float(rng.uniform(0.5, 2)) if weighted else 1.0
        bits = int(np.float64(weight).view(np.uint64))
        value = mix((min(u, v) << 32 | max(u, v)) ^ ((bits * GOLDEN) & MASK if weighted else 0))
        members = 1 << len(edges)
        edges.append((u, v, weight))
        while value:
            top = value.bit_length()
            if top not in basis:
                basis[top] = (value, members)
                break
            value ^= basis[top][0]
            members ^= basis[top][1]
        if value == 0:
            return [edge for i, edge in enumerate(edges) if members >> i & 1]


def arrays(nodes, seed, weighted, order):
    edges = forge(nodes, seed, weighted)
    if order == "rows":
        edges.sort()
    elif order == "columns":
        edges.sort(key=lambda edge: (edge[1], edge[0]))
    index = np.array([[u for u, _, _ in edges], [v for _, v, _ in edges]])
    return index, np.array([weight for _, _, weight in edges]) if weighted else None


def test_the_hashes_of_a_forged_set_cancel():
    edges = forge(20, 0)
    total = 0
    for u, v, _ in edges:
        total ^= mix(min(u, v) << 32 | max(u, v))
    assert total == 0
    assert len(edges) > 10
    assert not {(u, v) for u, v, _ in edges} & {(v, u) for u, v, _ in edges}


CALLS = """
import sys
import numpy as np, scipy.sparse as sp, torch
sys.path.insert(0, sys.argv[1])
from torch_geometric.data import Data
import rlap
from rlap.centrality import centrality_of_edges
from rlap.diffusion import Heat, Markov, PPR, diffuse_edges
from rlap.transforms import RLap
from rlap.walks import random_walks
from schur.test_forged import arrays

index, weight = arrays(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "True", sys.argv[5])
nodes = int(sys.argv[2])
matrix = sp.csr_array((np.ones(index.shape[1]) if weight is None else weight, index), shape=(nodes, nodes))
calls = []
for kind in (np.int64, np.int32):
    for threads in (1, 2):
        for options in ({}, {"node_order": "degree"}, {"method": "walks"}, {"method": "coarsening"}, {"num_views": 2}):
            calls.append(lambda kind=kind, threads=threads, options=options: rlap.schur_view(
                index.astype(kind), weight, num_nodes=nodes, fraction=0.5, seed=0, num_threads=threads, **options))
half = {"fraction": 0.5, "rng": 0}
calls += [
    lambda: rlap.schur_view(np.concatenate([index, index + nodes], 1), num_nodes=2 * nodes, ptr=[0, nodes, 2 * nodes],
                            fraction=0.5),
    lambda: rlap.prepare(index, weight, num_nodes=nodes),
    lambda: rlap.randomized_schur(matrix, **half),
    lambda: rlap.walk_schur(matrix, **half),
    lambda: rlap.vertex_coarsening(matrix, **half),
    lambda: rlap.schur_path(matrix, [0.1, 0.5], rng=0),
    lambda: rlap.approximate_factor(matrix, rng=0),
    lambda: rlap.laplacian_solver(matrix),
    lambda: rlap.exact_schur(matrix, keep=[0, 1]),
    lambda: diffuse_edges(index, weight, num_nodes=nodes, series=PPR(0.2)),
    lambda: diffuse_edges(index, weight, num_nodes=nodes, series=Heat(1.0)),
    lambda: diffuse_edges(index, weight, num_nodes=nodes, series=Markov(0.1, 3)),
    lambda: centrality_of_edges(index, weight, num_nodes=nodes, kind="eigenvector"),
    lambda: random_walks(index, weight, num_nodes=nodes, start=[0], length=5),
    lambda: RLap(0.5)(Data(edge_index=torch.from_numpy(index), num_nodes=nodes)),
]
for call in calls:
    try:
        call()
    except ValueError as error:
        assert "without its reverse" in str(error), error
    else:
        raise AssertionError("one-way edges were taken")
print(len(calls))
"""


@pytest.mark.parametrize("order", ["rows", "columns", "none"])
@pytest.mark.parametrize(
    ("nodes", "seed", "weighted"), [(20, 0, False), (20, 1, True), (200, 2, False), (40_000, 3, True)]
)
def test_every_function_refuses_them(nodes, seed, weighted, order, request):
    tests = str(request.config.rootpath / "tests")
    command = [sys.executable, "-c", textwrap.dedent(CALLS), tests, str(nodes), str(seed), str(weighted), order]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, f"status {done.returncode}: {done.stderr}"
    assert done.stdout.strip() == "35"


def test_symmetrize_mends_them():
    import rlap

    index, _ = arrays(20, 0, False, "rows")
    view = rlap.schur_view(index, num_nodes=20, fraction=0.0, symmetrize=True)
    assert view.edge_index.shape[1] == 2 * index.shape[1]


def test_a_part_of_a_graph_takes_edges_one_way():
    from rlap import _core

    index, weight = arrays(20, 1, True, "none")
    filled = np.zeros(index.shape[1], dtype=bool)
    source, target = index.astype(np.int32)
    order = np.arange(5, dtype=np.int32)
    low, high, left, _ = _core.eliminate_part(
        source, target, weight, filled, np.arange(20), order, _core.NeighborOrder.asc, 0
    )
    assert (low < high).all()
    assert (low >= 5).all()
    assert (left > 0).all()
    assert low.size <= index.shape[1]

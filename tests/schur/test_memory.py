"""Ten thousand calls leave nothing behind, whether they succeed or fail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# In a process of its own: the memory of a test run is anybody's. Every result is a few kilobytes, so that a leak of one
# array a call would show as twenty megabytes or more.
CALLS = """
import numpy as np, rlap
from rlap import _core
from tests.graphs import KARATE
from tests.schur.variants import VARIANTS

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

def malformed(example, seed):
    bad = np.full(156, np.nan)
    for change in ({"fraction": 2.0}, {"edge_weight": bad}, {"ground": np.ones(3)}, {"ptr": [0, 5, 34]}):
        try:
            rlap.schur_view(**({"edge_index": example.edge_index, "num_nodes": 34, "fraction": 0.5} | change))
        except ValueError:
            pass
        else:
            raise AssertionError(change)

def views(example, seed):
    rlap.schur_view(example.edge_index, num_nodes=34, fraction=0.5, num_views=4, seed=seed, num_threads=2)

def solver(example, seed):
    rlap.laplacian_solver(example.sparse, rng=seed)(np.arange(34.0))

def exact(example, seed):
    rlap.exact_schur(example.sparse, keep=example.keep, ground=example.leak)

calls = [*VARIANTS.values(), malformed, views, solver, exact]

def run(times):
    for seed in range(times):
        calls[seed % len(calls)](KARATE, seed)

run(2_000)
before = resident()
run(10_000)
print(resident() - before)
"""


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer keeps freed memory back")
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_memory_does_not_grow() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CALLS],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    # What the allocator keeps for itself moves by some hundred kilobytes.
    assert int(done.stdout) < 2 * 2**20

"""Run by `make sanitize`: the tests that reach the core through NumPy and SciPy, on a core that watches itself.

Those that draw many samples to compare means would take minutes, and reach nothing that the others do not.
"""

import sys
from pathlib import Path

import pytest

import rlap

core = Path(rlap._core.__file__).resolve()
assert core.is_relative_to(Path(sys.argv[1]).resolve()), f"the sanitized core is not the one in use (got {core})"

WORDS = [
    "malformed",
    "changing_arrays",
    "fuzz",
    "batch",
    "golden",
    "laplacian_properties",
    "factor",
    "path",
    "solver",
    "ground",
    "walks",
    "threads",
]
sys.exit(
    pytest.main(
        [
            *(f"tests/schur/test_{word}.py" for word in WORDS),
            "tests/diffusion",
            "tests/centrality",
            "tests/test_walks.py",
            # It limits the address space, of which the sanitizer needs terabytes.
            "--deselect=tests/schur/test_malformed.py::test_more_nodes_than_memory",
            "--capture=sys",  # captured by descriptor, the report of a sanitizer would be lost with the process
            "-p",
            "no:cacheprovider",
        ]
    )
)

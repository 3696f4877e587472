"""Run by `make sanitize`: the tests that reach the core through NumPy and SciPy, on a core that watches itself."""

import sys
from pathlib import Path

import pytest

import rlap

core = Path(rlap._core.__file__).resolve()
assert core.is_relative_to(Path(sys.argv[1]).resolve()), f"the sanitized core is not the one in use (got {core})"
sys.exit(pytest.main(["tests/schur", "-p", "no:cacheprovider"]))

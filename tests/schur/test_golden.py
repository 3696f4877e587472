"""Views of today against views that were stored: results for a seed do not change unnoticed.

When they change on purpose, `python tests/schur/make_golden.py` stores the new ones.
"""

from __future__ import annotations

import json

import pytest

from tests.schur.make_golden import GOLDEN, golden_views

STORED = json.loads(GOLDEN.read_text())
TODAY = golden_views()


def test_the_same_variants() -> None:
    assert list(TODAY) == list(STORED)


@pytest.mark.parametrize("name", TODAY)
def test_the_same_bits(name: str) -> None:
    assert json.loads(json.dumps(TODAY[name])) == STORED.get(name)

"""The examples in the docstrings run and say the truth."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import rlap

MODULES = sorted(found.name for found in pkgutil.walk_packages(rlap.__path__, "rlap.") if "_core" not in found.name)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0

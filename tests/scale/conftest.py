"""One Ray for all tests of the room."""

from __future__ import annotations

import pytest

ray = pytest.importorskip("ray")


@pytest.fixture(scope="session")
def cluster():
    from rlap.scale.session import cluster

    with cluster(num_cpus=2):
        yield

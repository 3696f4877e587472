"""One thread: these problems are tiny, and a second thread on a busy machine makes each step wait for it."""

from __future__ import annotations

import pytest
import torch
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    with threadpool_limits(1):
        yield
    torch.set_num_threads(before)

"""What holds for all tests, set before anything is imported."""

from __future__ import annotations

import os
import signal

# Problems are tiny here. A second thread saves nothing, and on a busy machine every step waits for it.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A program that is started in the background does not hear an interruption; tests of what it does send one.
signal.signal(signal.SIGINT, signal.default_int_handler)

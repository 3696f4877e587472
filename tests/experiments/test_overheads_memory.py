"""Memory and processes: known amounts of memory are measured as such, and a process that fails takes nobody along."""

from __future__ import annotations

import os
import signal
import time
from functools import partial

import numpy as np
import pytest

import rlap
from rlap.experiments.overheads import memory
from rlap.experiments.overheads.isolation import run_alone
from rlap.experiments.overheads.memory import peak_growth
from rlap.schur.memory import available_memory

MB = 1_000_000
# What the interpreter touches on the way, in heap that was given back, and the kernel's count of pages, which lags by
# about a hundred for every processor.
TOLERANCE = 4 * MB


def allocate(megabytes: int, copies: int = 1) -> list[np.ndarray]:
    return [np.ones(megabytes * MB, dtype=np.uint8) for _ in range(copies)]


def growth(megabytes: int) -> int:
    return peak_growth(partial(allocate, megabytes))[0]


@pytest.mark.parametrize("megabytes", [0, 16, 96])
def test_growth_is_what_is_allocated(megabytes: int) -> None:
    assert abs(run_alone(growth, megabytes).need() - megabytes * MB) < TOLERANCE


def growth_and_release() -> int:
    def call() -> None:
        allocate(64)
        allocate(8, copies=2)

    return peak_growth(call)[0]


def test_what_is_freed_before_the_end_counts() -> None:
    assert abs(run_alone(growth_and_release).need() - 64 * MB) < TOLERANCE


def growth_after_a_higher_peak() -> int:
    there = allocate(64)
    growth(200)
    return growth(16) + 0 * len(there)


def test_growth_does_not_count_what_was_there_or_what_came_before() -> None:
    assert abs(run_alone(growth_after_a_higher_peak).need() - 16 * MB) < TOLERANCE


def growth_in_a_heap_with_holes() -> int:
    def small_blocks() -> list[bytearray]:
        return [bytearray(b"x" * 50_000) for _ in range(1000)]  # too small to be mapped by themselves

    blocks = small_blocks()
    last = bytearray(b"x" * 50_000)  # above them, so that the heap cannot shrink
    del blocks
    return peak_growth(small_blocks)[0] + 0 * len(last)


def test_freed_memory_that_the_allocator_holds_counts_again() -> None:
    assert abs(run_alone(growth_in_a_heap_with_holes).need() - 50 * MB) < TOLERANCE


def growths_of_one_view_after_the_other() -> tuple[int, int, int, int]:
    nodes = np.arange(1_000_000)
    following = np.roll(nodes, -1)
    cycle = np.stack([np.concatenate([nodes, following]), np.concatenate([following, nodes])])

    def view() -> None:
        rlap.schur_view(cycle, num_nodes=len(nodes), fraction=0.5, seed=0, num_threads=1)

    before = rlap.keep_memory(2**30)
    first, second = peak_growth(view)[0], peak_growth(view)[0]
    return first, second, before, rlap.keep_memory(before)


def test_freed_memory_that_the_core_keeps_counts_again() -> None:
    first, second, before, after = run_alone(growths_of_one_view_after_the_other).need()
    assert first > 24 * 2 * 500_000  # the view: half a million edges in both directions, 24 bytes each
    assert abs(second - first) < TOLERANCE
    assert after == before  # the limit of what is kept


def growth_without_reset() -> int:
    memory._RESET = memory._STATUS.parent / "absent"
    allocate(100)
    return growth(220)


def test_without_the_system_s_help_growth_counts_above_the_highest() -> None:
    assert abs(run_alone(growth_without_reset).need() - 120 * MB) < TOLERANCE


def die(number: int) -> None:
    os.kill(os.getpid(), number)
    time.sleep(10)


def test_a_call_alone_gives_its_result_in_another_process() -> None:
    assert run_alone(os.getpid).need() != os.getpid()
    assert run_alone(np.add, 2, 3).need() == 5


def test_a_call_alone_has_the_environment_of_its_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    run_alone(os.getpid)
    monkeypatch.setenv("RLAP_DATA", "elsewhere")
    assert run_alone(os.getenv, "RLAP_DATA").need() == "elsewhere"


def test_an_error_is_told() -> None:
    outcome = run_alone(int, "x")
    assert outcome.problem.startswith("ValueError: invalid literal")
    assert not outcome.out_of_memory
    with pytest.raises(RuntimeError, match="invalid literal"):
        outcome.need()


def test_too_much_memory_ends_the_call_alone() -> None:
    limit = 300 * MB
    assert len(run_alone(allocate, 100, 1, limit=limit).need()) == 1
    outcome = run_alone(allocate, 100, 5, limit=limit)
    assert outcome.out_of_memory
    assert outcome.result is None


def test_torch_s_words_for_no_memory_are_known() -> None:
    import torch

    assert run_alone(torch.ones, 400 * MB, limit=300 * MB).out_of_memory


def test_a_process_that_the_system_ends_is_told() -> None:
    assert run_alone(die, signal.SIGKILL).out_of_memory
    outcome = run_alone(os._exit, 3)
    assert outcome.problem == "the process ended with code 3"
    assert not outcome.out_of_memory


def test_available_memory_is_below_what_is_installed() -> None:
    installed = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    available = available_memory()
    assert available is not None
    assert 0 < available <= installed

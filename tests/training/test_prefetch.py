"""The background thread: in order, bounded, and gone at the end."""

from __future__ import annotations

import threading

import pytest

from rlap.training.prefetch import prefetched


def views_threads():
    return [thread for thread in threading.enumerate() if thread.name.startswith("rlap-views")]


def test_results_come_in_order_from_one_other_thread():
    threads = set()

    def make(step):
        threads.add(threading.current_thread())
        return step * 10

    with prefetched(make, range(50)) as made:
        assert list(made) == [10 * step for step in range(50)]
    assert len(threads) == 1
    assert threading.main_thread() not in threads
    assert views_threads() == []


def test_it_works_ahead_but_not_further():
    """While the first is used, the two after it are made and the fourth is not begun."""
    begun, third = [], threading.Event()

    def make(step):
        begun.append(step)
        if step == 2:
            third.set()
        return step

    with prefetched(make, range(10), ahead=2) as made:
        assert next(made) == 0
        assert not third.is_set()
        assert next(made) == 1
        assert third.wait(20)
        assert begun == [0, 1, 2]


def test_errors_arrive_where_the_result_is_used():
    def make(step):
        if step == 2:
            raise KeyError("no view")
        return step

    with prefetched(make, range(5)) as made:
        assert [next(made), next(made)] == [0, 1]
        with pytest.raises(KeyError, match="no view"):
            next(made)
    assert views_threads() == []


def test_leaving_early_leaves_nothing_running():
    begun = []

    def leave():
        with prefetched(begun.append, range(10**9)) as made:
            next(made)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        leave()
    assert views_threads() == []
    count = len(begun)
    assert count <= 3
    assert len(begun) == count

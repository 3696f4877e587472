"""The store: who may do what, and what is left when processes are killed at random."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from pathlib import Path

import pytest

from rlap.experiments.store import ClaimLost, Owner, Store, StoreError
from rlap.experiments.store import connection as connection_module
from rlap.experiments.store import store as store_module
from tests.disks import filled, remount, small_disk
from tests.experiments.many_workers import ENVIRONMENT, Workers, jobs


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "store.sqlite")
    yield made
    made.close()


def far(pid=1):
    """A process on another machine."""
    return Owner("elsewhere", pid, 12345)


def test_a_result_is_written_once_and_never_computed_again(store):
    [key] = store.add(jobs(1))
    assert store.add(jobs(1)) == [key]
    claim = store.claim(key)
    store.finish(claim, {"accuracy": 0.5}, **ENVIRONMENT)
    assert store.add(jobs(1)) == [key]
    assert store.claim(key) is None
    [entry] = store.entries()
    assert (entry.state, entry.result, entry.environment, entry.code) == (
        "done",
        {"accuracy": 0.5},
        {"threads": 1},
        "abc",
    )
    with pytest.raises(ClaimLost):
        store.finish(claim, {"accuracy": 0.6}, **ENVIRONMENT)
    with pytest.raises(sqlite3.IntegrityError, match="a result is written once"):
        store._connection.execute("UPDATE results SET result = '{}'")
    assert [entry.result for entry in store.entries()] == [{"accuracy": 0.5}]


def test_one_claim_at_a_time(store):
    [key] = store.add(jobs(1))
    other = Store(store.path)
    claim = store.claim(key)
    assert other.claim(key) is None
    store.give_back(claim, seconds=3.0)
    again = other.claim(key)
    assert again.spent == 3.0
    for act in (
        lambda: store.finish(claim, {}, **ENVIRONMENT),
        lambda: store.fail(claim, "no"),
        lambda: store.give_back(claim),
        lambda: store.renew(claim),
    ):
        with pytest.raises(ClaimLost):
            act()
    other.renew(again)
    other.finish(again, {"accuracy": 1.0}, **ENVIRONMENT)
    with pytest.raises(ValueError, match="must be in the store"):
        store.claim("nothing")


def test_a_lease_counts_where_the_process_cannot_be_seen(store, monkeypatch):
    [key] = store.add(jobs(1))
    clock = [1000.0]
    monkeypatch.setattr(store_module.time, "time", lambda: clock[0])
    first = store.claim(key, far())
    clock[0] += store_module.LEASE - 1
    assert store.claim(key, far(2)) is None
    store.renew(first)
    clock[0] += store_module.LEASE - 1
    assert store.claim(key, far(2)) is None
    clock[0] += 2
    second = store.claim(key, far(2))
    assert second is not None
    with pytest.raises(ClaimLost):
        store.finish(first, {}, **ENVIRONMENT)


def test_a_process_that_is_seen_to_live_keeps_its_claim_and_a_dead_one_loses_it_at_once(store, monkeypatch):
    keys = store.add(jobs(2))
    child = os.fork()
    if child == 0:
        time.sleep(60)
        os._exit(0)
    there = Owner.me()
    started = int(Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[19])
    owner = Owner(there.host, child, started)
    assert owner.is_alive()
    assert store.claim(keys[0], owner)
    assert store.claim(keys[1], Owner(there.host, child, started - 1))  # the number was another process's before
    clock = time.time()
    monkeypatch.setattr(store_module.time, "time", lambda: clock + 10 * store_module.LEASE)
    assert store.claim(keys[0]) is None  # it may be paused
    assert store.claim(keys[1]) is not None
    os.kill(child, signal.SIGKILL)
    while owner.is_alive():
        time.sleep(0.001)
    assert store.claim(keys[0]) is not None  # before anybody has waited for it
    os.waitpid(child, 0)


def test_a_run_that_kills_its_process_is_not_tried_for_ever(store):
    [key] = store.add(jobs(1))
    there = Owner.me()
    for _ in range(3):
        assert store.claim(key, Owner(there.host, there.pid, 1)) is not None
    assert store.claim(key) is None
    [entry] = store.entries()
    assert entry.state == "failed"
    assert "ended 3 times without a word" in entry.error
    assert store.reopen([key]) == 1
    assert store.claim(key) is not None


def test_a_run_that_gets_on_may_lose_any_number_of_processes(store):
    """Where machines are taken away at any time, what counts is that the checkpoint moves."""
    [key] = store.add(jobs(1))
    there, path = Owner.me(), store.checkpoint(key)
    path.parent.mkdir()
    for step in range(7):
        for _ in range(2):  # one of two gets on
            assert store.claim(key, Owner(there.host, there.pid, 1)) is not None
        path.write_text(str(step))
    for _ in range(2):  # with the one before, three at the same point
        assert store.claim(key, Owner(there.host, there.pid, 1)) is not None
    assert store.claim(key) is None
    assert [entry.state for entry in store.entries()] == ["failed"]


def test_a_store_of_before_is_used_as_it_is(tmp_path):
    path = tmp_path / "store.sqlite"
    first = Store(path)
    [key] = first.add(jobs(1))
    first._connection.execute("ALTER TABLE runs DROP COLUMN checkpoint")
    first.close()
    second = Store(path)
    second.finish(second.claim(key), {"accuracy": 0.5}, **ENVIRONMENT)
    assert [entry.result for entry in second.entries()] == [{"accuracy": 0.5}]


def test_failures_are_kept_and_taken_up_again(store):
    keys = store.add(jobs(3))
    store.fail(store.claim(keys[0]), "Traceback: no", seconds=1.0)
    store.finish(store.claim(keys[1]), {}, **ENVIRONMENT)
    assert store.states() == dict(zip(keys, ["failed", "done", "open"], strict=True))
    assert next(store.entries()).error == "Traceback: no"
    assert store.claim(keys[0]) is None
    assert store.reopen(keys) == 1
    assert store.claim(keys[0]).spent == 1.0


def test_a_finished_run_leaves_no_checkpoint(store):
    [key] = store.add(jobs(1))
    path = store.checkpoint(key)
    path.parent.mkdir()
    path.write_text("state")
    claim = store.claim(key)
    store.give_back(claim)
    assert path.exists()
    store.finish(store.claim(key), {}, **ENVIRONMENT)
    assert not path.exists()


def test_what_is_no_store(tmp_path):
    text = tmp_path / "text.sqlite"
    text.write_text("no data base, but long enough that SQLite looks at it\n" * 40)
    other = tmp_path / "other.sqlite"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE things (name)")
    connection.commit()
    for path in (text, other):
        before = path.read_bytes()
        with pytest.raises(ValueError, match="the store must be a file that rlap wrote"):
            Store(path)
        assert path.read_bytes() == before
    late = Store(tmp_path / "late.sqlite")
    late._connection.execute("PRAGMA user_version = 99")
    late.close()
    with pytest.raises(ValueError, match=r"version must be at most 1 \(got 99\)"):
        Store(tmp_path / "late.sqlite")


def lock(path):
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


def test_a_full_disk_is_said_and_everything_goes_on_afterwards(tmp_path):
    with small_disk(tmp_path / "disk", 512) as disk:
        store = Store(disk / "store.sqlite")
        keys = store.add(jobs(3))
        claim = store.claim(keys[0])
        with filled(disk):
            for act in (
                lambda: store.finish(claim, {"text": "x" * 100_000}, **ENVIRONMENT),
                lambda: store.add(jobs(500)),
                lambda: Store(disk / "other.sqlite"),
            ):
                with pytest.raises(
                    StoreError, match=r"full.*free some space and call again, what is in the store stay"
                ):
                    act()
            assert set(store.states()) == set(keys)
        store.finish(claim, {"text": "x" * 100_000}, **ENVIRONMENT)
        assert [entry.state for entry in store.entries()] == ["done", "open", "open"]
        store.close()


def test_a_run_is_given_back_on_a_full_disk_however_often(tmp_path):
    """Else it would count as one whose process dies, and fail after three full disks."""
    with small_disk(tmp_path / "disk", 512) as disk:
        caller = Store(disk / "store.sqlite")  # as there is one in every call
        [key] = caller.add(jobs(1))
        for _ in range(4):
            worker = Store(caller.path)
            claim = worker.claim(key)
            with filled(disk):
                worker.give_back(claim, 1.0)
            worker.close()
            assert caller.states() == {key: "open"}
        assert caller.spent() == {key: 4.0}
        caller.close()


def test_a_disk_that_cannot_be_written_to_is_said(tmp_path):
    with small_disk(tmp_path / "disk") as disk:
        Store(disk / "store.sqlite").close()
        remount(disk, "ro")
        for name in ("store.sqlite", "other.sqlite"):
            with pytest.raises(StoreError, match=r"(writable|written to).*copy it elsewhere"):
                Store(disk / name)


def test_a_lock_is_said(store, monkeypatch):
    [key] = store.add(jobs(1))
    monkeypatch.setattr(connection_module, "_WAIT", 0.1)
    hurried = Store(store.path)
    other = lock(store.path)
    with pytest.raises(StoreError, match=r"database is locked.*wait for it, or end it, and call again"):
        hurried.claim(key)
    other.close()
    assert hurried.claim(key) is not None


def test_damage_is_said_and_nothing_is_made_worse(tmp_path):
    path = tmp_path / "store.sqlite"
    store = Store(path)
    store.add(jobs(200))
    store.close()
    content = bytearray(path.read_bytes())
    content[2 * 4096 : 8 * 4096] = random.Random(0).randbytes(6 * 4096)
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"malformed.*keep it, and a copy.*\.recover.*rlap results import"):
        list(Store(path).entries())
    assert path.read_bytes() == content


def test_processes_killed_at_random_lose_nothing_and_double_nothing(tmp_path):
    workers, chance = Workers(tmp_path, 60), random.Random(7)
    for seed in range(4):
        workers.start(seed)
    for kill in range(25):
        time.sleep(chance.uniform(0.0, 0.03))
        workers.kill(chance.randrange(4))
        workers.start(100 + kill)
    workers.wait()
    store = Store(tmp_path / "store.sqlite")
    store.reopen(workers.keys)  # a few may have lost three processes in a row
    store.close()
    workers.work_until_done(0)
    assert workers.problems() == []

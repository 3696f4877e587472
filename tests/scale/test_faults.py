"""What fails costs its part again, and changes nothing."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import rlap.scale
from rlap.scale import levels, view, walks
from tests.scale.faults import deadly
from tests.scale.graphs import grid


def make(**options):
    source, target, weight, nodes = grid(12, weighted=True)
    options = {"fraction": 0.8, "parts": 3, "levels": 2, "fits": 0, "seed": 7} | options
    return rlap.scale.schur_view((source, target, weight), directions="one", num_nodes=nodes, **options)


def assert_same_bits(one, other):
    np.testing.assert_array_equal(one.edge_index, other.edge_index)
    np.testing.assert_array_equal(one.edge_weight, other.edge_weight)


def test_a_worker_is_killed(cluster, tmp_path, monkeypatch):
    expected = make()
    monkeypatch.setattr(levels, "reduce_part", deadly(levels.reduce_part, tmp_path / "dead"))
    assert_same_bits(make(), expected)
    assert (tmp_path / "dead").exists()


def test_a_worker_is_killed_while_it_walks(cluster, tmp_path, monkeypatch):
    expected = make(method="walks", parts=2)
    monkeypatch.setattr(walks, "walk_round", deadly(walks.walk_round, tmp_path / "dead"))
    assert_same_bits(make(method="walks", parts=2), expected)
    assert (tmp_path / "dead").exists()


def test_a_mistake_is_not_tried_again(cluster):
    with pytest.raises(ValueError, match=r"weights must be positive and finite \(got -1.0 for the edge 0 - 1\)"):
        rlap.scale.schur_view(([0], [1], [-1.0]), fraction=0.5, directions="one")


def sleep_long(*arguments):
    time.sleep(600)


def test_an_interrupt_ends_all_and_leaves_no_folder(cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(levels, "reduce_part", sleep_long)

    def watch(stage, done, total):
        if stage == "level 1":
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()

    with pytest.raises(KeyboardInterrupt):
        make(out=tmp_path / "view", watch=watch)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    assert make(out=tmp_path / "view").path == tmp_path / "view"  # the workers are free again


VICTIM = """
import sys, time
import rlap.scale
from rlap.scale import levels
from tests.scale.test_faults import make, sleep_long

levels.reduce_part = sleep_long

def watch(stage, done, total):
    print(stage, flush=True)

make(out=sys.argv[1], watch=watch, num_cpus=1)
"""


def test_a_killed_call_leaves_a_folder_and_the_next_removes_it(cluster, tmp_path):
    """That of a call that lives stays, and what only looks like one."""
    out = tmp_path / "view"
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", VICTIM, str(out)]
    first, second = (subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) for _ in range(2))
    try:
        for process in (first, second):
            assert any(line == "level 1\n" for line in process.stdout)
        assert len(list(tmp_path.glob(".view.????????.part"))) == 2
        first.kill()
        first.wait()
        for name in (".view.settings", ".view.x.abcdefgh.part"):
            (tmp_path / name).mkdir()
        assert make(out=out).path == out
        left = {path.name for path in tmp_path.iterdir()} - {".view.settings", ".view.x.abcdefgh.part", "view"}
        assert len(left) == 1
    finally:
        for process in (first, second):
            process.kill()
            process.wait()
            process.stdout.close()
    assert make(out=tmp_path / "view2").path.is_dir()
    with pytest.raises(ValueError, match="out must be a new or empty folder"):
        make(out=out)
    shutil.rmtree(out)
    make(out=out)
    assert not list(tmp_path.glob(".view.????????.part"))


def test_what_fails_while_writing_leaves_no_folder(cluster, tmp_path, monkeypatch):
    def refuse(*arguments):
        raise OSError("no space left")

    monkeypatch.setattr(view, "merge_shard", refuse)
    with pytest.raises(OSError, match="no space left"):
        make(out=tmp_path / "view")
    assert list(tmp_path.iterdir()) == []


def test_a_machine_dies():
    """In a cluster of its own, whose machines are processes here."""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "tests.scale.faults"], cwd=root, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stdout.split()[-3:] == ["True", "True", "True"], done.stdout + done.stderr

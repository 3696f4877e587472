"""`rlap scale view`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import rlap.scale
from rlap.cli import build_app
from tests.scale.graphs import grid


@pytest.fixture
def files(tmp_path):
    source, target, weight, _ = grid(8, weighted=True)
    (tmp_path / "edges").mkdir()
    pq.write_table(pa.table({"source": source, "target": target, "weight": weight}), tmp_path / "edges" / "0.parquet")
    return tmp_path / "edges"


def run(*arguments):
    return CliRunner().invoke(build_app(), ["scale", "view", *map(str, arguments)])


def test_a_view(cluster, files, tmp_path):
    out = tmp_path / "view"
    options = ["--fraction", 0.6, "--parts", 3, "--levels", 2, "--fits", 0, "--seed", 4, "--directions", "one"]
    done = run("--edges", f"{files}/*.parquet", "--out", out, *options)
    assert done.exit_code == 0, done.output
    expected = rlap.scale.schur_view(
        files, fraction=0.6, parts=3, levels=2, fits=0, seed=4, directions="one", out=tmp_path / "same"
    )
    assert pq.read_table(out).equals(pq.read_table(tmp_path / "same"))
    assert "26 of 64 nodes" in done.output
    assert f"{expected.summary.edges} edges are in" in done.output.replace("\n", " ")
    assert "seed 4" in done.output


def test_keep_and_quiet(cluster, files, tmp_path):
    (tmp_path / "keep.txt").write_text("0\n\n9\n63\n")
    done = run(
        "--edges", files, "--out", tmp_path / "view", "--keep", tmp_path / "keep.txt", "--directions", "one", "-q"
    )
    assert (done.exit_code, done.output) == (0, "")
    assert set(pq.read_table(tmp_path / "view")["source"].to_pylist()) <= {0, 9, 63}


VICTIM = """
import sys
from rlap.cli import main
from rlap.scale import levels
from tests.scale.test_faults import sleep_long

find = levels.find_parts
levels.reduce_part = sleep_long
levels.find_parts = lambda *arguments: print("started", flush=True) or find(*arguments)
main()
"""


def test_ctrl_c_is_130_and_one_line(files, tmp_path):
    """As a terminal sends it: to the process and to all that it has started."""
    words = ["--edges", files, "--out", tmp_path / "view", "--fraction", 0.5, "--workers", 1, "--directions", "one"]
    process = subprocess.Popen(
        [sys.executable, "-c", VICTIM, "scale", "view", *map(str, words)],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout.readline() == "started\n"
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=120)
    finally:
        process.kill()
    assert (process.returncode, said) == (130, "interrupted: nothing was written\n")
    assert [path.name for path in tmp_path.iterdir()] == ["edges"]


def test_refusals(files, tmp_path):
    """None of them takes the time to start Ray."""
    (tmp_path / "keep.txt").write_text("0\nnine\n")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    for arguments, rule in (
        (["--out", tmp_path / "view"], "give exactly one of --fraction and --keep (got neither)"),
        (["--out", tmp_path / "view", "--fraction", 2], "fraction must lie in [0, 1] (got 2.0)"),
        (["--out", tmp_path / "view", "--keep", tmp_path / "no"], "the file of --keep must exist"),
        (["--out", tmp_path / "view", "--keep", tmp_path / "keep.txt"], "(got 'nine' in line 2)"),
        (["--out", tmp_path / "full", "--fraction", 0.5], "out must be a new or empty folder"),
        (
            ["--edges", tmp_path / "none", "--out", tmp_path / "view", "--fraction", 0.5],
            "edges must name Parquet files",
        ),
    ):
        done = run(*(arguments if "--edges" in arguments else ["--edges", files, *arguments]))
        assert done.exit_code == 2, done.output
        assert rule in done.output.replace("\n", " ")
        assert not (tmp_path / "view").exists()

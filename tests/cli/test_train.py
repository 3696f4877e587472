"""`rlap train` against the library's own run, and bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from typer.testing import CliRunner, Result

from rlap import loader
from rlap.cli import build_app
from rlap.cli.train_options import Loader
from rlap.experiments import make_config
from rlap.experiments import run as run_here

SMALL = ["--set", "hidden=8", "--set", "epochs=3", "--splits", "2"]


def run(*words: Any) -> Result:
    """Call the command line."""
    return CliRunner(env={"COLUMNS": "200"}).invoke(build_app(), [str(word) for word in words])


def make(*words: Any) -> str:
    """Call it; it must go well."""
    result = run(*words)
    assert result.exit_code == 0, result.output
    return str(result.output)


def test_it_is_the_librarys_run(tmp_path: Path) -> None:
    out, again = tmp_path / "out", tmp_path / "again"
    shown = make("train", "grace", "-a", "EdgeDropping", "--dataset", "Digits", *SMALL, "--seed", 3, "-o", out)
    config = make_config("grace", "digits", words=["hidden=8", "epochs=3"], augmentor="EdgeDropping", seed=3, splits=2)
    expected = run_here(config)
    np.testing.assert_array_equal(np.load(out / "embedding.npy"), expected.embedding.numpy())
    written = json.loads((out / "result.json").read_text())
    assert written["losses"] == expected.training.losses
    assert written["scores"]["accuracy"] == expected.scores.accuracy.tolist()
    assert f"accuracy  {100 * expected.scores.mean():.2f}" in shown
    assert "grace with EdgeDropping on digits, clean protocol, seed 3, 2 splits" in shown
    weights = torch.load(out / "model.pt", weights_only=True)
    assert all(torch.equal(weights[name], value) for name, value in expected.method.state_dict().items())

    assert make("train", "grace", "--config", out / "config.toml", "-o", again, "--quiet") == ""
    np.testing.assert_array_equal(np.load(again / "embedding.npy"), expected.embedding.numpy())


def test_checkpoint_and_resume(tmp_path: Path) -> None:
    path = tmp_path / "run.pt"
    words = ["train", "grace", "-d", "digits", *SMALL, "--checkpoint", path]
    first = make(*words, "-o", tmp_path / "a", "--accuracy-every", 2)
    assert "3 epochs" in first
    refused = run(*words)
    assert refused.exit_code == 2
    assert "the checkpoint is there already; --resume goes on from it" in refused.output
    make(*words, "--resume", "-o", tmp_path / "b")
    for name in ("embedding.npy", "config.toml"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert json.loads((tmp_path / "b" / "result.json").read_text())["accuracies"][0][0] == 2


REFUSED: dict[str, tuple[list[Any], int, str]] = {
    "method": (["gracy", "-d", "digits"], 2, "method must be one of bgrl"),
    "augmentor": (["grace", "-d", "digits", "-a", "rLop"], 2, "the nearest is 'rLap'"),
    "data set": (["grace", "-d", "Coro"], 2, "did you mean CORA?"),
    "no data set": (["grace"], 2, "a data set must be named"),
    "missing files": (["grace", "-d", "Cora", "--data", "."], 1, "Cora"),
    "key": (["grace", "-d", "digits", "--set", "larning_rate=1"], 2, "'larning_rate' is no setting; the nearest is"),
    "value": (["grace", "-d", "digits", "--set", "lr=-1"], 2, "lr must be positive and finite (got -1.0)"),
    "seed": (["grace", "-d", "digits", "--seed", -1], 2, "seed must lie in [0, 2**64) (got -1)"),
    "protocol": (["grace", "-d", "digits", "--protocol", "dirty"], 2, "--protocol"),
    "device": (["grace", "-d", "digits", "--device", "tpu"], 2, "device must be cpu, cuda or cuda:N (got 'tpu')"),
    "config": (["grace", "--config", "no.toml"], 2, "the configuration must be a file (got 'no.toml')"),
    "resume": (["grace", "-d", "digits", "--resume"], 2, "--resume needs --checkpoint FILE"),
    "out": (["grace", "-d", "digits", "--out", "full"], 2, "--out must be a new or empty folder (got 'full')"),
    "level": (["bgrl", "-d", "digits"], 2, "bgrl embeds graphs, and digits has labelled nodes"),
    "accuracy": (["grace", "-d", "digits", "--accuracy-every", 0], 2, "--accuracy-every must be at least 1 (got 0)"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RLAP_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Path("full").mkdir()
    Path("full/file").touch()
    words, code, rule = REFUSED[case]
    result = run("train", *words)
    assert (result.exit_code, result.stdout) == (code, "")
    assert rule in result.stderr
    assert "Traceback" not in result.output


def test_a_diverged_run_is_explained() -> None:
    result = run("train", "grace", "-d", "digits", "--set", "lr=1e30", "--set", "hidden=8", "--set", "epochs=20")
    assert result.exit_code == 1
    assert "the last finite loss was" in result.stderr
    assert "try a lower lr (now 1e+30)" in result.stderr


def test_help() -> None:
    text = make("train", "--help")
    for word in ("--augmentor", "--dataset", "--data", "--config", "--set", "--seed", "--protocol", "--resume", "Cora"):
        assert word in text


def test_a_loader(tmp_path: Path) -> None:
    words = ["train", "grace", "-d", "digits", *SMALL, "--loader", "schur", "--batch-size", 600, "-o", tmp_path / "a"]
    make(*words)
    config = make_config(
        "grace", "digits", words=["hidden=8", "epochs=3"], loader="schur", batch_size=600, splits=2, seed=0
    )
    expected = run_here(config)
    written = json.loads((tmp_path / "a" / "result.json").read_text())
    assert written["losses"] == expected.training.losses
    make("train", "grace", "--config", tmp_path / "a" / "config.toml", "-o", tmp_path / "b")
    np.testing.assert_array_equal(np.load(tmp_path / "b" / "embedding.npy"), expected.embedding.numpy())
    refused = run("train", "graphcl", "-d", "families", "--loader", "schur")
    assert refused.exit_code == 2
    assert "a loader is for node sets, and families is a set of graphs" in refused.output
    assert [one.value for one in Loader] == sorted(loader.names(), key=["schur", "walks", "induced", "cluster"].index)


def test_it_is_a_module_too() -> None:
    shown = subprocess.run([sys.executable, "-m", "rlap.cli", "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout.startswith("rlap ")

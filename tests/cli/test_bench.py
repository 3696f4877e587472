"""`rlap bench` on the embedded data: what it prints and writes, how it goes on, and bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from matplotlib.image import imread
from typer.testing import CliRunner, Result

from rlap.cli import build_app
from rlap.experiments.overheads import ppr, suite
from rlap.experiments.overheads.isolation import Outcome
from rlap.experiments.overheads.measure import Measurement, Size

SIZES = {"digits": Size("node", 1, 1797, 19858), "families": Size("graph", 300, 10000, 40000)}


def run(*words: Any) -> Result:
    """Call `rlap bench`."""
    return CliRunner(env={"COLUMNS": "120"}).invoke(build_app(), ["bench", *map(str, words)])


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Answer at once instead of measuring; gives the list of what was asked for."""
    asked: list[tuple[str, str]] = []

    def answer(call: Any, *arguments: Any) -> Outcome[Any]:
        if call is suite.describe:
            found = SIZES.get(arguments[0])
            return Outcome(found) if found else Outcome(None, f"FileNotFoundError: {arguments[0]} was not found")
        task = arguments[0]
        asked.append((task.dataset, task.augmentor))
        if task.augmentor == "PPRDiffusion":
            return Outcome(None, "out of memory")
        if task.augmentor == "NodeDropping":
            return Outcome(None, "ValueError: [x] must be a graph")
        if (task.dataset, task.augmentor) == ("families", "WalkSchur"):
            raise KeyboardInterrupt
        return Outcome(Measurement(2_500_000, (0.25,) * task.runs, None))

    monkeypatch.setattr(suite, "run_alone", answer)
    return asked


def test_augmentors_are_measured_on_the_embedded_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RLAP_CACHE", str(tmp_path / "empty"))
    monkeypatch.delenv("RLAP_DATA", raising=False)
    out = tmp_path / "results"
    result = run("augmentors", "--augmentors", "rlap,EdgeDroppingDegree", "--runs", 2, "--out", out)
    assert result.exit_code == 0, result.output
    frame = pd.read_csv(out / "augmentors.csv")
    assert list(zip(frame.dataset, frame.augmentor, strict=True)) == [
        (dataset, augmentor) for dataset in ("digits", "families") for augmentor in ("rLap", "EdgeDroppingDegree")
    ]
    assert (frame.status == "measured").all()
    assert (frame.memory_mb >= 0).all()
    assert (frame.seconds_lower > 0).all()
    assert (frame.seconds_lower <= frame.seconds).all()
    assert (frame.seconds <= frame.seconds_upper).all()
    assert frame.cached_seconds.notna().tolist() == [True, True, False, True]
    page = (out / "augmentors.md").read_text()
    for words in ("digits: 1,797 nodes", "families: 300 graphs", "| rLap |", "batches of 128"):
        assert words in page
        assert words.strip("| ") in result.output
    for name in ("augmentors-memory.png", "augmentors-time.png"):
        assert imread(out / name)[..., :3].std() > 0.05  # something is drawn


def test_what_cannot_run_is_shown_and_the_rest_goes_on(tmp_path: Path, made_up: list[tuple[str, str]]) -> None:
    names = "PPRDiffusion,NodeDropping,rLap"
    result = run("augmentors", "-d", "digits", "-a", names, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert "PPRDiffusion  out of memory" in result.output
    assert "NodeDropping         failed" in result.output
    assert "NodeDropping on digits: ValueError: [x] must be a graph." in result.output
    rows = [line.split() for line in result.output.splitlines() if line.startswith("rLap")]
    assert rows == [["rLap", "2.5", "250", "ms", "0", "%"]]
    assert pd.read_csv(tmp_path / "augmentors.csv").status.tolist() == [
        "out of memory",
        "ValueError: [x] must be a graph",
        "measured",
    ]
    assert "out of memory" in (tmp_path / "augmentors.md").read_text()


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, made_up: list[tuple[str, str]]) -> None:
    words = ["augmentors", "-d", "digits,families", "-a", "rLap,WalkSchur,EdgeDropping", "--out", tmp_path]
    assert run(*words).exit_code != 0
    done = [("digits", "rLap"), ("digits", "WalkSchur"), ("digits", "EdgeDropping"), ("families", "rLap")]
    assert made_up == [*done, ("families", "WalkSchur")]
    frame = pd.read_csv(tmp_path / "augmentors.csv")
    assert list(zip(frame.dataset, frame.augmentor, strict=True)) == done
    made_up.clear()
    words[4] = "rLap,EdgeDropping"
    assert run(*words).exit_code == 0
    assert made_up == [("families", "EdgeDropping")]
    refused = run(*words, "--runs", 11)
    assert refused.exit_code == 2
    assert "made with runs = 10, so that it cannot be continued with 11" in refused.output


def test_what_failed_is_tried_again(tmp_path: Path, made_up: list[tuple[str, str]]) -> None:
    for _ in range(2):
        assert run("augmentors", "-d", "digits", "-a", "rLap,PPRDiffusion", "--out", tmp_path, "-q").output == ""
    assert made_up == [("digits", "rLap"), ("digits", "PPRDiffusion"), ("digits", "PPRDiffusion")]


def test_all_and_the_usual_augmentors(made_up: list[tuple[str, str]]) -> None:
    run("augmentors", "-d", "digits")
    assert len(made_up) == 15
    made_up.clear()
    run("augmentors", "-d", "digits", "-a", "all")
    assert ("digits", "rLap-deg-rand") in made_up


@pytest.mark.parametrize(
    ("words", "message", "code"),
    [
        (["augmentors", "--runs", 0], "runs must be at least 1 (got 0)", 2),
        (["augmentors", "--perturbation", 1.5], "perturbation must lie in [0, 1] (got 1.5)", 2),
        (["augmentors", "--seed", -1], "seed must", 2),
        (["augmentors", "--augmentors", "rlop"], "(got 'rlop')", 2),
        (["augmentors", "--augmentors", ","], "give at least one name (got ',')", 2),
        (["augmentors", "--datasets", "coral"], "did you mean CORA?", 2),
        (["augmentors", "--datasets", "PUBMED"], "PUBMED was not found", 1),
        (["ppr", "--gammas", "0.5,1"], "gamma must lie between 0 and 1 (got 1.0)", 2),
        (["ppr", "--gammas", "half"], "gammas must be numbers with commas between (got 'half')", 2),
        (["ppr", "--gammas", ","], "give at least one gamma (got ',')", 2),
        (["ppr", "--alpha", 0], "alpha must", 2),
        (["ppr", "--columns", 0], "columns must be at least 1 (got 0)", 2),
        (["ppr", "--size", 0], "size must be at least 1 (got 0)", 2),
        (["ppr", "--dataset", "families"], "must be one graph (got families, a set of 300 graphs)", 2),
        (["ppr", "--dataset", "digits", "--size", 1000], "at most 899, the nodes that the largest gamma keeps", 2),
    ],
)
def test_bad_input(made_up: list[tuple[str, str]], words: list[Any], message: str, code: int) -> None:
    result = run(*words)
    assert result.exit_code == code
    assert message in result.output
    assert made_up == []


def test_results_cannot_be_a_file(tmp_path: Path, made_up: list[tuple[str, str]]) -> None:
    (tmp_path / "taken").write_text("")
    assert run("augmentors", "-d", "digits", "--out", tmp_path / "taken").exit_code == 1
    (tmp_path / "augmentors.csv").write_text("a,b\n1,2\n")
    result = run("augmentors", "-d", "digits", "--out", tmp_path)
    assert result.exit_code == 2
    assert "must be a file of results" in result.output
    assert made_up == []


def test_ppr_is_compared_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RLAP_CACHE", str(tmp_path / "empty"))
    monkeypatch.delenv("RLAP_DATA", raising=False)
    words = ["ppr", "--gammas", "0.5,0.2", "--runs", 1, "--columns", 8, "--out", tmp_path]
    result = run(*words)
    assert result.exit_code == 0, result.output
    frame = pd.read_csv(tmp_path / "ppr.csv")
    assert frame.method.tolist() == ["PPR", "shortcut", "grounded", "shortcut", "grounded"]
    assert frame.gamma.tolist() == [0, 0.2, 0.2, 0.5, 0.5]
    assert (frame["size"] == 1797 // 4).all()
    assert frame.error.idxmin() == 0
    assert (frame.subgraph_edges < frame.edges).all()
    assert "on 8 random columns" in result.output
    assert "| grounded | 0.5 |" in (tmp_path / "ppr.md").read_text()
    assert imread(tmp_path / "ppr.png")[..., :3].std() > 0.05

    def refuse(call: Any, *_: Any) -> None:
        raise AssertionError("measured again")

    monkeypatch.setattr(ppr, "run_alone", refuse)
    assert run(*words).exit_code == 0


def test_bench_has_help() -> None:
    assert "augmentors" in run("--help").output
    assert "--perturbation" in run("augmentors", "--help").output

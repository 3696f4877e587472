"""What `rlap train` and `rlap evaluate` show and write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.console import Console
from rich.table import Table

from rlap.evaluation import Scores
from rlap.experiments import RunResult

METRICS = {"accuracy": "accuracy", "micro_f1": "micro F1", "macro_f1": "macro F1"}


def show_scores(scores: Scores) -> None:
    """Print a table of the scores in percent."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("", "mean", "std", "95 % interval"):
        table.add_column(title, justify="left" if not title else "right", no_wrap=True)
    for metric, title in METRICS.items():
        low, high = scores.interval(metric)  # type: ignore[arg-type]
        mean, std = scores.mean(metric), scores.std(metric)  # type: ignore[arg-type]
        table.add_row(title, f"{100 * mean:.2f}", f"{100 * std:.2f}", f"{100 * low:.2f} to {100 * high:.2f}")
    Console(highlight=False).print(table)


def show(result: RunResult, out: Path | None) -> None:
    """Print what was trained, how it went, and its scores."""
    config, training = result.config, result.training
    console = Console(highlight=False)
    console.print(
        f"{config.method.method} with {config.method.augmentor} on {config.dataset}, {config.protocol} protocol, "
        f"seed {config.train.seed}, {config.splits} splits"
    )
    show_scores(result.scores)
    why = "no lower loss for a while" if training.stopped == "patience" else "all that were asked for"
    kept = training.best_epoch if config.protocol == "clean" else training.epochs
    console.print(
        f"{training.epochs} epochs ({why}) in {training.seconds:.1f} s, weights of epoch {kept}, "
        f"loss {training.losses[kept - 1]:.4f}",
        style="dim",
    )
    if out is not None:
        console.print(f"written to {out}", style="dim", soft_wrap=True)


def write_folder(folder: Path, result: RunResult) -> None:
    """Write all that a run gave; `rlap train --config FOLDER/config.toml` repeats it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.toml").write_text(to_toml(result.config.to_dict()), encoding="utf-8")
    np.save(folder / "embedding.npy", result.embedding.numpy())
    torch.save(result.method.state_dict(), folder / "model.pt")
    training = result.training
    summary = {
        "config": result.config.to_dict(),
        "scores": {metric: getattr(result.scores, metric).tolist() for metric in METRICS},
        "epochs": training.epochs,
        "best_epoch": training.best_epoch,
        "stopped": training.stopped,
        "seconds": training.seconds,
        "losses": training.losses,
        "accuracies": training.accuracies,
    }
    (folder / "result.json").write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")


def to_toml(settings: dict[str, Any]) -> str:
    """Write settings, and tables of them, as TOML.

    Example:
        >>> print(to_toml({"dataset": "CORA", "train": {"lr": 0.1, "seed": 0}}))
        dataset = "CORA"
        <BLANKLINE>
        [train]
        lr = 0.1
        seed = 0
        <BLANKLINE>
    """
    plain = [f"{key} = {_value(value)}" for key, value in settings.items() if not isinstance(value, dict)]
    tables = [
        "\n".join(["", f"[{name}]", *(f"{key} = {_value(value)}" for key, value in table.items())])
        for name, table in settings.items()
        if isinstance(table, dict)
    ]
    return "\n".join([*plain, *tables]) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_value(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value) if isinstance(value, str | bool) else repr(value)

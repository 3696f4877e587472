"""The paper's hyper-parameters, for every design and data set that it has."""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources
from typing import Any

from rlap.datasets.registry import canonical

# The table's columns that are settings, and what they are here. The others say what a design is anyhow.
_SETTINGS: dict[str, tuple[str, type]] = {
    "tau": ("tau", float),
    "gamma1": ("gamma1", float),
    "gamma2": ("gamma2", float),
    "layers": ("layers", int),
    "hidden_dim": ("hidden", int),
    "lr": ("lr", float),
    "weight_decay": ("weight_decay", float),
}


def defaults(method: str, dataset: str) -> dict[str, Any]:
    """Give the paper's settings for a design on a data set; none where the paper has none.

    Example:
        >>> defaults("grace", "Cora")["lr"]
        0.0001
        >>> defaults("grace", "digits")
        {}
    """
    return dict(_table().get((method.lower(), canonical(dataset)), {}))


@cache
def _table() -> dict[tuple[str, str], dict[str, Any]]:
    text = resources.files("rlap.experiments").joinpath("hyperparameters.csv").read_text(encoding="utf-8")
    return {
        (row["design"].lower(), row["dataset"]): {
            name: kind(row[column]) for column, (name, kind) in _SETTINGS.items() if row[column]
        }
        for row in csv.DictReader(text.splitlines())
    }

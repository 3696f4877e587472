"""The accuracies of the paper's tables."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib import resources

# The paper's words for what has another name here.
_NAMES = {"vertex coarsening": "VertexCoarsening"}


@dataclass(frozen=True)
class PaperAccuracy:
    """A cell: percent, and the deviation behind the +-. `note` is what stands there instead: "OOM" or "-"."""

    accuracy: float | None
    std: float | None
    note: str = ""


def paper_accuracy(table: str, design: str, method: str, dataset: str) -> PaperAccuracy | None:
    """Give a number of the paper; None where it has none.

    Args:
        table: "main", "ablation", "ppr-subgraph" or "baseline".
        design: "GRACE", "MVGRL", "GraphCL" or "BGRL", in any case; empty for a baseline.
        method: the augmentor by its name in `rlap.transforms`, or the baseline's.
        dataset: by its canonical name.

    Example:
        >>> paper_accuracy("main", "grace", "EdgeAddition", "CORA")
        PaperAccuracy(accuracy=83.34, std=1.69, note='')
        >>> paper_accuracy("ablation", "grace", "VertexCoarsening", "CORA").accuracy
        78.31
        >>> paper_accuracy("ablation", "grace", "WalkSchur", "CORA") is None
        True
    """
    return _table().get((table, design.lower(), method, dataset))


@cache
def _table() -> dict[tuple[str, str, str, str], PaperAccuracy]:
    text = resources.files("rlap.experiments.paper").joinpath("accuracy.csv").read_text(encoding="utf-8")
    found = {}
    for row in csv.DictReader(text.splitlines()):
        method = _NAMES.get(row["method"].lower(), row["method"])
        found[row["table"], row["design"].lower(), method, row["dataset"]] = _cell(row["accuracy"], row["std"])
    return found


def _cell(accuracy: str, std: str) -> PaperAccuracy:
    try:
        return PaperAccuracy(float(accuracy), float(std) if std else None)
    except ValueError:
        return PaperAccuracy(None, None, accuracy)

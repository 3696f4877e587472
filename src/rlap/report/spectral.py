"""The spectral results of a store: every quantity along the elimination, over all runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap.experiments.results import changes
from rlap.experiments.store import Entry

Runs = Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, eq=False)
class Curve:
    """Mean and standard deviation over runs; the latter is NaN for one run."""

    x: NDArray[np.float64]
    mean: NDArray[np.float64]
    std: NDArray[np.float64]
    runs: int


def spectral_runs(entries: Iterable[Entry]) -> dict[str, dict[str, list[Mapping[str, Any]]]]:
    """Give the results of all finished runs by data set and variant; trials with other settings are left out."""
    found: dict[str, dict[str, list[Mapping[str, Any]]]] = {}
    for entry in entries:
        if entry.job.kind == "spectral" and entry.result is not None and not changes(entry.job):
            found.setdefault(entry.job.dataset, {}).setdefault(entry.job.augmentor, []).append(entry.result)
    return found


def curve(runs: Sequence[Mapping[str, Any]], quantity: str) -> Curve | None:
    """Follow a quantity along the fractions; None where the runs do not have it.

    Example:
        >>> runs = [{"fractions": [0.0, 0.5], "edges": [4, 2]}, {"fractions": [0.0, 0.5], "edges": [4, 4]}]
        >>> curve(runs, "edges").mean.tolist(), curve(runs, "bound")
        ([4.0, 3.0], None)
    """
    there = [run for run in runs if run.get(quantity) is not None]
    if not there:
        return None
    return _curve(there[0]["fractions"], [run[quantity] for run in there])


def bias(runs: Sequence[Mapping[str, Any]], quantity: str = "ratio") -> Curve | None:
    """Give the total weight over that of the exact Schur complement, minus one; None where that was too dense.

    Example:
        >>> run = {"exact": [{"fraction": 0.5, "ratio": 1.25, "walks_ratio": 1.0}, {"fraction": 0.1, "ratio": None}]}
        >>> bias([run]).mean.tolist()
        [0.25]
    """
    values: dict[float, list[float]] = {}
    for run in runs:
        for one in run["exact"]:
            if one[quantity] is not None:
                values.setdefault(one["fraction"], []).append(one[quantity] - 1.0)
    many = max((len(found) for found in values.values()), default=0)
    if not many:
        return None
    whole = {fraction: found for fraction, found in values.items() if len(found) == many}
    return _curve(list(whole), np.array(list(whole.values())).T)


def _curve(x: Sequence[float], values: Any) -> Curve:
    table = np.asarray(values, dtype=np.float64)
    alone = len(table) < 2
    std = np.full(table.shape[1], np.nan) if alone else table.std(axis=0, ddof=1)
    return Curve(np.asarray(x, dtype=np.float64), table.mean(axis=0), std, len(table))

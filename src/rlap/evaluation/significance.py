"""Is one method better than another, or is it chance?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Comparison:
    """Two methods on one data set.

    Attributes:
        difference: the mean of first minus second.
        p_value: of Wilcoxon's signed-rank test, two-sided.
        adjusted: the same after Holm's correction over all data sets.
    """

    difference: float
    p_value: float
    adjusted: float


@dataclass(frozen=True, eq=False)
class Ranking:
    """Several methods over several data sets, as for a critical-difference diagram (Demsar 2006).

    Attributes:
        average_ranks: of every method; 1 is best.
        p_value: of Friedman's test that all methods are alike; NaN for two methods.
        critical_difference: average ranks that differ by less cannot be told apart (Nemenyi's test).
    """

    average_ranks: NDArray[np.float64]
    p_value: float
    critical_difference: float


def compare(scores: Mapping[str, tuple[ArrayLike, ArrayLike]]) -> dict[str, Comparison]:
    """Test two methods against each other on every data set, from scores that are paired by seed.

    Pair scores of independent training seeds. Splits of one embedding are not independent, and as pairs they would make
    every difference look significant.

    Example:
        >>> from rlap.evaluation.significance import compare
        >>> first, second = [0.81, 0.82, 0.85, 0.88, 0.86, 0.84], [0.80, 0.80, 0.82, 0.84, 0.81, 0.78]
        >>> round(compare({"CORA": (first, second), "PUBMED": (first, first)})["CORA"].adjusted, 4)
        0.0625
    """
    differences = {name: _paired(name, *pair) for name, pair in scores.items()}
    p_values = [_wilcoxon(values) for values in differences.values()]
    corrected = holm(p_values)
    return {
        name: Comparison(float(values.mean()), p_value, float(adjusted))
        for (name, values), p_value, adjusted in zip(differences.items(), p_values, corrected, strict=True)
    }


def holm(p_values: Sequence[float]) -> NDArray[np.float64]:
    """Adjust p-values for being several (Holm 1979): the chance of even one false alarm stays below the level.

    Example:
        >>> from rlap.evaluation.significance import holm
        >>> holm([0.01, 0.04, 0.03]).tolist()
        [0.03, 0.06, 0.06]
    """
    values = np.asarray(p_values, dtype=np.float64)
    wrong = values[~((values >= 0) & (values <= 1))]
    if wrong.size:
        raise ValueError(f"p_values must lie in [0, 1] (got {wrong[0]})")
    order = np.argsort(values, kind="stable")
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1)), 1.0)
    return adjusted


def rank(scores: ArrayLike, alpha: float = 0.05) -> Ranking:
    """Rank methods (columns) by their scores on data sets (rows); equal scores share their ranks.

    Example:
        >>> from rlap.evaluation.significance import rank
        >>> rank([[0.9, 0.8, 0.7], [0.6, 0.6, 0.5]]).average_ranks.tolist()
        [1.25, 1.75, 3.0]
    """
    from scipy.stats import friedmanchisquare, rankdata

    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] < 2:
        raise ValueError(f"scores must have at least 2 data sets and 2 methods (got the shape {table.shape})")
    if not np.isfinite(table).all():
        raise ValueError(f"scores must be finite (got {table[~np.isfinite(table)][0]})")
    number, methods = table.shape
    p_value: Any = friedmanchisquare(*table.T).pvalue if methods > 2 else np.nan
    return Ranking(rankdata(-table, axis=1).mean(axis=0), float(p_value), critical_difference(methods, number, alpha))


def critical_difference(methods: int, number: int, alpha: float = 0.05) -> float:
    """Give how far average ranks of so many methods over a number of data sets must differ (Nemenyi).

    Example:
        >>> from rlap.evaluation.significance import critical_difference
        >>> round(critical_difference(4, 14), 2)
        1.25
    """
    from scipy.stats import studentized_range

    if methods < 2 or number < 1:
        raise ValueError(f"there must be at least 2 methods and 1 data set (got {methods} and {number})")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must lie in (0, 1) (got {alpha})")
    quantile = studentized_range.ppf(1 - alpha, methods, np.inf) / np.sqrt(2)
    return float(quantile * np.sqrt(methods * (methods + 1) / (6 * number)))


def _paired(name: str, first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    one, two = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.shape != two.shape or one.ndim != 1 or not one.size:
        raise ValueError(f"scores of {name} must be pairs (got the shapes {one.shape} and {two.shape})")
    if not (np.isfinite(one) & np.isfinite(two)).all():
        raise ValueError(f"scores of {name} must be finite")
    return one - two


def _wilcoxon(differences: NDArray[np.float64]) -> float:
    from scipy.stats import wilcoxon

    if not differences.any():
        return 1.0
    return float(wilcoxon(differences).pvalue)

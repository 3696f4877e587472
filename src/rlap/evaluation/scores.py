"""Scores of several splits, and what they say together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Metric = Literal["accuracy", "micro_f1", "macro_f1"]
METRICS = ("accuracy", "micro_f1", "macro_f1")


@dataclass(frozen=True, eq=False)
class Scores:
    """The test scores of one embedding, one entry a split, each between 0 and 1.

    Example:
        >>> import numpy as np
        >>> from rlap.evaluation import Scores
        >>> some = np.array([0.8, 0.9])
        >>> round(Scores(some, some, some).mean(), 3)
        0.85
    """

    accuracy: NDArray[np.float64]
    micro_f1: NDArray[np.float64]
    macro_f1: NDArray[np.float64]

    def of(self, metric: Metric = "accuracy") -> NDArray[np.float64]:
        """Give the scores by the name of their metric."""
        if metric not in METRICS:
            raise ValueError(f"metric must be one of {', '.join(METRICS)} (got {metric!r})")
        values: NDArray[np.float64] = getattr(self, metric)
        return values

    def mean(self, metric: Metric = "accuracy") -> float:
        """Give the mean over splits."""
        return float(self.of(metric).mean())

    def std(self, metric: Metric = "accuracy") -> float:
        """Give the standard deviation between splits; NaN for one split."""
        return _deviation(self.of(metric))

    def interval(self, metric: Metric = "accuracy", confidence: float = 0.95) -> tuple[float, float]:
        """Give the t-interval of the mean over splits.

        All splits share one embedding and most of their rows, so they are not independent, and the interval is too
        narrow as a statement on the method. `summarize` over several training seeds does better.
        """
        return _interval(self.of(metric), confidence)


@dataclass(frozen=True)
class Summary:
    """One metric over training seeds and splits.

    Attributes:
        mean: over everything.
        std: the standard deviation between all pairs of a seed and a split; what tables print behind the +-.
        interval: where the mean lies, with the confidence asked for.
        seeds: how many training seeds there were.
        splits: how many splits each had.
        understated: true with a single seed. The interval is then over splits, which are not independent.
    """

    mean: float
    std: float
    interval: tuple[float, float]
    seeds: int
    splits: int
    understated: bool


def summarize(runs: Sequence[Scores], metric: Metric = "accuracy", confidence: float = 0.95) -> Summary:
    """Put the scores of several training seeds together.

    Splits of one seed share an embedding, so they count as one observation: their mean. The interval is Student's over
    these means. Give every training seed splits of its own (`evaluate(..., seed=seed)`), and it covers both sources of
    chance; with the same splits for all, only training.

    Example:
        >>> import numpy as np
        >>> from rlap.evaluation import Scores, summarize
        >>> runs = [Scores(*[np.array(values)] * 3) for values in ([0.8, 0.9], [0.7, 0.8])]
        >>> summary = summarize(runs)
        >>> round(summary.mean, 3), summary.seeds, summary.understated
        (0.8, 2, False)
    """
    if not runs:
        raise ValueError("there must be at least one run to summarize (got none)")
    table = [run.of(metric) for run in runs]
    lengths = {len(values) for values in table}
    if len(lengths) > 1:
        raise ValueError(f"all runs must have the same number of splits (got {sorted(lengths)})")
    scores = np.stack(table)
    observations = scores.mean(axis=1) if len(runs) > 1 else scores[0]
    return Summary(
        mean=float(scores.mean()),
        std=_deviation(scores.reshape(-1)),
        interval=_interval(observations, confidence),
        seeds=len(runs),
        splits=scores.shape[1],
        understated=len(runs) == 1,
    )


def score(predicted: NDArray[np.int64], classes: NDArray[np.int64]) -> tuple[float, float, float]:
    """Give accuracy, micro F1 and macro F1 of predictions, over the classes that occur in either."""
    size = int(max(predicted.max(), classes.max())) + 1
    found = np.bincount(predicted, minlength=size)
    true = np.bincount(classes, minlength=size)
    hits = np.bincount(classes[predicted == classes], minlength=size)
    total = found + true
    seen = total > 0
    micro = 2 * hits.sum() / total.sum()
    return float(hits.sum() / len(classes)), float(micro), float((2 * hits[seen] / total[seen]).mean())


def _deviation(values: NDArray[np.float64]) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else float("nan")


def _interval(values: NDArray[np.float64], confidence: float) -> tuple[float, float]:
    from scipy.stats import t

    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie in (0, 1) (got {confidence})")
    if len(values) < 2:
        return float("nan"), float("nan")
    reach: Any = t.ppf((1 + confidence) / 2, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean() - reach), float(values.mean() + reach)

"""How good a frozen embedding is: linear probes under two protocols, scores, and tests of significance.

Example:
    >>> from rlap import datasets
    >>> from rlap.evaluation import evaluate
    >>> digits = datasets.load("digits")
    >>> scores = evaluate(digits.data.x, digits.labels, "node", splits=2)
    >>> bool(scores.mean() > 0.85)
    True
"""

from rlap.evaluation.evaluate import evaluate, evaluate_each
from rlap.evaluation.scores import Scores, Summary, summarize

__all__ = ["Scores", "Summary", "evaluate", "evaluate_each", "summarize"]

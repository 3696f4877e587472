"""The paper's numbers, as it printed them."""

from rlap.experiments.paper.accuracy import PaperAccuracy, paper_accuracy

__all__ = ["PaperAccuracy", "paper_accuracy"]

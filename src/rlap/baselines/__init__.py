"""What contrastive learning is measured against: raw features, walks, autoencoders, kernels and supervised networks.

All run on the splits of `rlap.datasets`, under either protocol, and give test scores as `rlap.evaluation` does.

Example:
    >>> from rlap import baselines, datasets
    >>> scores = baselines.run("RawFeatures", datasets.load("digits"), splits=2).scores
    >>> bool(scores.mean() > 0.85)
    True
"""

from rlap.baselines.registry import names, run, settings
from rlap.baselines.task import Outcome, Task, Watch

__all__ = ["Outcome", "Task", "Watch", "names", "run", "settings"]

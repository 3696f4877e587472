"""The paper's tables and figures as data: which runs each of them needs.

The files beside this one say what a target is; `expand` turns targets into jobs.
"""

from rlap.experiments.targets.expand import Choice, expand, find_searches
from rlap.experiments.targets.target import Target, find_target, target_names

__all__ = ["Choice", "Target", "expand", "find_searches", "find_target", "target_names"]

"""Runs that can be repeated: typed configurations, the paper's hyper-parameters, and one function that does it all.

What needs torch is imported when it is asked for: a store can be read, and a process started, without waiting for it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rlap.experiments.config import RunConfig, make_config, make_parts
    from rlap.experiments.hyperparameters import defaults
    from rlap.experiments.single_run import RunResult, follow, run

__all__ = ["RunConfig", "RunResult", "defaults", "follow", "make_config", "make_parts", "run"]


_PLACES = {
    "RunConfig": "config",
    "make_config": "config",
    "make_parts": "config",
    "defaults": "hyperparameters",
    "RunResult": "single_run",
    "follow": "single_run",
    "run": "single_run",
}


def __getattr__(name: str) -> Any:
    """Import a name of this package from where it is. No module may have such a name: it would take its place."""
    if name not in _PLACES:
        raise AttributeError(f"module 'rlap.experiments' has no attribute {name!r}")
    return getattr(import_module(f"rlap.experiments.{_PLACES[name]}"), name)

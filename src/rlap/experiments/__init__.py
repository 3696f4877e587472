"""Runs that can be repeated: typed configurations, the paper's hyper-parameters, and one function that does it all.

What needs torch is imported when it is asked for: a store can be read, and a process started, without waiting for it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rlap.experiments.config import RunConfig, make_config, make_parts
    from rlap.experiments.defaults import defaults
    from rlap.experiments.run import RunResult, run

__all__ = ["RunConfig", "RunResult", "defaults", "make_config", "make_parts", "run"]


def __getattr__(name: str) -> Any:
    """Import a name of this package from where it is."""
    # `run` is a module too, and importing it would put it in the function's place: so all three are set at once.
    if name not in __all__:
        raise AttributeError(f"module 'rlap.experiments' has no attribute {name!r}")
    for module in ("config", "defaults", "run"):
        found = import_module(f"rlap.experiments.{module}")
        globals().update({one: getattr(found, one) for one in __all__ if hasattr(found, one)})
    return globals()[name]

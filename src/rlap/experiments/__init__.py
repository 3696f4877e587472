"""Runs that can be repeated: typed configurations, the paper's hyper-parameters, and one function that does it all."""

from rlap.experiments.config import RunConfig, make_config, make_parts
from rlap.experiments.defaults import defaults
from rlap.experiments.run import RunResult, run

__all__ = ["RunConfig", "RunResult", "defaults", "make_config", "make_parts", "run"]

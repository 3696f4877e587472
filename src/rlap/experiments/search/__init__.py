"""The search for hyper-parameters: trials are runs in the store, Optuna says which comes next and which is given up.

What Optuna knows is rebuilt from the store each time. So a search that was killed goes on, a configuration is never
computed twice, and several processes may search in one store; a file of Optuna's own could only disagree with it.
"""

from rlap.experiments.search.search import Search
from rlap.experiments.search.trial_job import trial_job

__all__ = ["Search", "trial_job"]

"""Results in one SQLite file, and who is computing what.

`Store` keeps jobs, claims and results. Many processes may use one file at once; any of them may be killed at any time.
"""

from rlap.experiments.store.connection import StoreError
from rlap.experiments.store.owner import Owner
from rlap.experiments.store.store import Claim, ClaimLost, Entry, Store

__all__ = ["Claim", "ClaimLost", "Entry", "Owner", "Store", "StoreError"]

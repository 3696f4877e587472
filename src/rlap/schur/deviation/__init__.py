"""How far one elimination strays from its mean: the paper's appendix, measured.

`sigma_max` is the largest singular value of a graph's Laplacian. `track_deviation` follows the martingale L_i - L of
one run. `tail_bound` and its inverse `deviation_bound` evaluate the paper's bound on it, or a sharper one.
"""

from rlap.schur.deviation.bound import composite_corrector, deviation_bound, tail_bound
from rlap.schur.deviation.run import Deviation, track_deviation
from rlap.schur.deviation.spectrum import sigma_max
from rlap.schur.deviation.stars import StepBounds

__all__ = [
    "Deviation",
    "StepBounds",
    "composite_corrector",
    "deviation_bound",
    "sigma_max",
    "tail_bound",
    "track_deviation",
]

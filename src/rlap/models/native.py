"""What the core can compute on: the rest is left to torch."""

from __future__ import annotations

import torch
from torch import Tensor


def core_takes(values: Tensor) -> bool:
    """Say whether a tensor is one that the core reads: single or double precision, on the CPU.

    Example:
        >>> import torch
        >>> from rlap.models.native import core_takes
        >>> core_takes(torch.ones(2)), core_takes(torch.ones(2, dtype=torch.float16))
        (True, False)
    """
    return values.device.type == "cpu" and values.dtype in (torch.float32, torch.float64)

"""The memory that the core keeps between calls, so that the next call need not wait for the system to give it back."""

from __future__ import annotations

import operator

from rlap import _core

_MOST = 2**63 - 1  # more than any machine has


def keep_memory(limit: int) -> int:
    """Set how many bytes of freed memory the core may keep for its next calls, and return the limit before.

    At first it is 1 GiB. Blocks of 4 MiB and more are kept, those of results among them once nobody has the result any
    more; Linux can take their pages back whenever memory is short. `keep_memory(0)` hands back all there is, and keeps
    nothing from then on. On other systems nothing is ever kept, and the limit is zero.

    Args:
        limit: Bytes, zero or more.

    Example:
        >>> import rlap
        >>> before = rlap.keep_memory(0)
        >>> rlap.kept_memory()
        0
        >>> rlap.keep_memory(before)
        0
    """
    limit = operator.index(limit)
    if not 0 <= limit <= _MOST:
        raise ValueError(f"limit must be from 0 to 2**63 - 1 bytes (got {limit})")
    return _core.limit_kept_bytes(limit)


def kept_memory() -> int:
    """Give the bytes of freed memory that the core keeps for its next calls (see `keep_memory`).

    Example:
        >>> import rlap
        >>> rlap.kept_memory() <= 2**30
        True
    """
    return _core.kept_bytes()

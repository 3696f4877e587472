"""The commands that make numbers again."""

from __future__ import annotations

import shlex


def reproduce(target: str, protocol: str, store: str, *more: str) -> str:
    """Write the command of a target.

    Example:
        >>> reproduce("grace", "clean", "my results.sqlite", "--datasets", "CORA")
        "rlap reproduce grace --protocol clean --datasets CORA --store 'my results.sqlite'"
    """
    words = ["rlap", "reproduce", target, *(["--protocol", protocol] if protocol else []), *more, "--store", store]
    return shlex.join(words)

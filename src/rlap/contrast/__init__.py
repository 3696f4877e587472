"""The three modes: which embeddings of two views are contrasted, and which pairs are positive and which negative.

Example:
    >>> from rlap.contrast import mode
    >>> mode("g-l")
    GlobalLocal()
"""

from rlap.contrast.global_global import GlobalGlobal
from rlap.contrast.global_local import GlobalLocal
from rlap.contrast.local_local import LocalLocal
from rlap.contrast.mode import Mode
from rlap.contrast.pairs import Groups, Rows
from rlap.contrast.side import Side

__all__ = ["GlobalGlobal", "GlobalLocal", "Groups", "LocalLocal", "Mode", "Rows", "Side", "mode"]


def mode(name: str) -> Mode:
    """Give a mode by its name in the paper: "l-l", "g-l" or "g-g".

    >>> from rlap.contrast import mode
    >>> mode("l-l").uses_graphs
    False
    """
    for kind in (LocalLocal, GlobalLocal, GlobalGlobal):
        if kind.name == name:
            return kind()
    raise ValueError(f'mode must be "l-l", "g-l" or "g-g" (got {name!r})')

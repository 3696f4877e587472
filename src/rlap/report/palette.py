"""How rows look in figures: a colour and a marker each, which can be told apart on white and on black."""

from __future__ import annotations

from collections.abc import Sequence

_COLORS = (
    "#d1495b",
    "#3a7bbf",
    "#e09f3e",
    "#4f9d69",
    "#8e6bbf",
    "#2a9d9d",
    "#b5713b",
    "#d872b0",
    "#8a8f98",
    "#9aa63a",
    "#5560d6",
    "#e4572e",
)
_MARKERS = "*osD^vPXhd<>"


def look(row: str, rows: Sequence[str]) -> tuple[str, str]:
    """Give the colour and the marker of a row.

    Example:
        >>> look("rLap", ["rLap", "EdgeDropping"])
        ('#d1495b', '*')
    """
    at = list(rows).index(row)
    return _COLORS[at % len(_COLORS)], _MARKERS[at % len(_MARKERS)]

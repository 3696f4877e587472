"""Times as people write them: 90s, 15m, 2h, 1d, or together, as 1h30m."""

from __future__ import annotations

import re

_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def parse_duration(text: str) -> float:
    """Read a time, in seconds.

    Example:
        >>> parse_duration("1h30m"), parse_duration("90"), parse_duration("0.5h")
        (5400.0, 90.0, 1800.0)
        >>> parse_duration("soon")
        Traceback (most recent call last):
        ValueError: a time must look like 90s, 15m, 2h or 1h30m (got 'soon')
    """
    word = text.strip().lower()
    if not re.fullmatch(r"(\d+(\.\d+)?)|((\d+(\.\d+)?[smhd])+)", word):
        raise ValueError(f"a time must look like 90s, 15m, 2h or 1h30m (got {text!r})")
    parts = re.findall(r"(\d+(?:\.\d+)?)([smhd]?)", word)
    return sum(float(number) * _SECONDS[unit or "s"] for number, unit in parts)


def format_duration(seconds: float) -> str:
    """Write a time in at most two units.

    Example:
        >>> format_duration(5400), format_duration(42.3), format_duration(90000)
        ('1h 30m', '42s', '1d 1h')
    """
    whole = round(seconds)
    for unit, below, size, rest in (("d", "h", 86400, 3600), ("h", "m", 3600, 60), ("m", "s", 60, 1)):
        if whole >= size:
            return f"{whole // size}{unit} {whole % size // rest}{below}"
    return f"{whole}s"

"""Numbers as a reader wants them."""

from __future__ import annotations


def duration(seconds: float | None) -> str:
    """Write a time with three digits, in milliseconds below a second.

    Example:
        >>> duration(0.00484), duration(1.234), duration(316.14), duration(None)
        ('4.84 ms', '1.23 s', '316 s', '')
    """
    if seconds is None:
        return ""
    return f"{three_digits(seconds * 1e3)} ms" if seconds < 0.9995 else f"{three_digits(seconds)} s"


def three_digits(value: float | None) -> str:
    """Write a number with three digits, and never with an exponent.

    Example:
        >>> three_digits(2474.86), three_digits(43.9), three_digits(0.38), three_digits(0.0), three_digits(None)
        ('2475', '43.9', '0.38', '0', '')
    """
    if value is None:
        return ""
    if abs(value) >= 99.95:
        return f"{value:.0f}"
    return f"{value:.4f}".rstrip("0").rstrip(".") if abs(value) < 0.01 else f"{value:.3g}"


def spread(lower: float | None, middle: float | None, upper: float | None) -> str:
    """Write the distance between quartiles as a share of the median.

    Example:
        >>> spread(0.9, 1.0, 1.15), spread(None, None, None)
        ('25 %', '')
    """
    if lower is None or upper is None or not middle:
        return ""
    return f"{100 * (upper - lower) / middle:.0f} %"


def count(number: int, word: str) -> str:
    """Write a number of things.

    Example:
        >>> count(1, "run"), count(10, "run")
        ('1 run', '10 runs')
    """
    return f"{number:,} {word}{'s' if number != 1 else ''}"

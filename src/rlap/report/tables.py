"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def markdown_table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Give the lines of a table whose first column is words and the others numbers.

    Example:
        >>> print(*markdown_table(["name", "MB"], [["rLap", "0.38"]]), sep="\\n")
        | name | MB |
        | --- | ---: |
        | rLap | 0.38 |
    """
    return [_line(titles), _line(["---", *["---:"] * (len(titles) - 1)]), *map(_line, rows)]


def _line(words: Sequence[str]) -> str:
    return "| " + " | ".join(word.replace("|", "\\|").replace("\n", " ") for word in words) + " |"

"""How a table of edges is written: found out from its first lines."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass

HEAD = 1 << 18  # comments and header are looked for in so many bytes

_SOURCES = {"source", "src", "from", "u", "i", "row", "head", "node1", "node_1", "id1", "fromnodeid", "source_id"}
_TARGETS = {"target", "dst", "to", "v", "j", "col", "column", "tail", "node2", "node_2", "id2", "tonodeid", "target_id"}
_WEIGHTS = {"weight", "weights", "w", "edge_weight", "value", "strength"}
_COMMENT = re.compile(r"(#|%)(\s|$)|%%")  # "# SNAP says" and "% KONECT says", but not the name "#hashtag"


@dataclass(frozen=True)
class Dialect:
    """The separator, how many lines come before the rows, and which columns are the ends and the weight."""

    delimiter: str
    skip: int
    width: int
    source: int
    target: int
    weight: int | None
    columns: tuple[str, str, str] | None
    numbered: bool  # the first row's ends are whole numbers


def find_dialect(head: bytes) -> Dialect | None:
    """Look at the first lines of a table; None when it has no rows and no header.

    >>> find_dialect(b"source,target,weight\\n0,1,2.5\\n").columns
    ('source', 'target', 'weight')
    >>> find_dialect(b"# a comment\\n0\\t1\\n").skip
    1
    """
    lines = _first_lines(head)
    if not lines:
        return None
    (first_line, first_text), second_text = lines[0], lines[1][1] if len(lines) > 1 else None
    delimiter = next((mark for mark in "\t,; " if mark in first_text), ",")
    first = _cells(first_text, delimiter)
    second = None if second_text is None else _cells(second_text, delimiter)
    has_header = _is_header(first, second)
    body = second if has_header else first
    source, target, weight = _places(first, has_header)
    columns = None
    if has_header:
        columns = first[source], first[target], "weight" if weight is None else first[weight]
    return Dialect(
        delimiter=delimiter,
        skip=first_line + has_header,
        width=len(first),
        source=source,
        target=target,
        weight=weight,
        columns=columns,
        numbered=body is not None and max(source, target) < len(body) and _whole(body[source]) and _whole(body[target]),
    )


def _first_lines(head: bytes) -> list[tuple[int, str]]:
    """Give the first two rows after the leading comments, and how many lines come before each."""
    try:
        text = head.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        # The last character may have been cut.
        if problem.start < len(head) - 4:
            raise ValueError(f"a table must be UTF-8 text (got the byte {head[problem.start]:#04x})") from None
        text = head[: problem.start].decode("utf-8-sig")
    if "\0" in text:
        raise ValueError("a table must be text (got a zero byte)")
    rows: list[tuple[int, str]] = []
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text)):
        if line.strip() and (rows or not _COMMENT.match(line.lstrip())):
            rows.append((number, line.strip(" ")))
            if len(rows) == 2:
                break
    return rows


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        (cells,) = csv.reader([line], delimiter=delimiter)
    except csv.Error as problem:  # such as a cell of more than 128 KiB
        raise ValueError(f"the first rows of a table must be cells of text ({problem})") from None
    return [cell.strip() for cell in cells]


def _is_header(first: list[str], second: list[str] | None) -> bool:
    """Titles are no numbers, and are known words or stand above node numbers or a weight."""
    if any(_number(cell) for cell in first):
        return False
    keys = {_key(cell) for cell in first}
    if keys & _SOURCES and keys & _TARGETS:
        return True
    return second is not None and (
        all(_whole(cell) for cell in second[:2]) or any(_number(cell) for cell in second[2:])
    )


def _places(first: list[str], has_header: bool) -> tuple[int, int, int | None]:
    """Find the columns by their titles, or take the first two or three."""
    if len(first) < 2:
        raise ValueError(f"a table must have a source, a target and perhaps a weight (got one column, {first[0]!r})")
    keys = [_key(cell) for cell in first] if has_header else []
    source = next((at for at, key in enumerate(keys) if key in _SOURCES), None)
    target = next((at for at, key in enumerate(keys) if key in _TARGETS), None)
    weight = next((at for at, key in enumerate(keys) if key in _WEIGHTS), None)
    if source is None or target is None:
        source, target = 0, 1
    if weight in (source, target):
        weight = None
    if weight is None and len(first) == 3:
        (weight,) = {0, 1, 2} - {source, target}
    if weight is None and len(first) > 3:
        rule = "a table of more than three columns must have a title line that calls one of them weight"
        raise ValueError(f"{rule} (got {len(first)} columns: {', '.join(first)})")
    return source, target, weight


def _key(title: str) -> str:
    return title.lstrip("#").strip().lower()


def _whole(cell: str) -> bool:
    return re.fullmatch(r"[+-]?\d+", cell) is not None


def _number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True

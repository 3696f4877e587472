"""The edges of a plain GraphML file, all at once.

A file of two million edges holds ten million XML events, which is many seconds of Python. Programs write edges one
after another in one simple shape, so that shape is matched directly. The matches must cover the text without a gap; a
file with anything else among its edges (comments, entities, other attributes) is left to the XML parser.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SLICE = 1 << 20  # bytes matched at a time
_ENCODING = re.compile(rb"""^\s*<\?xml[^>]*encoding=["']([^"']*)""")


@dataclass(frozen=True)
class PlainEdges:
    """Node numbers, (2, E), and weights, not a number where the file gives none."""

    edge_index: NDArray[np.int64]
    edge_weight: NDArray[np.float64]


def split_edges(text: bytes) -> tuple[int, int] | None:
    """Find where the first edge begins and the last one ends; None where that cannot be told at a glance."""
    encoding = _ENCODING.match(text)
    if encoding is not None and encoding[1].lower() not in (b"utf-8", b"us-ascii"):
        return None
    first, last = text.find(b"<edge"), text.rfind(b"<edge")
    close = text.find(b">", last)
    if first < 0 or close < 0:
        return None
    if text[close - 1 : close] == b"/":
        return first, close + 1
    close = text.find(b"</edge>", close)
    return None if close < 0 else (first, close + len(b"</edge>"))


def match_edges(text: bytes, begin: int, end: int, key: str | None, names: list[str]) -> PlainEdges | None:
    """Match the edges between nodes of these names; None when there is anything else between `begin` and `end`.

    >>> text = b'<edge source="a" target="b"><data key="w">2.5</data></edge> <edge source="a" target="c"/>'
    >>> edges = match_edges(text, 0, len(text), "w", ["a", "b", "c"])
    >>> edges.edge_index.tolist(), edges.edge_weight.tolist()
    ([[0, 0], [1, 2]], [2.5, nan])
    """
    import pyarrow
    import pyarrow.compute as compute

    pattern = _pattern(key)
    columns: list[list[Any]] = [[], [], []]
    while begin < end:
        stop = text.rfind(b"<edge", begin + 1, begin + _SLICE) if end - begin > _SLICE else end
        found = pattern.findall(text, begin, stop)
        if not found or sum(len(edge[0]) for edge in found) != stop - begin:
            return None
        for column, part in zip(columns, list(zip(*found, strict=True))[1:], strict=True):
            column.append(pyarrow.array(part, pyarrow.binary()))
        begin = stop
    try:
        source, target, weight = (pyarrow.chunked_array(column).cast(pyarrow.string()) for column in columns)
        value = compute.if_else(compute.equal(weight, ""), None, compute.utf8_trim_whitespace(weight))
        value = value.cast(pyarrow.float64())
    except pyarrow.ArrowInvalid:
        return None
    known = pyarrow.array(names, pyarrow.string())
    both = pyarrow.chunked_array(source.chunks + target.chunks)
    ends = compute.index_in(both, value_set=known)
    if ends.null_count or compute.any(compute.is_nan(value)).as_py():
        return None
    return PlainEdges(ends.to_numpy().astype(np.int64).reshape(2, -1), value.fill_null(np.nan).to_numpy())


def _pattern(key: str | None) -> re.Pattern[bytes]:
    # Possessive throughout: no part is tried a second time, so that a match takes time in proportion to its length. It
    # never goes beyond the next edge, for which it would have to pass a "<".
    value = rb'"([^"&<\t\r\n]*+)"'
    label = rb'(?:\s++id="[^"&<]*+")?+'
    content = rb">[^<&]*+</data>\s*+"
    if key is None:
        data = rb'(?:<data\s++key="[^"&<]*+"' + content + rb")*+()"
    else:
        name = re.escape(key.encode())
        others = rb'(?:<data\s++key="(?!' + name + rb'")[^"&<]*+"' + content + rb")*+"
        weight = rb'(?:<data\s++key="' + name + rb'">\s*+([^<&\s][^<&]*+)</data>\s*+)?+'
        data = others + weight + others
    start = rb"<edge" + label + rb"\s++source=" + value + rb"\s++target=" + value + label + rb"\s*+"
    return re.compile(rb"(" + start + rb"(?:/>|>\s*+" + data + rb"</edge>)\s*+)")

"""GraphML: nodes by name, edges with a `weight`. Other attributes are not read."""

from __future__ import annotations

import math
from array import array
from typing import Any, BinaryIO
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from rlap.adapters.files.edge_file import EdgeFile
from rlap.adapters.files.graphml_edges import match_edges, split_edges

_SLICE = 1 << 17  # so many edges are text at a time
_HEAD = """<?xml version="1.0" encoding="utf-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>
  <graph edgedefault="undirected">
"""
_TAIL = "  </graph>\n</graphml>\n"


def read_graphml(stream: BinaryIO, num_nodes: int | None = None) -> EdgeFile:
    """Read one graph. Nodes that are called 0 to n - 1 go by these numbers; other names are kept.

    The edges of an undirected graph are all different: a - b beside b - a is a parallel edge, and their weights add up.
    In a directed graph they are the two directions of one edge.

    >>> import io
    >>> text = '<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/><edge source="b" target="a"/>'
    >>> graph = read_graphml(io.BytesIO((text + "</graph></graphml>").encode()))
    >>> graph.edge_index.tolist(), graph.node_names.tolist()
    ([[0], [1]], ['a', 'b'])
    """
    text = stream.read()
    region = split_edges(text)
    if region is not None:
        begin, end = region
        outside = _Reader()
        try:
            outside.parse(text[:begin], text[end:])
        except ValueError:
            pass  # the reader below says what is wrong
        else:
            edges = match_edges(text, begin, end, outside.key, list(outside.numbers))
            if edges is not None:
                directed = np.full(edges.edge_weight.size, outside.default_directed)
                return outside.graph(edges.edge_index, edges.edge_weight, directed)
    whole = _Reader()
    whole.parse(text)
    return whole.graph(*whole.edges())


def write_graphml(stream: BinaryIO, graph: EdgeFile, both_directions: bool) -> None:
    """Write the nodes that are left and every edge once, as an undirected graph."""
    import pyarrow
    import pyarrow.compute as compute

    numbers = np.arange(graph.num_nodes) if graph.node_names is None else graph.node_names
    names = _escape(pyarrow.array(numbers).cast(pyarrow.string()))
    ends, weight = graph.one_direction()
    stream.write(_HEAD.encode())
    present = names if graph.node_mask is None else names.filter(pyarrow.array(graph.node_mask))
    _write_lines(stream, compute.binary_join_element_wise('    <node id="', present, '"/>', ""))
    for begin in range(0, ends.shape[1], _SLICE):
        part = slice(begin, begin + _SLICE)
        source, target = (names.take(pyarrow.array(end[part])) for end in ends)
        value = pyarrow.array(weight[part]).cast(pyarrow.string())
        opening, middle, data = '    <edge source="', '" target="', '"><data key="weight">'
        lines = compute.binary_join_element_wise(opening, source, middle, target, data, value, "</data></edge>", "")
        _write_lines(stream, lines)
    stream.write(_TAIL.encode())


class _Reader:
    """Collects what the XML parser meets."""

    def __init__(self) -> None:
        self.kinds: dict[str, str] = {}
        self.numbers: dict[str, int] = {}
        self.sources, self.targets = array("q"), array("q")
        self.directed = array("b")
        self.weighted, self.weights = array("q"), array("d")
        self.key: str | None = None
        self.default: float | None = None
        self.graphs = 0
        self.default_directed = False
        self.inside: str | None = None
        self.collected: list[str] | None = None

    def parse(self, *parts: bytes) -> None:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self.start, self.end
        parser.CharacterDataHandler, parser.EntityDeclHandler = self.text, _refuse_entity
        try:
            for at, part in enumerate(parts):
                parser.Parse(part, at == len(parts) - 1)
        except expat.ExpatError as problem:
            raise ValueError(f"a GraphML file must be well-formed XML (got {problem})") from None
        except LookupError as problem:
            raise ValueError(f"a GraphML file must have an encoding that Python knows (got {problem})") from None
        if not self.graphs:
            raise ValueError("a GraphML file must hold a graph (got none)")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        kind = self.kinds.get(tag) or self.kinds.setdefault(tag, tag.rpartition(" ")[2])
        if kind == "edge":
            numbers = self.numbers
            try:
                source, target = attributes["source"], attributes["target"]
            except KeyError as missing:
                raise ValueError(f"every edge must have a source and a target (got none for {missing})") from None
            self.sources.append(numbers.setdefault(source, len(numbers)))
            self.targets.append(numbers.setdefault(target, len(numbers)))
            said = attributes.get("directed")
            self.directed.append(self.default_directed if said is None else said == "true")
            self.inside = kind
        elif kind == "data":
            if self.inside == "edge" and attributes.get("key") == self.key and self.key is not None:
                self.collected = []
        elif kind == "node":
            if "id" not in attributes:
                raise ValueError("every node must have an id (got one without)")
            self.numbers.setdefault(attributes["id"], len(self.numbers))
            self.inside = kind
        elif kind == "graph":
            self.graphs += 1
            if self.graphs > 1:
                raise ValueError("a GraphML file must hold one graph, without graphs inside (got a second one)")
            self.default_directed = attributes.get("edgedefault") == "directed"
        elif kind == "key":
            if attributes.get("attr.name") == "weight" and attributes.get("for", "all") in ("edge", "all"):
                self.key = attributes.get("id")
                self.inside = kind
        elif kind == "default" and self.inside == "key":
            self.collected = []
        elif kind == "hyperedge":
            raise ValueError("an edge must join two nodes (got a hyperedge)")

    def text(self, characters: str) -> None:
        if self.collected is not None:
            self.collected.append(characters)

    def end(self, tag: str) -> None:
        kind = self.kinds[tag]
        if self.collected is not None and kind in ("data", "default"):
            value = "".join(self.collected).strip()
            self.collected = None
            if kind == "default":
                self.default = _number(value)
            else:
                self.weighted.append(len(self.sources) - 1)
                self.weights.append(_number(value))
        elif kind == self.inside:
            self.inside = None

    def edges(self) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.bool_]]:
        """Give the edges, their weights (not a number where there is none), and which of them are directed."""
        index = np.stack([np.array(self.sources, dtype=np.int64), np.array(self.targets, dtype=np.int64)])
        weight = np.full(index.shape[1], np.nan)
        weight[np.array(self.weighted, dtype=np.int64)] = self.weights
        return index, weight, np.array(self.directed, dtype=np.bool_)

    def graph(self, index: NDArray[np.int64], weight: NDArray[np.float64], directed: NDArray[np.bool_]) -> EdgeFile:
        """Build the graph. Undirected edges between two nodes all point the same way, so that they add up."""
        index[:, ~directed] = np.sort(index[:, ~directed], axis=0)
        names, order = _own_numbers(list(self.numbers))
        given = ~np.isnan(weight)
        edge_weight = None
        if given.any() or self.default is not None:
            edge_weight = np.where(given, weight, 1.0 if self.default is None else self.default)
        return EdgeFile(index if order is None else order[index], edge_weight, len(self.numbers), names)


def _refuse_entity(*_: Any) -> None:
    raise ValueError("a GraphML file must not define entities: a few of them can stand for gigabytes")


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise ValueError(f"edge weights must be numbers (got {text!r})")
    return value


def _own_numbers(names: list[str]) -> tuple[NDArray[Any] | None, NDArray[np.int64] | None]:
    """Give the names, or, when they are just 0 to n - 1, the numbers that they say."""
    if all(len(name) < 12 and name.isascii() and name.isdigit() and (name[0] != "0" or name == "0") for name in names):
        numbers = np.array([int(name) for name in names], dtype=object)
        if sorted(numbers) == list(range(len(names))):
            return None, numbers.astype(np.int64)
    return np.array(names, dtype=object), None


def _escape(names: Any) -> Any:
    import pyarrow.compute as compute

    forbidden = compute.match_substring_regex(names, r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
    if compute.any(forbidden).as_py():
        raise ValueError(f"XML has no control characters (got the name {names.filter(forbidden)[0].as_py()!r})")
    for character, code in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        names = compute.replace_substring(names, character, code)
    for character in "\t\n\r":
        names = compute.replace_substring(names, character, f"&#{ord(character)};")
    return names


def _write_lines(stream: BinaryIO, lines: Any) -> None:
    if len(lines):
        stream.write(("\n".join(lines.to_pylist()) + "\n").encode())

"""What a page is made of: plain values, which know nothing of HTML or Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Notes:
    """A list of short remarks."""

    lines: Sequence[str]


@dataclass(frozen=True)
class Code:
    """Commands, one a line."""

    lines: Sequence[str]


@dataclass(frozen=True)
class Heading:
    """A heading inside a section."""

    text: str


@dataclass(frozen=True)
class Cell:
    """An entry of a table: words, how they are marked, and smaller lines below. Tables sort by `value`, if any."""

    text: str
    mark: Literal["", "best", "second", "absent", "failed"] = ""
    below: Sequence[Cell] = ()
    value: float | None = None


@dataclass(frozen=True)
class Table:
    """Titles of columns, and rows of which the first cell is a name."""

    titles: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Panel:
    """A picture of its own: the name of its file, what it shows in words, and SVG whose ink is `INK`."""

    name: str
    words: str
    svg: str


@dataclass(frozen=True)
class Figure:
    """Panels that belong together. Each is a picture, so that a phone may show them below each other."""

    caption: str
    panels: Sequence[Panel]


@dataclass(frozen=True)
class Folded:
    """Blocks that are opened by hand."""

    title: str
    blocks: Sequence[Block]


Block: TypeAlias = Text | Notes | Code | Heading | Table | Figure | Folded


@dataclass(frozen=True)
class Section:
    """A part of the page; `name` is where links lead, and `link` what they say, if not the title."""

    name: str
    title: str
    blocks: Sequence[Block] = ()
    link: str = ""


def panels(blocks: Sequence[Block]) -> list[Panel]:
    """List the pictures of blocks, also those that are folded away.

    Example:
        >>> [one.name for one in panels([Folded("more", [Figure("", [Panel("ranks", "", "<svg/>")])])])]
        ['ranks']
    """
    found: list[Panel] = []
    for block in blocks:
        if isinstance(block, Figure):
            found += block.panels
        elif isinstance(block, Folded):
            found += panels(block.blocks)
    return found

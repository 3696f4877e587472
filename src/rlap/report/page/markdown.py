"""The page as Markdown, with its figures as files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rlap.report.page.blocks import Block, Cell, Code, Figure, Folded, Heading, Notes, Section, Table, Text
from rlap.report.page.html import panel_words
from rlap.report.tables import markdown_table

FIGURES = "figures"
# Of the tags that underline, this one is let through where Markdown is shown.
_MARKS = {"best": ("**", "**"), "second": ("<ins>", "</ins>")}


def to_markdown(title: str, lead: Sequence[str], sections: Sequence[Section]) -> str:
    """Write the whole page.

    Example:
        >>> print(to_markdown("Results", ["One run."], [Section("grace", "GRACE", [Notes(["a"])])]))
        # Results
        <BLANKLINE>
        One run.
        <BLANKLINE>
        ## GRACE
        <BLANKLINE>
        - a
        <BLANKLINE>
    """
    parts = [f"# {title}", *lead]
    for section in sections:
        parts += [f"## {section.title}", *_blocks(section.blocks)]
    return "\n\n".join(parts) + "\n"


def _blocks(blocks: Iterable[Block]) -> list[str]:
    return [part for block in blocks for part in _block(block)]


def _block(block: Block) -> list[str]:
    match block:
        case Text(text):
            return [_words(text)]
        case Notes(lines):
            return ["\n".join(f"- {_words(line)}" for line in lines)]
        case Code(lines):
            return ["\n".join(["```", *lines, "```"])]
        case Heading(text):
            return [f"### {text}"]
        case Table(titles, rows):
            return ["\n".join(markdown_table(titles, [[_cell(cell) for cell in row] for row in rows]))]
        case Figure(caption, panels):
            images = (f'<img src="{FIGURES}/{one.name}.svg" alt="{panel_words(one)}">' for one in panels)
            return ["\n".join(images), f"*{_words(caption)}*"]
        case Folded(title, inner):
            return [f"<details><summary>{title.replace('`', '')}</summary>", *_blocks(inner), "</details>"]


def _words(text: str) -> str:
    """Keep what looks like a tag from being one; what stands between backticks is code, and safe."""
    parts = text.split("`")
    return "`".join(part if at % 2 else part.replace("<", "&lt;") for at, part in enumerate(parts))


def _cell(cell: Cell) -> str:
    return "<br>".join(map(_marked, (cell, *cell.below)))


def _marked(cell: Cell) -> str:
    begin, end = _MARKS.get(cell.mark, ("", ""))
    return f"{begin}{_words(cell.text)}{end}"

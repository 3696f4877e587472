"""A page of blocks, written as one HTML file that needs nothing else, and as Markdown with its figures beside it."""

from rlap.report.page.blocks import Block, Cell, Code, Figure, Folded, Heading, Notes, Panel, Section, Table, Text
from rlap.report.page.html import to_html
from rlap.report.page.markdown import to_markdown

__all__ = [
    "Block",
    "Cell",
    "Code",
    "Figure",
    "Folded",
    "Heading",
    "Notes",
    "Panel",
    "Section",
    "Table",
    "Text",
    "to_html",
    "to_markdown",
]

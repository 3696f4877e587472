"""The page as one HTML file. Whoever opens it fetches nothing: its policy forbids that, and it refers to nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources

from rlap.report.page.blocks import Block, Cell, Code, Figure, Folded, Heading, Notes, Panel, Section, Table, Text
from rlap.report.page.figures import INK

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'"
_TAGS = {"best": ("<strong>", "</strong>"), "second": ("<u>", "</u>")}


def to_html(title: str, lead: Sequence[str], sections: Sequence[Section]) -> str:
    """Write the whole page.

    Example:
        >>> page = to_html("Results", ["One run."], [Section("grace", "GRACE", [Text("a < b")])])
        >>> "<p>a &lt; b</p>" in page, "default-src 'none'" in page
        (True, True)
    """
    links = "".join(f'<a href="#{escape(one.name)}">{escape(one.link or one.title)}</a>' for one in sections)
    body = "".join(
        f'<section id="{escape(one.name)}"><h2>{escape(one.title)}</h2>{_blocks(one.blocks)}</section>'
        for one in sections
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><title>{escape(title)}</title>'
        f"<style>{_asset('page.css')}</style></head>\n<body><header><h1>{escape(title)}</h1>"
        f"{''.join(f'<p>{_words(line)}</p>' for line in lead)}</header>"
        f"<nav>{links}</nav><main>{body}</main><script>{_asset('page.js')}</script></body></html>\n"
    )


def _blocks(blocks: Iterable[Block]) -> str:
    return "\n".join(map(_block, blocks))


def _block(block: Block) -> str:
    match block:
        case Text(text):
            return f"<p>{_words(text)}</p>"
        case Notes(lines):
            return f"<ul>{''.join(f'<li>{_words(line)}</li>' for line in lines)}</ul>"
        case Code(lines):
            return f"<pre>{escape(chr(10).join(lines))}</pre>"
        case Heading(text):
            return f"<h3>{escape(text)}</h3>"
        case Table():
            return _table(block)
        case Figure(caption, panels):
            drawn = "".join(map(_panel, panels))
            return f'<figure><div class="panels">{drawn}</div><figcaption>{_words(caption)}</figcaption></figure>'
        case Folded(title, inner):
            return f"<details><summary>{_words(title)}</summary>{_blocks(inner)}</details>"


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col"><button type="button">{escape(one)}</button></th>' for one in table.titles)
    rows = "".join(f"<tr>{''.join(_cell(cell, not at) for at, cell in enumerate(row))}</tr>\n" for row in table.rows)
    return f'<div class="wide" tabindex="0"><table><thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table></div>'


def _cell(cell: Cell, first: bool) -> str:
    value = "" if cell.value is None else f' data-value="{cell.value:.10g}"'
    kind = f' class="{cell.mark}"' if cell.mark else ""
    inner = _marked(cell) + "".join(f"<small>{_marked(line)}</small>" for line in cell.below)
    # Long names may break between their words, which is where a phone needs it.
    inner = re.sub(r"(?<=[a-z]{3})(?=[A-Z])", "<wbr>", inner) if first else inner
    return f'<th scope="row"{kind}>{inner}</th>' if first else f"<td{kind}{value}>{inner}</td>"


def _marked(cell: Cell) -> str:
    begin, end = _TAGS.get(cell.mark, ("", ""))
    return f"{begin}{_words(cell.text)}{end}"


def _panel(panel: Panel) -> str:
    """Put SVG into the page itself: it takes the page's ink, in the dark as well, and its words can be found."""
    svg = panel.svg.replace(INK, "currentColor").replace("<svg ", f'<svg role="img" aria-label="{panel_words(panel)}" ')
    # Names must be the page's only ones, and matplotlib gives the same to the parts of every picture.
    for pattern in (r'(\bid=")', r'(href="#)', r"(url\(#)"):
        svg = re.sub(pattern, rf"\g<1>{panel.name}-", svg)
    return f'<div class="panel">{svg}</div>'


def panel_words(panel: Panel) -> str:
    """Give what a picture shows, as an attribute holds it.

    Example:
        >>> panel_words(Panel("ranks", 'ranks of "rLap"', ""))
        'ranks of &quot;rLap&quot;'
    """
    return escape(panel.words)


def _words(text: str) -> str:
    """Escape words; what stands between backticks is code."""
    parts = escape(text).split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    return "".join(f"<code>{part}</code>" if at % 2 else part for at, part in enumerate(parts))


def _asset(name: str) -> str:
    return resources.files("rlap.report.page").joinpath(name).read_text(encoding="utf-8")

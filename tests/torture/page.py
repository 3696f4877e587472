"""Writes the figures of the last long runs into the documentation: `python -m tests.torture.page`."""

from __future__ import annotations

import re

from tests.torture.outcome import ROOT, to_markdown

FIGURES = ROOT / "results" / "torture.json"
PAGE = ROOT / "docs" / "explanation" / "testing.md"


def page() -> str:
    """Return the page with its table made anew."""
    begin, end = "<!-- begin of torture.json -->\n", "<!-- end of torture.json -->"
    return re.sub(f"{begin}.*{end}", lambda _: begin + to_markdown(FIGURES) + end, PAGE.read_text(), flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(page())

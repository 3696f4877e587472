"""Pictures as SVG text: small, sharp, and without a date, so that the same results give the same file."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

from rlap.report.page.blocks import Panel

INK = "#20242a"  # of axes and words; the page puts its own in its place
_SIZE = (4.4, 3.6)  # inches: about the width of a phone, so that words stay readable there
_STYLE = {
    "svg.fonttype": "none",  # words stay words
    "font.family": "sans-serif",
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "legend.fontsize": 8.0,
    **dict.fromkeys(["text.color", "axes.edgecolor", "axes.labelcolor", "axes.titlecolor", "xtick.color"], INK),
    "ytick.color": INK,
}


def draw_panel(
    name: str, words: str, draw: Callable[[Any], None], size: tuple[float, float] = _SIZE, legend: int = 0
) -> Panel:
    """Draw a picture: `draw` is given matplotlib's axes. A legend goes below, in so many columns.

    Example:
        >>> panel = draw_panel("line", "a line", lambda axes: axes.plot([0, 1], [0, 1]))
        >>> panel.svg[:4], panel.svg == draw_panel("line", "a line", lambda axes: axes.plot([0, 1], [0, 1])).svg
        ('<svg', True)
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    with matplotlib.rc_context({**_STYLE, "svg.hashsalt": name}):
        figure, axes = pyplot.subplots(figsize=size, layout="constrained")
        try:
            draw(axes)
            handles, titles = axes.get_legend_handles_labels()
            if legend and handles:
                figure.legend(handles, titles, loc="outside lower center", ncols=legend)
            text = io.StringIO()
            figure.savefig(text, format="svg", transparent=True)
        finally:
            pyplot.close(figure)
    return Panel(name, words, _bare(text.getvalue()))


def alone(panel: Panel) -> str:
    """Give the picture as a file of its own, on white: elsewhere nobody gives it a ground.

    Example:
        >>> alone(Panel("x", "", '<svg width="1pt"><g/></svg>')).count("<rect")
        1
    """
    return re.sub(r"(<svg [^>]*>)", r'\1<rect width="100%" height="100%" fill="#ffffff"/>', panel.svg, count=1) + "\n"


def _bare(svg: str) -> str:
    """Leave the head, the style that would reach the whole page, and who made it when, away."""
    svg = svg[svg.index("<svg") :].strip()
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<style[^>]*>.*?</style>", "", svg, flags=re.DOTALL)
    return re.sub(r"[ \t]+$", "", svg, flags=re.MULTILINE)

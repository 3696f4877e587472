"""Options under a heading of the help."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer


def panel(title: str, *, show_default: bool = True) -> Callable[..., Any]:
    """Give a maker of options that stand under one heading: help text, names, and what stands for the value.

    Example:
        >>> files = panel("Files")
        >>> files("The folder with the raw files.", "--data", metavar="DIR").rich_help_panel
        'Files'
    """

    def option(help: str, *names: str, metavar: str = "") -> Any:
        return typer.Option(*names, help=help, rich_help_panel=title, metavar=metavar, show_default=show_default)

    return option

"""`rlap scale`: graphs that one process does not hold."""

from __future__ import annotations

from typing import Any


def build_scale() -> Any:
    """Assemble the commands of `rlap scale`."""
    import typer

    from rlap.cli.scale_view import view

    app = typer.Typer(no_args_is_help=True, help="Make views of graphs that one process does not hold, on Ray.")
    app.command(no_args_is_help=True)(view)
    return app

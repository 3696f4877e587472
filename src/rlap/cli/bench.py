"""`rlap bench`: what things cost on this machine."""

from __future__ import annotations

from typing import Any


def build_bench() -> Any:
    """Assemble the commands of `rlap bench`."""
    import typer

    from rlap.cli.bench_augmentors import augmentors
    from rlap.cli.bench_ppr import ppr

    app = typer.Typer(no_args_is_help=True, help="Measure memory and time, beside the paper's numbers.")
    app.command()(augmentors)
    app.command()(ppr)
    return app

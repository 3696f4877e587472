"""The command line: `rlap`. One file a command; nothing is imported before it is called."""

from __future__ import annotations

import sys
from typing import Any

_MISSING = 'the command line needs {name}: pip install "rlap[{extra}]"'
_EXTRAS = {
    "cli": ("typer", "rich", "pyarrow"),
    "cli,gcl": ("torch", "torch_geometric", "sklearn"),
    "cli,report": ("matplotlib", "pandas"),
    "cli,gcl,baselines": ("grakel",),
    "cli,gcl,grid": ("optuna",),
    "cli,scale": ("ray", "pymetis"),
}


def main() -> None:
    """Run the command line, as `rlap --help` does."""
    try:
        build_app()(prog_name="rlap")
    except ModuleNotFoundError as missing:
        name = str(missing.name).partition(".")[0]
        extra = next((extra for extra, names in _EXTRAS.items() if name in names), None)
        if extra is None:
            raise
        print(_MISSING.format(name=name, extra=extra), file=sys.stderr)
        raise SystemExit(1) from None


def build_app() -> Any:
    """Assemble the Typer application.

    Example:
        >>> from typer.testing import CliRunner
        >>> CliRunner().invoke(build_app(), ["--version"]).exit_code
        0
    """
    import rich  # noqa: F401  (Typer runs without, but the commands do not)
    import typer

    from rlap.cli.augment import augment
    from rlap.cli.bench import build_bench
    from rlap.cli.embed import embed
    from rlap.cli.evaluate import evaluate
    from rlap.cli.report import report
    from rlap.cli.reproduce import reproduce
    from rlap.cli.results import build_results
    from rlap.cli.scale import build_scale
    from rlap.cli.train import train

    app = typer.Typer(
        no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown"
    )

    def start(
        version: bool = typer.Option(False, "--version", is_eager=True, metavar="", help="Say the version and leave."),
    ) -> None:
        """Randomized Schur complement views of graphs, and contrastive learning with them."""
        if version:
            from rlap import __version__

            typer.echo(f"rlap {__version__}")
            raise typer.Exit

    app.callback(invoke_without_command=True)(start)
    for command in (augment, train, embed, evaluate, reproduce):
        app.command(no_args_is_help=True)(command)
    app.command()(report)
    app.add_typer(build_results(), name="results")
    app.add_typer(build_bench(), name="bench")
    app.add_typer(build_scale(), name="scale")
    return app


__all__ = ["build_app", "main"]

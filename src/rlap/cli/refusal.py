"""What a user gets to see when something cannot be done: one line and an exit code, never a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

BROKEN_RULE = 2  # the input or the arguments; the same code as for an unknown option
FAILED = 1  # the machine: no memory, no space, no permission


@contextmanager
def refusal() -> Iterator[None]:
    """Turn errors into a message on the standard error stream and an exit code.

    Example:
        >>> try:
        ...     with refusal():
        ...         raise ValueError("fraction must lie in [0, 1] (got 1.5)")
        ... except typer.Exit as end:
        ...     print(end.exit_code)
        2
    """
    try:
        yield
    except (ValueError, TypeError) as problem:
        typer.echo(f"Error: {problem}", err=True)
        raise typer.Exit(BROKEN_RULE) from problem
    except MemoryError as problem:
        typer.echo(f"Error: not enough memory ({problem or 'the system gave none'})", err=True)
        raise typer.Exit(FAILED) from problem
    except typer.Exit:
        raise  # has its exit code, though it is a RuntimeError
    except BrokenPipeError:
        raise  # whoever read the output has left, as `head` does: the application ends without a word
    except (OSError, RuntimeError) as problem:
        typer.echo(f"Error: {problem}", err=True)
        raise typer.Exit(FAILED) from problem

"""The state of a training run in a file: complete or as it was before, whatever happens in between."""

from __future__ import annotations

import os
import pickle
import secrets
from pathlib import Path
from typing import Any

import torch


def save_state(path: Path, state: dict[str, Any]) -> None:
    """Write a state to a new file beside `path`, and give it the name when its bytes are on the disk.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "run.pt")
        >>> save_state(path, {"epoch": 3})
        >>> load_state(path)
        {'epoch': 3}
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    try:
        with part.open("xb") as file:
            torch.save(state, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # the name too, not the bytes alone
    finally:
        os.close(folder)


def load_state(path: Path) -> dict[str, Any]:
    """Read a state. Only tensors and plain values are read: a file from a stranger cannot run anything."""
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except (RuntimeError, pickle.UnpicklingError, EOFError, ValueError, KeyError) as problem:
        raise ValueError(f"the checkpoint must be a file that training wrote (got {str(path)!r})") from problem
    if not isinstance(state, dict):
        raise ValueError(f"the checkpoint must be a file that training wrote (got {str(path)!r})")
    return state


def remove_leftovers(path: Path) -> None:
    """Remove the unfinished files of runs that were killed while they wrote this checkpoint."""
    for part in path.parent.glob(f".{path.name}.*.part"):
        part.unlink(missing_ok=True)

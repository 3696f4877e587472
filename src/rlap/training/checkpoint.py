"""The state of a training run in a file: complete or as it was before, whatever happens in between.

A checkpoint is a mark, the SHA-256 digest of the rest, and the rest, which is what `torch.save` writes. The one before
is kept beside it.
"""

from __future__ import annotations

import hashlib
import io
import logging
import os
import pickle
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import torch

Value = TypeVar("Value")

_MARK = b"rlap checkpoint 1\n"
_DIGEST = hashlib.sha256().digest_size
_log = logging.getLogger(__name__)


class CheckpointError(ValueError):
    """The file cannot be gone on from: it is something else, or of another run."""


class DamagedCheckpoint(CheckpointError):
    """The file is a checkpoint, and its bytes are not those that were written."""


def previous(path: Path) -> Path:
    """Return where the checkpoint before the last is kept."""
    return path.with_name(f"{path.name}.previous")


def is_there(path: Path) -> bool:
    """Return whether there is a checkpoint; one that was killed while it changed names may have the older alone."""
    return path.exists() or previous(path).exists()


def save_state(path: Path, state: dict[str, Any]) -> None:
    """Write a state to a new file beside `path`, and give it the name when its bytes are on the disk.

    Raises:
        OSError: when it cannot be written; the checkpoints that were there stay.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "run.pt")
        >>> save_state(path, {"epoch": 3})
        >>> load_state(path)
        {'epoch': 3}
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    try:
        memory = io.BytesIO()  # torch does not pass on why a file could not be written
        torch.save(state, memory)
        content = memory.getbuffer()
        with part.open("xb") as file:
            file.write(_MARK + hashlib.sha256(content).digest())
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            os.replace(path, previous(path))
        os.replace(part, path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # the name too, not the bytes alone
        finally:
            os.close(folder)
    except OSError as problem:
        why = f"{problem.strerror or problem}, and the checkpoint was not written; the last one stays, to resume from"
        raise OSError(problem.errno, why, str(path)) from problem
    finally:
        part.unlink(missing_ok=True)


def load_state(path: Path) -> dict[str, Any]:
    """Read a state. Only tensors and plain values are read: a file from a stranger cannot run anything.

    Raises:
        DamagedCheckpoint: when the digest is not that of the content.
        CheckpointError: when the file is no checkpoint, or one without a digest.
    """
    whole = path.read_bytes()
    if not whole.startswith(_MARK):
        raise CheckpointError(f"the checkpoint must be a file that training wrote, with a digest (got {str(path)!r})")
    digest, content = whole[len(_MARK) :][:_DIGEST], whole[len(_MARK) + _DIGEST :]
    if hashlib.sha256(content).digest() != digest:
        raise DamagedCheckpoint(f"the checkpoint must have the digest of its content (got {str(path)!r})")
    try:
        state = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    except (RuntimeError, pickle.UnpicklingError, EOFError, ValueError, KeyError) as problem:
        raise CheckpointError(f"the checkpoint must be a file that training wrote (got {str(path)!r})") from problem
    if not isinstance(state, dict):
        raise CheckpointError(f"the checkpoint must be a file that training wrote (got {str(path)!r})")
    return state


def load_latest(path: Path) -> dict[str, Any] | None:
    """Read the newest state that is whole; damaged checkpoints are set aside. None if there is none to go on from.

    Raises:
        CheckpointError: when `path` is no checkpoint, and none beside it tells that it should be one.
    """
    _remove_leftovers(path)
    for one in (path, previous(path)):
        if not one.exists():
            continue
        try:
            return load_state(one)
        except CheckpointError as problem:
            if not isinstance(problem, DamagedCheckpoint) and not previous(path).exists():
                raise
            _set_aside(one, problem)
    return None


def from_checkpoint(path: Path | None, attempt: Callable[[], Value]) -> Value:
    """Call what goes on from a checkpoint, and once more without it if it cannot be used."""
    try:
        return attempt()
    except CheckpointError as problem:
        if path is None:
            raise
        for one in (path, previous(path)):
            if one.exists():
                _set_aside(one, problem)
        return attempt()


def _remove_leftovers(path: Path) -> None:
    """Remove the unfinished files of runs that were killed while they wrote this checkpoint."""
    for part in path.parent.glob(f".{path.name}.*.part"):
        part.unlink(missing_ok=True)


def _set_aside(path: Path, why: Exception) -> None:
    aside = path.with_name(f"{path.name}.damaged")
    os.replace(path, aside)
    _log.warning("%s; it is now %s, and the run starts from the one before, or anew", why, aside.name)

"""Files as byte streams: counted while they are read, complete or absent when they are written."""

from __future__ import annotations

import gzip
import io
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, cast

from rlap.schur.memory import check_memory

Progress: TypeAlias = Callable[[int], None]  # is told how many bytes of the file have been read

_BLOCK = 1 << 20


class CountedFile(io.RawIOBase):
    """A file that tells how far it has been read."""

    def __init__(self, path: Path, progress: Progress) -> None:
        super().__init__()
        self._file = path.open("rb", buffering=0)
        self._progress = progress

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def seekable(self) -> bool:
        """Say that it can be read again."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read, and tell."""
        count = self._file.readinto(buffer)
        self._progress(self._file.tell())
        return count

    def readall(self) -> bytes:
        """Read the rest, and tell on the way."""
        parts = iter(lambda: self.read(_BLOCK) or b"", b"")
        return b"".join(parts)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move to another place."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """Say the place."""
        return self._file.tell()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


class UnpackedFile(io.RawIOBase):
    """The content of a packed file. Few bytes can unpack to any number: what does not fit in memory is refused."""

    _CHECKED = 1 << 24  # bytes between two looks at the memory

    def __init__(self, packed: BinaryIO) -> None:
        super().__init__()
        self._unpacked = gzip.GzipFile(fileobj=packed, mode="rb")
        self._count = 0

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def seekable(self) -> bool:
        """Say that it can be read again."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read, and count."""
        count = self._unpacked.readinto(buffer)
        before, self._count = self._count, self._count + count
        if before // self._CHECKED < self._count // self._CHECKED:
            check_memory(self._count)
        return count

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move to another place."""
        return self._unpacked.seek(offset, whence)

    def tell(self) -> int:
        """Say the place."""
        return self._unpacked.tell()

    def close(self) -> None:
        """Close the file."""
        self._unpacked.close()
        super().close()


@contextmanager
def open_input(path: Path, progress: Progress | None = None) -> Iterator[BinaryIO]:
    """Open a file for reading; one that ends in `.gz` is unpacked on the way."""
    if not path.exists():
        raise ValueError(f"the file must exist (got {str(path)!r})")
    if path.is_dir():
        raise ValueError(f"the input must be a file (got the folder {str(path)!r})")
    with io.BufferedReader(CountedFile(path, progress or (lambda _: None)), _BLOCK) as plain:
        if path.suffix.lower() != ".gz":
            yield plain
            return
        with io.BufferedReader(UnpackedFile(plain), _BLOCK) as unpacked:
            yield unpacked


@contextmanager
def reading_with(library: str) -> Iterator[None]:
    """Turn whatever a library raises about a file into a `ValueError` of one line.

    Parsers of others raise what they like on bytes that they did not expect: `KeyError`, `RecursionError`,
    `tokenize.TokenError`, their own. Only their calls belong under this, so that our own mistakes stay visible.
    """
    try:
        yield
    except MemoryError:
        raise
    except Exception as problem:
        words = str(problem).strip() or type(problem).__name__
        plain = isinstance(problem, ValueError)
        why = words.splitlines()[0] if plain else f"{type(problem).__name__}: {words.splitlines()[0]}"
        raise ValueError(f"{library} cannot read it ({why[:200]})") from problem


def check_output(path: Path) -> None:
    """Require a place where a file can be written."""
    if not path.parent.is_dir():
        raise ValueError(f"the output's folder must exist (got {str(path.parent)!r})")
    if path.exists() and not path.is_file():
        raise ValueError(f"the output must be a regular file (got {str(path)!r})")


@contextmanager
def open_output(path: Path) -> Iterator[BinaryIO]:
    """Write a file that appears under its name when it is complete, and not at all if anything fails.

    The bytes go to a new file beside it, which is renamed at the end; `.gz` is packed on the way, without a time stamp,
    so that equal views are equal files.
    """
    check_output(path)
    target = path.resolve()  # a link keeps pointing at what is written
    part = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
    try:
        with part.open("xb", buffering=_BLOCK) as plain:
            if path.suffix.lower() == ".gz":
                with gzip.GzipFile(filename="", fileobj=plain, mode="wb", compresslevel=3, mtime=0) as packed:
                    yield cast(BinaryIO, packed)
            else:
                yield plain
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)

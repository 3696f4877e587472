"""Raw files of the data sets, compared with their published digests before anything reads them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

_TEXT = (".txt", ".index")


@dataclass(frozen=True)
class RawFiles:
    """The folder `NAME/raw` of a data set.

    Args:
        folder: its path.
        trusted: read files whatever their digests say.
    """

    folder: Path
    trusted: bool = False

    @property
    def name(self) -> str:
        """The name that PyG gives the data set."""
        return self.folder.parent.name

    def has(self, file: str) -> bool:
        """Return whether there is such a file."""
        return (self.folder / file).is_file()

    def read(self, file: str) -> bytes:
        """Return the bytes of a file. What is checked is what is returned: the file is opened once.

        Raises:
            ValueError: when its SHA-256 is not the published one. Text with the line ends of Windows is the same text.
        """
        content = (self.folder / file).read_bytes()
        if self.trusted:
            return content
        expected = published_digests().get(f"{self.name}/raw/{file}", "unknown")
        found = hashlib.sha256(content).hexdigest()
        if found != expected and file.endswith(_TEXT):
            found = hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()
        if found != expected:
            raise ValueError(
                f"{self.folder / file} is not the published file: its SHA-256 must be {expected} (got {found}). "
                "If you trust its author, --trust-data (trust_data=True) reads it all the same"
            )
        return content


@cache
def published_digests() -> dict[str, str]:
    """Return the SHA-256 of every file, by its path; `sha256sum --check` reads the same list.

    Example:
        >>> len(published_digests()["Cora/raw/ind.cora.x"])
        64
    """
    lines = resources.files("rlap.datasets").joinpath("sha256sums.txt").read_text().splitlines()
    return {path: digest for digest, path in (line.split() for line in lines)}

"""Where raw files are: in the caller's folder, which is only ever read, or in a cache of downloads."""

from __future__ import annotations

import os
import shutil
import ssl
import tempfile
import urllib.request
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from rlap.datasets.raw_files import RawFiles

TIMEOUT = 60  # seconds without a byte


@dataclass(frozen=True)
class DataFolder:
    """A folder of raw files, and whether they are read whatever their digests say.

    Wherever a function takes the folder of the data sets, it takes this, too.

    Args:
        path: the folder; None means the variable RLAP_DATA, and then what was downloaded before.
        trusted: do not compare files with their published digests.
    """

    path: str | os.PathLike[str] | None = None
    trusted: bool = False


Folder: TypeAlias = str | os.PathLike[str] | DataFolder | None


def cache_folder() -> Path:
    """Give the folder of downloads: RLAP_CACHE, or `rlap` in XDG_CACHE_HOME, which is ~/.cache unless set."""
    own = os.environ.get("RLAP_CACHE")
    if own:
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rlap"


def data_folder(folder: Folder) -> DataFolder:
    """Return the folder that the caller names, else RLAP_DATA, else one without a path."""
    given = folder if isinstance(folder, DataFolder) else DataFolder(folder)
    path = given.path or os.environ.get("RLAP_DATA")
    return replace(given, path=Path(path).expanduser() if path else None)


def find_raw(folder: DataFolder, names: Sequence[str]) -> RawFiles | None:
    """Find `NAME/raw` under the folder or under the cache, for the first of several names that is there."""
    for place in ([Path(folder.path)] if folder.path else []) + [cache_folder() / "datasets"]:
        for name in names:
            raw = place / name / "raw"
            if raw.is_dir():
                return RawFiles(raw, folder.trusted)
    return None


def missing(name: str, folder: DataFolder, names: Sequence[str]) -> FileNotFoundError:
    """Say how to get a data set that is not there."""
    wanted = " or ".join(f"{one}/raw" for one in names)
    where = f"in {folder.path}" if folder.path else "as no folder was given"
    return FileNotFoundError(
        f"{name} was not found: there is no {wanted} {where}. Name a folder that holds the raw files as PyTorch "
        f"Geometric lays them out (folder=, --data or the variable RLAP_DATA), or let them be downloaded "
        f"(download=True). The sets 'digits' and 'families' need no file."
    )


def download(name: str, url: str, files: Sequence[str], *, zipped: bool, trusted: bool) -> RawFiles:
    """Fetch raw files into the cache and return them, after their digests have been checked.

    They arrive in a folder of their own, which gets its name when it is whole. A process that dies on the way leaves
    nothing that a later one would take for a data set, and of two at once, the first wins.

    Args:
        name: the folder's name.
        url: where the files are.
        files: their names.
        zipped: they are in `NAME.zip`, in a folder `NAME`; those that are not there are left out.
        trusted: keep them whatever their digests say.

    Raises:
        ValueError: when a file is not the published one.
        OSError: when it cannot be fetched.
    """
    root = cache_folder() / "datasets"
    root.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(dir=root, prefix=f".{name}-"))
    try:
        raw = part / name / "raw"
        raw.mkdir(parents=True)
        if zipped:
            _fetch(f"{url}/{name}.zip", part / "archive.zip")
            _unzip(part / "archive.zip", name, files, raw)
        else:
            for file in files:
                _fetch(f"{url}/{file}", raw / file)
        for path in raw.iterdir():
            RawFiles(raw, trusted).read(path.name)
        try:
            (part / name).rename(root / name)
        except OSError:
            if not (root / name / "raw").is_dir():
                raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return RawFiles(root / name / "raw", trusted)


def _fetch(url: str, path: Path) -> None:
    """Write what an address holds to a file. A server without a valid certificate is refused."""
    try:
        with urllib.request.urlopen(url, context=ssl.create_default_context(), timeout=TIMEOUT) as answer:
            if url.startswith("https:") and not answer.url.startswith("https:"):
                raise OSError(f"it leads to {answer.url}, which is not encrypted")
            with path.open("wb") as file:
                shutil.copyfileobj(answer, file)
    except OSError as problem:
        raise OSError(f"{url} could not be downloaded: {problem}") from problem


def _unzip(path: Path, name: str, files: Sequence[str], raw: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            there = set(archive.namelist())
            for file in files:
                if f"{name}/{file}" in there:
                    with archive.open(f"{name}/{file}") as packed, (raw / file).open("wb") as plain:
                        shutil.copyfileobj(packed, plain)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as problem:
        raise OSError(f"{name}.zip is damaged: {problem}") from problem

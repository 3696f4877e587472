"""Where raw files are: in the caller's folder, which is only ever read, or in a cache of downloads."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path


def cache_folder() -> Path:
    """Give the folder of downloads: RLAP_CACHE, or `rlap` in XDG_CACHE_HOME, which is ~/.cache unless set."""
    own = os.environ.get("RLAP_CACHE")
    if own:
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rlap"


def data_folder(folder: str | os.PathLike[str] | None) -> Path | None:
    """Give the folder that the caller names, else RLAP_DATA, else none."""
    chosen = folder or os.environ.get("RLAP_DATA")
    return Path(chosen).expanduser() if chosen else None


def find_raw(folder: Path | None, names: Sequence[str]) -> Path | None:
    """Find `NAME/raw` under the folder or under the cache, for the first of several names that is there."""
    for place in ([folder] if folder else []) + [cache_folder() / "datasets"]:
        for name in names:
            raw = place / name / "raw"
            if raw.is_dir():
                return raw
    return None


def missing(name: str, folder: Path | None, names: Sequence[str]) -> FileNotFoundError:
    """Say how to get a data set that is not there."""
    wanted = " or ".join(f"{one}/raw" for one in names)
    where = f"in {folder}" if folder else "as no folder was given"
    return FileNotFoundError(
        f"{name} was not found: there is no {wanted} {where}. Name a folder that holds the raw files as PyTorch "
        f"Geometric lays them out (folder=, --data or the variable RLAP_DATA), or let them be downloaded "
        f"(download=True). The sets 'digits' and 'families' need no file."
    )


def download(name: str, url: str, files: Sequence[str]) -> Path:
    """Fetch raw files into the cache and give their folder.

    They arrive in a folder of their own, which gets its name when it is whole. A process that dies on the way leaves
    nothing that a later one would take for a data set, and of two at once, the first wins.
    """
    from torch_geometric.data import download_url, extract_zip

    root = cache_folder() / "datasets"
    root.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(dir=root, prefix=f".{name}-"))
    try:
        raw = part / "raw"
        for file in files:
            download_url(f"{url}/{file}", str(raw), log=False)
            if file.endswith(".zip"):
                extract_zip(str(raw / file), str(raw), log=False)
                (raw / file).unlink()
                for one in list((raw / name).iterdir()):
                    one.rename(raw / one.name)
                (raw / name).rmdir()
        part.chmod(0o755)
        try:
            part.rename(root / name)
        except OSError:
            if not (root / name / "raw").is_dir():
                raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return root / name / "raw"

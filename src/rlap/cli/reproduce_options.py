"""The options of `rlap reproduce` and `rlap results`, with their help."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rlap.cli.panels import panel


class Protocols(StrEnum):
    """One protocol, or both."""

    clean = "clean"
    paper = "paper"
    both = "both"


class Backends(StrEnum):
    """Who computes."""

    local = "local"
    ray = "ray"


_what = panel("What", show_default=False)
_how = panel("How", show_default=False)


_TARGETS = (
    "Tables and figures: grace, mvgrl, graphcl, bgrl, ablation-grace, ablation-mvgrl, ablation-graphcl, "
    "ablation-bgrl, spectral, overheads, ppr, ppr-accuracy, leak, baselines, grid, or all (without grid)."
)
_BUDGET = "Stop after this time, such as 2h, 90m or 1h30m. What runs then is kept at its checkpoint."
_STORE = "The file of results; rlap-results.sqlite unless said."
_SET = "Another setting for all runs, such as epochs=2, for a quick trial. Give it once for each."
_DATA = "The folder with the raw files, as PyG lays them out. Without, the variable RLAP_DATA."
_TRUST = "Read raw files whose SHA-256 is not the published one, too."
_SEEDS = "Runs for each cell of a table; 5 unless said (spectral: 10, leak: 3, overheads and ppr: 1)."
_BACKEND = (
    "Compute in processes of this machine, or as Ray tasks, each with the CPUs of --threads (1 unless said). The store "
    "and the data must then be where all machines see them. local unless said."
)
_ADDRESS = "Join a Ray cluster: auto finds the one that runs here. Without, --backend ray starts one on this machine."
_COMMAS = "several, with commas"
DEFAULT_STORE = Path("rlap-results.sqlite")

Targets = Annotated[list[str], typer.Argument(help=_TARGETS, metavar="TARGET...", show_default=False)]
Datasets = Annotated[str | None, _what(f"Only these data sets: {_COMMAS}.", "--datasets", "-d", metavar="NAMES")]
Augmentors = Annotated[str | None, _what(f"Only these augmentors: {_COMMAS}.", "--augmentors", "-a", metavar="NAMES")]
Methods = Annotated[str | None, _what(f"Only these designs: {_COMMAS}.", "--methods", "-m", metavar="NAMES")]
Protocol = Annotated[Protocols, _what("Both unless said.", "--protocol", metavar="clean|paper|both")]
Seeds = Annotated[int | None, _what(_SEEDS, "--seeds", "-k")]
Settings = Annotated[list[str] | None, _what(_SET, "--set", metavar="KEY=VALUE")]
Budget = Annotated[str | None, _how(_BUDGET, "--budget", "-b", metavar="TIME")]
Jobs = Annotated[int, _how("Run so many at once; 1 unless said.", "--jobs", "-j", metavar="J")]
Threads = Annotated[int, _how("Threads for each; all shared out unless said.", "--threads", metavar="N")]
Backend = Annotated[Backends, _how(_BACKEND, "--backend", metavar="local|ray")]
Address = Annotated[str | None, _how(_ADDRESS, "--address", metavar="ADDRESS")]
RetryFailed = Annotated[bool, _how("Take up runs again that have failed.", "--retry-failed")]
DryRun = Annotated[bool, _how("List the runs and their states; compute nothing.", "--dry-run")]
Quiet = Annotated[bool, _how("Print nothing but errors.", "--quiet", "-q")]
StoreFile = Annotated[Path, _how(_STORE, "--store", metavar="FILE")]
DataFolder = Annotated[Path | None, _how(_DATA, "--data", metavar="FOLDER")]
TrustData = Annotated[bool, _how(_TRUST, "--trust-data")]


def split(names: str | None) -> list[str] | None:
    """Take names apart at commas.

    Example:
        >>> split("Cora, Photo"), split(None)
        (['Cora', 'Photo'], None)
    """
    return None if names is None else [name.strip() for name in names.split(",") if name.strip()]

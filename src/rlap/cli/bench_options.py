"""The options of `rlap bench`, with their help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from rlap.cli.panels import panel

_what = panel("What is measured")
_file = panel("Files")


_DATASETS = (
    "Data sets, with commas between or given several times. Without, those of the paper's ten that are in --data; "
    "without any, the embedded ones."
)
_AUGMENTORS = (
    "Augmentors by the paper's names, with commas between or given several times. Without, the paper's ten and five "
    "others; `all` means every one."
)
_DATA = "The folder with the raw files of the data sets, as PyTorch Geometric lays them out. Without, $RLAP_DATA."
_TRUST = "Read raw files whose SHA-256 is not the published one, too."
_OUT = (
    "Write results to this folder, as CSV, Markdown and pictures. The CSV is written as each measurement ends; the "
    "same command goes on where it was stopped."
)
_DATASET = "The data set. Without, COAUTHOR-PHY if it is in --data, else the embedded digits."

Datasets = Annotated[list[str] | None, _what(_DATASETS, "--datasets", "-d", metavar="NAMES")]
Augmentors = Annotated[list[str] | None, _what(_AUGMENTORS, "--augmentors", "-a", metavar="NAMES")]
Perturbation = Annotated[
    float, _what("The share of nodes, edges or entries to perturb.", "--perturbation", "-p", metavar="SHARE")
]
Runs = Annotated[int, _what("Take the median of so many runs.", "--runs", "-n", metavar="N")]
Seed = Annotated[int, _what("Same seed, same views.", "--seed", "-s", metavar="N")]

Dataset = Annotated[str | None, _what(_DATASET, "--dataset", "-d", metavar="NAME")]
Gammas = Annotated[
    str, _what("The shares of nodes to eliminate, with commas between.", "--gammas", "-g", metavar="SHARES")
]
SubgraphSize = Annotated[
    int | None,
    _what("The nodes of a sub-graph. Without, 8192, or a quarter of a small graph.", "--size", metavar="N"),
]
Alpha = Annotated[float, _what("The probability of a return.", "--alpha", metavar="SHARE")]
Columns = Annotated[
    int,
    _what(
        "Compute the error on so many random columns of PPR, or on all if there are fewer.", "--columns", metavar="N"
    ),
]

Data = Annotated[Path | None, _file(_DATA, "--data", metavar="DIR")]
TrustData = Annotated[bool, _file(_TRUST, "--trust-data")]
Out = Annotated[Path | None, _file(_OUT, "--out", "-o", metavar="DIR")]
Quiet = Annotated[bool, _file("Print nothing but errors.", "--quiet", "-q")]

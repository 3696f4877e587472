"""The options of `rlap scale view`, with their help."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from rlap.cli.augment_options import Method, NeighborOrder
from rlap.cli.panels import panel


class Directions(StrEnum):
    """How often an edge is listed."""

    both = "both"
    one = "one"


_view = panel("View", show_default=False)
_cut = panel("Parts", show_default=False)
_place = panel("Files and machines", show_default=False)


_EDGES = "Parquet files with the columns source, target and perhaps weight: one, a folder, or a pattern in quotes."
_OUT = "Write the view to this new folder, as Parquet files in which every edge is once."
_KEEP = "Or keep just the nodes in this text file, one number a line."
_NUM_NODES = "How many nodes there are. Without, the largest number plus 1, for which all files are read once more."
_METHOD = "Eliminate one node after another, or join the ends of random walks; elimination unless said."
_NEIGHBOR_ORDER = "How the neighbours of an eliminated node are ordered; asc unless said."
_DIRECTIONS = "Whether every edge is listed in both directions or in one; both unless said."
_PARTITION = (
    "metis, streaming, range, or a column: with NAME, the columns source_NAME and target_NAME have the parts of the "
    "ends. metis unless said."
)
_PARTS = "Cut into so many parts at first; without, as many as make two of them fit in one worker."
_LEVELS = "Cut so often at the most, and leave the rest to one worker; without, until it fits."
_FITS = "As many edges as one worker is to take; 20 million unless said."
_ADDRESS = "Join a Ray cluster: auto finds the one that runs here. Without, one is started on this machine."

Edges = Annotated[str, _place(_EDGES, "--edges", "-e", metavar="FILES")]
Out = Annotated[Path, _place(_OUT, "--output", "--out", "-o", metavar="FOLDER")]
Fraction = Annotated[float | None, _view("Eliminate this share of the nodes.", "--fraction", "-f", metavar="SHARE")]
Keep = Annotated[Path | None, _view(_KEEP, "--keep", metavar="FILE")]
NumNodes = Annotated[int | None, _view(_NUM_NODES, "--num-nodes", metavar="N")]
Seed = Annotated[
    int | None, _view("Same seed, same view. Without, one is drawn and shown.", "--seed", "-s", metavar="N")
]
OneMethod = Annotated[Method, _view(_METHOD, "--method", metavar="elimination|walks")]
OneNeighborOrder = Annotated[NeighborOrder, _view(_NEIGHBOR_ORDER, "--neighbor-order", metavar="asc|desc|random")]
OneDirections = Annotated[Directions, _place(_DIRECTIONS, "--directions", metavar="both|one")]
Partition = Annotated[str, _cut(_PARTITION, "--partition", metavar="HOW")]
Parts = Annotated[int | None, _cut(_PARTS, "--parts", "-p", metavar="N")]
Levels = Annotated[int | None, _cut(_LEVELS, "--levels", metavar="N")]
Fits = Annotated[int, _cut(_FITS, "--fits", metavar="EDGES")]
Address = Annotated[str | None, _place(_ADDRESS, "--address", metavar="ADDRESS")]
Workers = Annotated[
    int | None, _place("Workers of the cluster to start; all cores unless said.", "--workers", "-w", metavar="N")
]
Quiet = Annotated[bool, _place("Print nothing but errors.", "--quiet", "-q")]

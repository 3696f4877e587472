"""The options of `rlap augment`, with their help."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rlap.adapters.files import FORMATS
from rlap.cli.panels import panel


class Method(StrEnum):
    """How a view is sampled."""

    elimination = "elimination"
    walks = "walks"


class NodeOrder(StrEnum):
    """The paper's o_v."""

    random = "random"
    degree = "degree"


class NeighborOrder(StrEnum):
    """The paper's o_n."""

    asc = "asc"
    desc = "desc"
    random = "random"


class Merge(StrEnum):
    """What the two directions of an edge make."""

    mean = "mean"
    sum = "sum"


class FileFormat(StrEnum):
    """The names of `rlap.adapters.files.FORMATS`."""

    csv = "csv"
    tsv = "tsv"
    npz = "npz"
    mtx = "mtx"
    graphml = "graphml"


_view = panel("Views")
_file = panel("Files")


_OUTPUT = (
    "Write to this file, in the format that its ending says. Several views are numbered: out.csv gives out.0.csv, "
    "out.1.csv. Without, graph.csv gives graph.view.csv."
)
_NUM_NODES = (
    "How many nodes there are, isolated ones too. Without, what the file says; for a table, its largest node number "
    "plus 1."
)
_SYMMETRIZE = (
    "Take the mean or the sum when an edge is listed in both directions with different weights. Without, this is an "
    "error."
)
_FORMAT = f"Write this format, whatever the ending: {', '.join(FORMATS)}."
_FRACTION = "Eliminate this share of the nodes, in [0, 1]. Give it once, or once for every view."
_METHOD = "Eliminate one node after another, or join the ends of random walks: unbiased, and without orders."
_NEIGHBOR_ORDER = "How the neighbours of an eliminated node are ordered: by weight, or at random."
_KEEP = "Or keep just the nodes in this text file, one number or name a line."
_RELABEL = "Number the kept nodes anew from 0, without gaps. Names stay as they are."

Input = Annotated[Path, typer.Argument(help="The graph file.", metavar="INPUT", show_default=False)]

Fraction = Annotated[list[float] | None, _view(_FRACTION, "--fraction", "-f", metavar="SHARE")]
Keep = Annotated[Path | None, _view(_KEEP, "--keep", metavar="FILE")]
OneMethod = Annotated[Method, _view(_METHOD, "--method", metavar="elimination|walks")]
OneNodeOrder = Annotated[
    NodeOrder, _view("Eliminate random nodes, or those of the lowest degree.", "--node-order", metavar="random|degree")
]
OneNeighborOrder = Annotated[NeighborOrder, _view(_NEIGHBOR_ORDER, "--neighbor-order", metavar="asc|desc|random")]
Views = Annotated[int | None, _view("Make so many views; 1 unless said.", "--views", "-n", metavar="N")]
Seed = Annotated[
    int | None, _view("Same seed, same views. Without, one is drawn and shown.", "--seed", "-s", metavar="N")
]
Relabel = Annotated[bool, _view(_RELABEL, "--relabel")]

Output = Annotated[Path | None, _file(_OUTPUT, "--output", "--out", "-o", metavar="FILE")]
OutputFormat = Annotated[FileFormat | None, _file(_FORMAT, "--format", metavar="FORMAT")]
InputFormat = Annotated[
    FileFormat | None, _file("Read this format, whatever the ending.", "--input-format", metavar="FORMAT")
]
NumNodes = Annotated[int | None, _file(_NUM_NODES, "--num-nodes", metavar="N")]
OneMerge = Annotated[Merge | None, _file(_SYMMETRIZE, "--symmetrize", metavar="mean|sum")]
BothDirections = Annotated[
    bool, _file("Write both directions of every edge to CSV and TSV, not one.", "--both-directions")
]
Quiet = Annotated[bool, _file("Print nothing but errors.", "--quiet", "-q")]

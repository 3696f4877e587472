"""The options of the commands that train, with their help."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rlap.cli.panels import panel


class Protocol(StrEnum):
    """The two protocols."""

    clean = "clean"
    paper = "paper"


class Loader(StrEnum):
    """The loaders; `rlap.loader.names()` has them too, but takes a while to import."""

    schur = "schur"
    walks = "walks"
    induced = "induced"
    cluster = "cluster"


_what = panel("What to train")
_how = panel("How")
_file = panel("Files")


_METHOD = "The design: grace, mvgrl, bgrl-l2l or dgi for nodes, graphcl or bgrl for graphs."
_SET = "Any other setting, such as lr=1e-3, hidden=128 or tau=0.2. Give it once for each."
_CONFIG = "Settings in a TOML file; --set and the other options win over it."
_PROTOCOL = "What is honest (clean, the default), or what the paper's scripts do."
_RESUME = "Go on from the checkpoint, where there is one, as if nothing had happened."
_OUT = "A new folder for config.toml, result.json, embedding.npy and model.pt."
_DATA = "The folder with the raw files, as PyG lays them out. Without, the variable RLAP_DATA."
_TRUST = "Read raw files whose SHA-256 is not the published one, too."
_LOADER = "Train a node set on small graphs: schur (complements), walks (the same, unbiased), induced or cluster."
_BATCH = "Graphs in a step (128 unless said), or nodes in a step with --loader (4096 unless said)."
_ACCURACY = "Evaluate every so many epochs on the way, and show it."

Method = Annotated[str, typer.Argument(help=_METHOD, metavar="METHOD", show_default=False)]
AnyMethod = Annotated[str | None, _what(f"{_METHOD} grace unless said.", "--method", metavar="NAME")]
Augmentor = Annotated[str | None, _what("What makes the views; rLap unless said.", "--augmentor", "-a", metavar="NAME")]
Dataset = Annotated[
    str | None, _what("One of the paper's data sets, or digits or families.", "--dataset", "-d", metavar="NAME")
]
Settings = Annotated[list[str] | None, _what(_SET, "--set", metavar="KEY=VALUE")]
Config = Annotated[Path | None, _what(_CONFIG, "--config", "-c", metavar="FILE")]
Seed = Annotated[int | None, _how("Same seed, same result; 0 unless said.", "--seed", "-s", metavar="N")]
OneProtocol = Annotated[Protocol | None, _how(_PROTOCOL, "--protocol", metavar="clean|paper")]
Splits = Annotated[int | None, _how("Evaluate on so many splits; 10 unless said.", "--splits", metavar="N")]
Device = Annotated[str | None, _how("cpu, cuda or cuda:N.", "--device", metavar="NAME")]
OneLoader = Annotated[Loader | None, _how(_LOADER, "--loader", metavar="NAME")]
BatchSize = Annotated[int | None, _how(_BATCH, "--batch-size", metavar="N")]
AccuracyEvery = Annotated[int | None, _how(_ACCURACY, "--accuracy-every", metavar="EPOCHS")]
DataFolder = Annotated[Path | None, _file(_DATA, "--data", metavar="FOLDER")]
Download = Annotated[bool, _file("Fetch the data set where it is missing.", "--download")]
TrustData = Annotated[bool, _file(_TRUST, "--trust-data")]
Checkpoint = Annotated[Path | None, _file("Keep the state of training in this file.", "--checkpoint", metavar="FILE")]
Resume = Annotated[bool, _file(_RESUME, "--resume")]
Out = Annotated[Path | None, _file(_OUT, "--out", "-o", metavar="FOLDER")]
Quiet = Annotated[bool, _file("Print nothing but errors.", "--quiet", "-q")]

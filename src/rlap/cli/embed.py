"""`rlap embed`: a graph file and its features in, an embedding out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rlap.adapters.files import check_output
from rlap.cli import train_options as option
from rlap.cli.panels import panel
from rlap.cli.refusal import refusal


class Merge(StrEnum):
    """What the two directions of an edge make."""

    mean = "mean"
    sum = "sum"


_file = panel("Files")


_INPUT = "The graph: a table of edges, .npz, .mtx, .graphml, or a Data (or a list of Data) that torch.save wrote (.pt)."
_FEATURES = (
    "Features of the nodes: .csv, .tsv, .parquet, .npy or .npz. Not needed where the graph's file has them as x."
)
_MERGE = "When an edge is listed in both directions with different weights. Without, this is an error."

Input = Annotated[Path, typer.Argument(help=_INPUT, metavar="GRAPH", show_default=False)]
Features = Annotated[Path | None, _file(_FEATURES, "--features", "-x", metavar="FILE")]
Output = Annotated[Path, _file("Write to this .npy, .parquet or .csv file.", "--out", "-o", metavar="FILE")]
OneMerge = Annotated[Merge | None, _file(_MERGE, "--symmetrize", metavar="mean|sum")]


def embed(
    input: Input,
    out: Output,
    features: Features = None,
    method: option.AnyMethod = None,
    augmentor: option.Augmentor = None,
    settings: option.Settings = None,
    config: option.Config = None,
    seed: option.Seed = None,
    protocol: option.OneProtocol = None,
    device: option.Device = None,
    symmetrize: OneMerge = None,
    quiet: option.Quiet = False,
) -> None:
    """Embed the nodes of your own graph, or your own graphs, without labels.

    A table of features has a row for every node. Where its first column has names (its title is node, name or id, or it
    is text), rows belong to the nodes of that name; else the first row belongs to node 0. The embedding has the rows of
    the features, in their order; .parquet and .csv have the names too.

    Example: `rlap embed edges.csv --features features.csv --out embedding.parquet --set epochs=200`
    """
    with refusal():
        check_output(out)
        from rlap.embedder.files import check_embedding_path, read_own, write_embedding
        from rlap.embedder.inputs import read_input
        from rlap.experiments import make_parts
        from rlap.experiments.single_run import build
        from rlap.methods import level
        from rlap.training import embed as embed_all
        from rlap.training import train

        check_embedding_path(out)
        design, training = make_parts(
            method,
            file=config,
            words=settings or [],
            augmentor=augmentor,
            seed=seed,
            protocol=None if protocol is None else protocol.value,
            device=device,
        )
        own = read_own(input, features, symmetrize=None if symmetrize is None else symmetrize.value)
        dataset = read_input(own.graphs, level(design.method))
        trained = build(design, dataset.num_features, training.seed)
        result = train(trained, dataset, training, progress=not quiet)
        embedding = embed_all(trained, dataset, training).numpy()
        write_embedding(out, embedding, own.names)
        if not quiet:
            rows, width = embedding.shape
            typer.echo(
                f"{design.method} with {design.augmentor}: {rows:,} rows of {width} numbers in {out}; {result.epochs} "
                f"epochs in {result.seconds:.1f} s, seed {training.seed}"
            )

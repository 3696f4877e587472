"""`rlap evaluate`: an embedding and labels in, the accuracy of a linear probe out."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rlap.cli import train_options as option
from rlap.cli.refusal import refusal


class Level(StrEnum):
    """What has a row in the embedding."""

    node = "node"
    graph = "graph"


_EMBEDDING = "The embedding, one row each: .npy, .npz, .parquet or .csv, as rlap embed writes it."
_LABELS = "The labels: .npy, or a table with one column, or with names and labels. Words or whole numbers."

Embedding = Annotated[Path, typer.Argument(help=_EMBEDDING, metavar="EMBEDDING", show_default=False)]
Labels = Annotated[Path, typer.Argument(help=_LABELS, metavar="LABELS", show_default=False)]
OneLevel = Annotated[
    Level, typer.Option("--level", help="What the rows are: nodes or graphs; they are split otherwise.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, with the scores of every split.")]


def evaluate(
    embedding: Embedding,
    labels: Labels,
    level: OneLevel = Level.node,
    protocol: option.OneProtocol = None,
    splits: option.Splits = None,
    seed: option.Seed = None,
    as_json: AsJson = False,
) -> None:
    """Say how well a linear classifier does on an embedding.

    Where both files have names, rows are matched by them; else by their order.

    Example: `rlap evaluate embedding.parquet labels.csv --protocol clean`
    """
    with refusal():
        from rlap.embedder.labels import match_labels, read_labels
        from rlap.embedder.tables import read_table
        from rlap.evaluation import evaluate as score

        table = read_table(embedding)
        classes = match_labels(table, read_labels(labels), str(labels))
        chosen: Any = "clean" if protocol is None else protocol.value
        scores = score(
            table.values,
            classes,
            level.value,
            protocol=chosen,
            splits=10 if splits is None else splits,
            seed=0 if seed is None else seed,
        )
        from rlap.cli.train_report import METRICS, show_scores

        if as_json:
            typer.echo(json.dumps({metric: getattr(scores, metric).tolist() for metric in METRICS}))
        else:
            show_scores(scores)

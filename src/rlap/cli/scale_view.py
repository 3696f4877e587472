"""`rlap scale view`: Parquet files of edges in, a randomized Schur complement view of them out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import typer
from numpy.typing import NDArray

from rlap.cli import scale_options as option
from rlap.cli.augment_options import Method, NeighborOrder
from rlap.cli.refusal import refusal
from rlap.cli.scale_report import progress_bar, show

INTERRUPTED = 130  # what a shell has for a program that Ctrl-C ended


def view(
    edges: option.Edges,
    out: option.Out,
    fraction: option.Fraction = None,
    keep: option.Keep = None,
    method: option.OneMethod = Method.elimination,
    neighbor_order: option.OneNeighborOrder = NeighborOrder.asc,
    num_nodes: option.NumNodes = None,
    seed: option.Seed = None,
    parts: option.Parts = None,
    partition: option.Partition = "metis",
    levels: option.Levels = None,
    fits: option.Fits = 20_000_000,
    directions: option.OneDirections = option.Directions.both,
    address: option.Address = None,
    workers: option.Workers = None,
    quiet: option.Quiet = False,
) -> None:
    """Make a randomized Schur complement view of a graph that one process does not hold.

    Nodes are cut into parts. Every worker eliminates those of its part that touch no other part; what is left is cut
    again, level by level, until it fits in one worker. The view depends on the seed and the cut, and not on the number
    of workers, nor on those that die.

    Example: `rlap scale view --edges 'edges/*.parquet' --fraction 0.5 --parts 8 --seed 0 --out view`
    """
    with refusal():
        kept = None if keep is None else _read_ids(keep)
        if (fraction is None) == (kept is None):
            raise ValueError(f"give exactly one of --fraction and --keep (got {'neither' if kept is None else 'both'})")
        from rlap.scale import schur_view

        try:
            with progress_bar(quiet) as watch:
                made = schur_view(
                    edges,
                    fraction=fraction,
                    keep=kept,
                    num_nodes=num_nodes,
                    parts=parts,
                    levels=levels,
                    fits=fits,
                    partition=partition,
                    method=method.value,
                    neighbor_order=neighbor_order.value,
                    directions=directions.value,
                    seed=seed,
                    out=out,
                    address=address,
                    num_cpus=workers,
                    watch=watch,
                )
        except KeyboardInterrupt:
            typer.echo("interrupted: nothing was written", err=True)
            raise typer.Exit(INTERRUPTED) from None
        if not quiet:
            show(made.summary, out)


def _read_ids(path: Path) -> NDArray[np.int64]:
    if not path.is_file():
        raise ValueError(f"the file of --keep must exist (got {str(path)!r})")
    ids = []
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            ids.append(int(line))
        except ValueError:
            raise ValueError(f"a line of --keep must be a node's number (got {line!r} in line {number})") from None
    if not ids:
        raise ValueError(f"the file of --keep must name a node (got none in {str(path)!r})")
    return np.array(ids, dtype=np.int64)

"""`rlap augment`: a graph file in, randomized Schur complement views of it out."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

import rlap
from rlap.adapters.files import (
    FORMATS,
    EdgeFile,
    Symmetrize,
    check_output,
    ending,
    find_format,
    find_nodes,
    read_graph,
    write_graph,
)
from rlap.cli import augment_options as option
from rlap.cli.augment_report import Report, progress_bars
from rlap.cli.refusal import refusal
from rlap.schur.seeds import check_seed
from rlap.schur.selection import check_fraction


def augment(
    input: option.Input,
    fraction: option.Fraction = None,
    keep: option.Keep = None,
    method: option.OneMethod = option.Method.elimination,
    node_order: option.OneNodeOrder = option.NodeOrder.random,
    neighbor_order: option.OneNeighborOrder = option.NeighborOrder.asc,
    views: option.Views = None,
    seed: option.Seed = None,
    relabel: option.Relabel = False,
    output: option.Output = None,
    format: option.OutputFormat = None,
    input_format: option.InputFormat = None,
    num_nodes: option.NumNodes = None,
    symmetrize: option.OneMerge = None,
    both_directions: option.BothDirections = False,
    quiet: option.Quiet = False,
) -> None:
    """Make randomized Schur complement views of a graph file.

    Files are tables of edges (.csv, .tsv, .txt: source, target and perhaps a weight, with or without a title line),
    NumPy archives (.npz: edge_index, edge_weight and num_nodes, or a SciPy matrix), Matrix Market (.mtx) or GraphML
    (.graphml), plain or packed (.gz).

    A file is taken for an undirected graph: an edge that is listed in one direction has the other too. Parallel edges
    are summed, self-loops dropped. Nodes that are no numbers have names, which are written back. Numbers count as
    names too when they go beyond a million and nine of ten are unused. For --keep, the nodes of .npz and .mtx files
    are numbered from 0.

    Example: `rlap augment graph.csv --fraction 0.5 --views 2 --seed 0 --output view.csv`
    """
    with refusal():
        shares = _check_shares(fraction, keep, views)
        key = check_seed(seed)
        source, target = _name(input_format), _name(format)
        find_format(input, source)
        paths = _outputs(input, output, source, target, len(shares))
        report = Report()
        with progress_bars(input, len(shares), quiet) as (read, wrote):
            with report.timed("reading"):
                merge = cast("Symmetrize | None", _name(symmetrize))
                graph = read_graph(input, source, num_nodes=num_nodes, symmetrize=merge, progress=read)
                kept = None if keep is None else find_nodes(graph, _read_lines(keep))
            report.add("input", graph, graph.num_nodes, input)
            for number, (share, path) in enumerate(zip(shares, paths, strict=True)):
                # One view at a time: each needs as much memory as the graph.
                with report.timed("making"):
                    view = rlap.schur_view(
                        graph.edge_index,
                        graph.edge_weight,
                        num_nodes=graph.num_nodes,
                        fraction=share,
                        keep=kept,
                        node_order=node_order.value,
                        neighbor_order=neighbor_order.value,
                        method=method.value,
                        relabel=relabel,
                        seed=rlap.derive_seed(key, view=number),
                    )
                with report.timed("writing"):
                    made = _as_file(graph, view, relabel)
                    same = source if output is None else None
                    write_graph(path, made, target or same, both_directions=both_directions)
                report.add("view" if len(shares) == 1 else f"view {number}", made, int(view.node_mask.sum()), path)
                wrote()
        if not quiet:
            report.show(key, graph.self_loops)


def _name(word: Enum | None) -> str | None:
    return None if word is None else str(word.value)


def _check_shares(fraction: list[float] | None, keep: Path | None, views: int | None) -> list[float | None]:
    """Give the fraction of every view: checked before a large file is read for nothing."""
    given: list[float | None] = [check_fraction(share) for share in fraction or []]
    if bool(given) == (keep is not None):
        raise ValueError(f"give exactly one of --fraction and --keep (got {'both' if given else 'neither'})")
    count = max(1, len(given)) if views is None else views
    if count < 1:
        raise ValueError(f"views must be a positive number (got {count})")
    if len(given) > 1 and len(given) != count:
        raise ValueError(f"--fraction must be given once, or once for each of the {count} views (got {len(given)})")
    return given if len(given) == count else (given or [None]) * count


def _outputs(input: Path, output: Path | None, source: str | None, target: str | None, views: int) -> list[Path]:
    """Name the files to write, and see that they can be."""
    if output is None:
        stem, last = _split(input)
        known = any(last.lower().removesuffix(".gz") in one.endings for one in FORMATS.values())
        name = target or (None if known else source)
        output = input.with_name(f"{stem}.view{last if name is None else FORMATS[name].endings[0]}")
    find_format(output, target)
    stem, last = _split(output)
    paths = [output] if views == 1 else [output.with_name(f"{stem}.{number}{last}") for number in range(views)]
    for path in paths:
        check_output(path)
        if path.exists() and input.exists() and path.samefile(input):
            raise ValueError(f"the output must not be the input (got {str(path)!r} for both)")
    return paths


def _split(path: Path) -> tuple[str, str]:
    last = ending(path)
    return path.name.removesuffix(last), last


def _read_lines(path: Path) -> list[str]:
    if not path.is_file():
        raise ValueError(f"the file of --keep must exist (got {str(path)!r})")
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]
    except UnicodeDecodeError:
        raise ValueError(f"the file of --keep must be UTF-8 text (got {str(path)!r})") from None
    names = [line for line in lines if line]
    if not names:
        raise ValueError(f"the file of --keep must name a node (got none in {str(path)!r})")
    return names


def _as_file(graph: EdgeFile, view: rlap.View, relabel: bool) -> EdgeFile:
    """Give the view the names and titles of the file."""
    mask: NDArray[np.bool_] = view.node_mask
    made = replace(graph, edge_index=view.edge_index, edge_weight=view.edge_weight, node_mask=mask)
    if not relabel:
        return made
    names = None if graph.node_names is None else graph.node_names[mask]
    return replace(made, node_mask=None, num_nodes=int(mask.sum()), node_names=names)

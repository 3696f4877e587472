"""All variants on two graphs, a picture of what a view looks like, and what is learned from such views.

Run it with `make demo`, or `python examples/demo.py --out FOLDER`.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")  # no window is needed to save a picture

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import scipy.sparse as sp
from demo_learning import learn
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from sklearn.datasets import load_digits
from sklearn.neighbors import kneighbors_graph

import rlap
from rlap.schur.deviation import sigma_max

FRACTION, SEED, REPEATS = 0.5, 0, 9
Positions = NDArray[np.float64]


def karate_club() -> sp.csr_array:
    """Zachary's karate club, weighted by the number of contexts in which two members met."""
    return sp.csr_array(nx.to_scipy_sparse_array(nx.karate_club_graph(), dtype=float))


def digits() -> sp.csr_array:
    """The ten nearest neighbours of 1797 images of digits; nearest on one side is enough for an edge."""
    nearest = sp.csr_array(kneighbors_graph(load_digits().data, n_neighbors=10))
    return sp.csr_array(nearest.maximum(nearest.T))


# The table


@dataclass(frozen=True)
class Variant:
    """A way to make a view: gives its adjacency matrix and the mask of the nodes kept."""

    name: str
    make: Callable[[], tuple[sp.csr_array, NDArray[np.bool_]]]


def variants(adjacency: sp.csr_array) -> list[Variant]:
    """The six of the paper, vertex coarsening and terminal walks, all with the same seed."""
    coo = adjacency.tocoo()
    nodes = adjacency.shape[0]
    edge_index, edge_weight = np.stack(coo.coords).astype(np.int64), coo.data

    def view(**how: Any) -> tuple[sp.csr_array, NDArray[np.bool_]]:
        made = rlap.schur_view(edge_index, edge_weight, num_nodes=nodes, fraction=FRACTION, seed=SEED, **how)
        return sp.csr_array((made.edge_weight, made.edge_index), shape=(nodes, nodes)), made.node_mask

    def coarsen() -> tuple[sp.csr_array, NDArray[np.bool_]]:
        return rlap.vertex_coarsening(adjacency, keep=kept, rng=SEED), kept

    kept = view()[1]  # coarsening is asked to keep what the random orders keep
    orders = [(first, second) for first in ("random", "degree") for second in ("asc", "desc", "random")]
    paper = [
        Variant(f"rLap {first}/{second}", partial(view, node_order=first, neighbor_order=second))
        for first, second in orders
    ]
    return [*paper, Variant("vertex coarsening", coarsen), Variant("terminal walks", partial(view, method="walks"))]


def table_of(title: str, adjacency: sp.csr_array) -> Table:
    """Make a view with every variant and measure it; the exact Schur complement is onto the nodes that it kept."""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, header_style="bold", pad_edge=False)
    table.add_column("", no_wrap=True)
    for head in ("nodes", "edges", "weight", "of exact", "sigma_max", "time"):
        table.add_column(head, justify="right", no_wrap=True)

    def add(name: str, kept: int, matrix: sp.csr_array, share: str, spent: str) -> None:
        weight = f"{matrix.sum() / 2:,.1f}"
        table.add_row(name, f"{kept:,}", f"{matrix.nnz // 2:,}", weight, share, f"{sigma_max(matrix):.2f}", spent)

    add("input", adjacency.shape[0], adjacency, "", "")
    exact_weight: dict[bytes, float] = {}
    for variant in variants(adjacency):
        seconds = []
        for _ in range(REPEATS):
            begin = time.perf_counter()
            view, kept = variant.make()
            seconds.append(time.perf_counter() - begin)
        if kept.tobytes() not in exact_weight:
            begin = time.perf_counter()
            exact = rlap.exact_schur(adjacency, keep=kept)
            spent = time.perf_counter() - begin
            if not exact_weight:
                add("exact", int(kept.sum()), exact, "100.0 %", f"{1000 * spent:.2f} ms")
            exact_weight[kept.tobytes()] = exact.sum()
        share = f"{100 * view.sum() / exact_weight[kept.tobytes()]:.1f} %"
        add(variant.name, int(kept.sum()), view, share, f"{1000 * statistics.median(seconds):.2f} ms")
    return table


# The picture

CLUBS = {"Mr. Hi": "#2b6cb0", "Officer": "#dd6b20"}
OLD, NEW, INK, FAINT = "#718096", "#0f9d76", "#1a202c", "#d5dbe3"


def layout(graph: nx.Graph) -> Positions:
    """Give every node one place for all panels: Kamada-Kawai, long side level, nodes apart where they would touch."""
    found = nx.kamada_kawai_layout(graph, weight=None)
    places: Positions = np.array([found[node] for node in graph])
    places -= places.mean(axis=0)
    places = places @ np.linalg.svd(places)[2].T  # columns: along the long side, across it
    places *= np.where(places[0] > places[-1], -1, 1)  # the two leaders, lower left and upper right, on any machine
    for _ in range(200):
        apart = places[:, None] - places[None]
        distance = np.linalg.norm(apart, axis=2) + np.eye(len(places))
        push = np.maximum(0.2 - distance, 0) / distance
        places = places + 0.2 * (push[:, :, None] * apart).sum(axis=1)
    return places


def edge_style(weight: Any) -> tuple[Any, Any]:
    """Say how wide and how opaque an edge is drawn."""
    return 0.6 + 0.8 * weight, np.clip(0.25 + 0.35 * weight, 0, 0.9)


def draw(axes: Axes, title: str, matrix: sp.csr_array, before: sp.csr_array, kept: NDArray[np.bool_]) -> None:
    """Draw a graph: edges as wide as they weigh, in another colour where they are new, eliminated nodes faint."""
    club = nx.karate_club_graph()
    places = layout(club)
    upper = sp.triu(matrix, 1).tocoo()
    order = np.argsort(upper.data)  # heavy edges on top
    low, high, weight = upper.coords[0][order], upper.coords[1][order], upper.data[order]
    changed = ~np.isclose(before[low, high], weight)
    width, opacity = edge_style(weight)
    colors = [
        matplotlib.colors.to_rgba(NEW if new else OLD, alpha) for new, alpha in zip(changed, opacity, strict=True)
    ]
    lines = [places[[u, v]] for u, v in zip(low, high, strict=True)]
    axes.add_collection(LineCollection(lines, linewidths=width, colors=colors, capstyle="round", zorder=2))

    sides = np.array([CLUBS[side] for _, side in club.nodes(data="club")])
    x, y = places.T
    axes.scatter(x[kept], y[kept], s=250, c=sides[kept], edgecolors="white", linewidths=1.2, zorder=3)
    axes.scatter(x[~kept], y[~kept], s=170, c="white", edgecolors=FAINT, linewidths=1.2, zorder=1)
    for node in range(len(places)):
        color, size, layer = ("white", 8.5, 4) if kept[node] else ("#b3bcc9", 7.5, 1.5)
        text = axes.text(x[node], y[node], str(node), color=color, fontsize=size, zorder=layer)
        text.set(ha="center", va="center_baseline")

    summary = f"{int(kept.sum())} nodes, {weight.size} edges, total weight {weight.sum():.1f}"
    axes.text(0, 1.10, title, transform=axes.transAxes, fontsize=14, fontweight="bold", color=INK, va="bottom")
    axes.text(0, 1.02, summary, transform=axes.transAxes, fontsize=11, color="#4a5568", va="bottom")
    axes.set_aspect("equal")
    axes.margins(0.05)
    axes.axis("off")


def explain(axes: Axes) -> None:
    """Fill a panel with the legend."""

    def dot(label: str, **how: Any) -> Line2D:
        return Line2D([], [], linestyle="", marker="o", markersize=14, label=label, **how)

    def line(label: str, weight: float, color: str) -> Line2D:
        width, opacity = edge_style(weight)
        return Line2D([], [], color=color, alpha=float(opacity), linewidth=width, label=label)

    marks = [
        dot("member, on Mr. Hi's side", markerfacecolor=CLUBS["Mr. Hi"], markeredgecolor="white"),
        dot("member, on the officer's side", markerfacecolor=CLUBS["Officer"], markeredgecolor="white"),
        dot("eliminated", markerfacecolor="white", markeredgecolor=FAINT, markeredgewidth=1.2),
        line("edge of the club, weight 1", 1.0, OLD),
        line("edge of the club, weight 4", 4.0, OLD),
        line("new or heavier, weight 0.2", 0.2, NEW),
        line("new or heavier, weight 4", 4.0, NEW),
    ]
    axes.axis("off")
    axes.legend(
        handles=marks,
        loc="center left",
        bbox_to_anchor=(0.08, 0.5),
        frameon=False,
        fontsize=12,
        labelspacing=0.95,
        handlelength=2.4,
        labelcolor=INK,
    )


def picture(path: Path) -> None:
    """Save the karate club, its exact Schur complement and three random views."""
    club = karate_club()
    everyone = np.ones(club.shape[0], dtype=np.bool_)
    coo = club.tocoo()
    kept = rlap.schur_view(
        np.stack(coo.coords), coo.data, num_nodes=everyone.size, fraction=FRACTION, seed=SEED
    ).node_mask

    figure, grid = plt.subplots(2, 3, figsize=(18, 9.4), gridspec_kw={"hspace": 0.16, "wspace": 0.06})
    draw(grid[0, 0], "The karate club", club, club, everyone)
    draw(grid[0, 1], "Its exact Schur complement", rlap.exact_schur(club, keep=kept), club, kept)
    explain(grid[0, 2])
    for seed, axes in enumerate(grid[1]):
        draw(axes, f"Random view, seed {seed}", rlap.randomized_schur(club, keep=kept, rng=seed), club, kept)
    figure.savefig(path, dpi=120, bbox_inches="tight", facecolor="white")
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("demo"), help="the folder for the pictures (default: demo)")
    folder: Path = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)

    console = Console(highlight=False)
    for title, graph in (("The karate club", karate_club()), ("Digits, ten nearest neighbours", digits())):
        console.print(table_of(f"{title}, fraction {FRACTION}, seed {SEED}", graph))
        console.print()
    picture(folder / "karate.png")
    learn(folder, console)
    pictures = ", ".join(str(folder / name) for name in ("karate.png", "digits.png", "loss.png"))
    console.print(f"\nThe pictures are in {pictures}", soft_wrap=True)


if __name__ == "__main__":
    main()

"""The second half of the demo: GRACE on the graph of digits, with three augmentors, against the raw pixels."""

from __future__ import annotations

import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from sklearn.manifold import TSNE
from sklearn.preprocessing import StandardScaler

from rlap import datasets
from rlap.evaluation import Scores, evaluate
from rlap.experiments import RunResult, make_config, run

AUGMENTORS = {"rLap": "rLap", "EdgeDropping": "edge dropping", "Identity": "no augmentation"}
COLORS = {"rLap": "#0f9d76", "EdgeDropping": "#dd6b20", "Identity": "#718096"}
SETTINGS = ["hidden=128", "epochs=100"]
NOTHING = ["feature_masking=0"]  # otherwise features are masked as well
INK, SOFT = "#1a202c", "#4a5568"
Rows = NDArray[np.float32]


def learn(folder: Path, console: Console) -> None:
    """Train, print the table, and save the pictures."""
    digits = datasets.load("digits")
    pixels: Rows = digits.data.x.numpy()
    table = Table(title="Digits, linear probe on a tenth of the labels", title_justify="left", title_style="bold")
    table.box, table.header_style, table.pad_edge = None, "bold", False
    table.add_column("", no_wrap=True)
    for head in ("accuracy", "95 % interval", "macro F1", "epochs", "time"):
        table.add_column(head, justify="right", no_wrap=True)

    _add(table, "raw pixels", evaluate(pixels, digits.labels, "node"), "", "")
    results: dict[str, RunResult] = {}
    for augmentor, title in AUGMENTORS.items():
        begin = time.perf_counter()
        words = SETTINGS + (NOTHING if augmentor == "Identity" else [])
        result = run(make_config("grace", "digits", words=words, augmentor=augmentor, seed=0), progress=True)
        spent = f"{time.perf_counter() - begin:.1f} s"
        results[augmentor] = result
        _add(table, f"GRACE, {title}", result.scores, str(result.training.epochs), spent)
    console.print(table)
    console.print(
        "The intervals are over splits of one training run each: augmentors whose intervals overlap are not told apart "
        "here.",
        style="dim",
    )
    save_map(folder / "digits.png", pixels, results["rLap"].embedding.numpy(), digits.labels.numpy())
    save_losses(folder / "loss.png", results)


def _add(table: Table, title: str, scores: Scores, epochs: str, spent: str) -> None:
    low, high = (100 * end for end in scores.interval())
    between = f"{low:.1f} to {high:.1f}"
    table.add_row(
        title, f"{100 * scores.mean():.1f} %", between, f"{100 * scores.mean('macro_f1'):.1f} %", epochs, spent
    )


def save_map(path: Path, pixels: Rows, embedding: Rows, labels: NDArray[np.int64]) -> None:
    """Save the raw features and the embedding side by side, in two dimensions, by class."""
    figure, panels = plt.subplots(1, 2, figsize=(15, 7.4), gridspec_kw={"wspace": 0.04})
    scatter(panels[0], "The pixels", "64 grey values of each image", pixels, labels)
    scatter(panels[1], "What GRACE learned with rLap", "128 numbers for each image, without labels", embedding, labels)
    figure.savefig(path, dpi=120, bbox_inches="tight", facecolor="white")
    plt.close(figure)


def scatter(axes: Axes, title: str, summary: str, rows: Rows, labels: NDArray[np.int64]) -> None:
    """Draw rows by t-SNE, a colour and a number for each class."""
    places = TSNE(perplexity=30, init="pca", random_state=0).fit_transform(StandardScaler().fit_transform(rows))
    colors = plt.get_cmap("tab10")
    axes.scatter(*places.T, s=13, c=labels, cmap=colors, vmin=-0.5, vmax=9.5, alpha=0.75, linewidths=0)
    for label in range(10):
        middle = np.median(places[labels == label], axis=0)
        mark = {"boxstyle": "circle,pad=0.28", "facecolor": "white", "edgecolor": colors(label), "linewidth": 1.6}
        axes.text(*middle, str(label), color=INK, fontsize=13, fontweight="bold", ha="center", va="center", bbox=mark)
    axes.text(0, 1.055, title, transform=axes.transAxes, fontsize=15, fontweight="bold", color=INK, va="bottom")
    axes.text(0, 1.01, f"{summary}; t-SNE", transform=axes.transAxes, fontsize=11.5, color=SOFT, va="bottom")
    axes.set(xticks=[], yticks=[])
    axes.margins(0.03)
    for side in axes.spines.values():
        side.set_color("#d5dbe3")


def save_losses(path: Path, results: dict[str, RunResult]) -> None:
    """Save the loss of every epoch, named at its end."""
    figure, axes = plt.subplots(figsize=(9, 5.2))
    for augmentor, result in results.items():
        losses = result.training.losses
        axes.plot(range(1, len(losses) + 1), losses, color=COLORS[augmentor], linewidth=2)
    # Curves that end at the same height would be named on top of each other.
    ends = sorted((result.training.losses[-1], augmentor) for augmentor, result in results.items())
    low, high = axes.get_ylim()
    height = low
    for end, augmentor in ends:
        height = max(end, height + 0.05 * (high - low))
        last = len(results[augmentor].training.losses)
        axes.text(last + 1, height, AUGMENTORS[augmentor], color=COLORS[augmentor], fontsize=12, va="center")
    axes.set_xlabel("epoch", color=SOFT, fontsize=11)
    axes.set_ylabel("InfoNCE", color=SOFT, fontsize=11)
    axes.set_title("The loss of GRACE on the digits", loc="left", fontsize=14, fontweight="bold", color=INK, pad=26)
    note = "Both views of rLap keep 30 % of the nodes in common: with fewer negatives, its curve starts lower"
    axes.text(0, 1.025, note, transform=axes.transAxes, fontsize=11, color=SOFT, va="bottom")
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color("#b3bcc9")
    axes.tick_params(colors=SOFT)
    axes.grid(axis="y", color="#edf0f4")
    figure.savefig(path, dpi=120, bbox_inches="tight", facecolor="white")
    plt.close(figure)

"""What does it save to train the probes of all splits at once? Ratios in one run.

    python benchmarks/evaluation.py [--data DIR] [--runs 3] [--width 256]

With DIR, which holds raw files as PyG lays them out, on Cora, and else on the embedded digits. Ten splits of the
`paper` protocol, 2000 epochs, one thread. "torch" is the usual way, one split after the other: a linear layer,
autograd, torch's Adam, a check every 20 epochs. "alone" is our own probe, called for one split after the other: what
batching adds to its layout.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import torch
from timing import medians
from torch import Tensor
from torch.nn.functional import cross_entropy

from rlap import datasets
from rlap.datasets import Split, node_splits
from rlap.evaluation.adam_probe import CHECK_EVERY, EPOCHS, LEARNING_RATE, predict_by_adam

SPLITS = 10


def usual(x: Tensor, labels: Tensor, splits: Sequence[Split]) -> list[float]:
    scores = []
    for split in splits:
        layer = torch.nn.Linear(x.shape[1], int(labels.max()) + 1)
        torch.nn.init.xavier_uniform_(layer.weight)
        torch.nn.init.zeros_(layer.bias)
        optimizer = torch.optim.Adam(layer.parameters(), lr=LEARNING_RATE)
        best, test = -1.0, 0.0
        rows, target = x[split.train], labels[split.train]
        for epoch in range(1, EPOCHS + 1):
            optimizer.zero_grad()
            cross_entropy(layer(rows), target).backward()
            optimizer.step()
            if epoch % CHECK_EVERY == 0:
                with torch.no_grad():
                    right = layer(x).argmax(dim=1) == labels
                val = float(right[split.val].float().mean())
                if val > best:
                    best, test = val, float(right[split.test].float().mean())
        scores.append(test)
    return scores


def own(x: Tensor, labels: Tensor, splits: Sequence[Split]) -> list[float]:
    predicted = predict_by_adam(x, labels, splits, seeds=range(len(splits)))
    return [float((row == labels)[split.test].float().mean()) for row, split in zip(predicted, splits, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="a folder with raw files of PyG's data sets")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--width", type=int, default=256)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    dataset = datasets.load("CORA", options.data) if options.data else datasets.load("digits")
    # Features seen through a random layer: as wide as an embedding, and about as easy.
    x = torch.relu(dataset.data.x @ torch.randn(dataset.num_features, options.width)) / dataset.num_features**0.5
    labels = dataset.labels
    splits = node_splits(labels, "paper", SPLITS)
    accuracy: dict[str, float] = {}

    def mean(who: str, scores: list[float]) -> None:
        accuracy[who] = sum(scores) / SPLITS

    times = medians(
        {
            "at once": lambda: mean("at once", own(x, labels, splits)),
            "alone": lambda: mean("alone", [own(x, labels, [split])[0] for split in splits]),
            "torch": lambda: mean("torch", usual(x, labels, splits)),
        },
        options.runs,
    )
    print(f"{dataset.name}, {len(labels)} rows, width {options.width}, {SPLITS} splits, one thread")
    print("  ".join(f"{who} {seconds:.2f} s" for who, seconds in times.items()))
    print(f"at once / torch one after the other: {times['at once'] / times['torch']:.3f} (must be at most 0.25)")
    print(f"at once / own probe one after the other: {times['at once'] / times['alone']:.3f}")
    print("mean accuracy: " + "  ".join(f"{who} {value:.4f}" for who, value in accuracy.items()))


if __name__ == "__main__":
    main()

"""MVGRL: nodes of one view find the summary of the other, against shuffled ones (Hassani and Khasahmadi 2020).

A self-contained run on the embedded graph of digits: `python examples/mvgrl.py`. Every part is set by hand here; see
grace.py for the short way.
"""

from __future__ import annotations

import torch

from rlap import datasets
from rlap.evaluation import evaluate
from rlap.methods import MethodConfig, build
from rlap.training import TrainConfig, embed, train


def main() -> None:
    digits = datasets.load("digits")
    torch.manual_seed(0)  # fixes the first weights
    # The first view is the graph itself but for masked features; the second has lost 40 % of its nodes.
    config = MethodConfig("mvgrl", augmentor="rLap", gamma1=0.0, gamma2=0.4, hidden=64)
    method = build(config, digits.num_features)

    training = TrainConfig(lr=1e-3, epochs=60, patience=20, seed=0)
    result = train(method, digits, training)
    scores = evaluate(embed(method, digits, training), digits.labels, "node")

    print(f"loss {result.losses[0]:.3f} at first, {min(result.losses):.3f} in epoch {result.best_epoch}")
    print(f"a linear classifier on the embedding: {100 * scores.mean():.1f} %")


if __name__ == "__main__":
    main()

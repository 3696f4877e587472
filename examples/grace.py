"""GRACE: nodes find themselves in two views of their graph, among all other nodes (Zhu et al. 2020).

A self-contained run on the embedded graph of digits: `python examples/grace.py`.
"""

from __future__ import annotations

from rlap import GraphEmbedder, datasets
from rlap.evaluation import evaluate


def main() -> None:
    digits = datasets.load("digits")  # 1797 images of digits, joined to those that look most alike
    pixels = evaluate(digits.data.x, digits.labels, "node")

    grace = GraphEmbedder("grace", augmentor="rLap", gamma1=0.5, gamma2=0.4, hidden=64, epochs=40, random_state=0)
    embedding = grace.fit_transform(digits.data)  # labels are not looked at
    learned = evaluate(embedding, digits.labels, "node")

    print(f"a linear classifier on the pixels:    {100 * pixels.mean():.1f} %")
    print(f"on the embedding of {grace.n_iter_} epochs:      {100 * learned.mean():.1f} %")


if __name__ == "__main__":
    main()

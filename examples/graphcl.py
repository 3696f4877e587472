"""GraphCL: graphs find themselves in two views, among the others of their batch (You et al. 2020).

A self-contained run on the embedded families of graphs, in scikit-learn's manner: `python examples/graphcl.py`.
"""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rlap import GraphEmbedder, datasets


def main() -> None:
    families = datasets.load("families")  # 300 generated graphs of five kinds
    sizes = np.array([[graph.num_nodes, graph.num_edges] for graph in families.graphs], dtype=float)
    labels = families.labels.numpy()

    graphcl = GraphEmbedder("graphcl", gamma1=0.2, gamma2=0.2, hidden=32, tau=0.5, epochs=20, random_state=0)
    embedding = graphcl.fit_transform(families.graphs)

    classifier = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))
    for name, rows in (("the numbers of nodes and edges", sizes), ("the embedding", embedding)):
        accuracy = cross_val_score(classifier, rows, labels, cv=10).mean()
        print(f"a linear classifier on {name}: {100 * accuracy:.1f} %")


if __name__ == "__main__":
    main()

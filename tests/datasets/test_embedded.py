"""The sets that need no file are what they say, and the same everywhere."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import torch
from sklearn.datasets import load_digits
from torch_geometric.transforms import NormalizeFeatures
from torch_geometric.utils import to_networkx

from rlap import datasets
from rlap.datasets.features import row_normalized


def test_digits_are_joined_to_their_nearest():
    found = datasets.load("digits")
    pixels, labels = load_digits(return_X_y=True)
    assert np.array_equal(found.labels.numpy(), labels)
    assert np.array_equal(found.data.x.numpy() * 16, pixels)
    edges = set()
    for node, row in enumerate(pixels):
        distance = ((pixels - row) ** 2).sum(axis=1)
        distance[node] = np.inf
        for other in np.argsort(distance, kind="stable")[:8]:
            edges |= {(node, int(other)), (int(other), node)}
    assert found.data.edge_index.T.tolist() == sorted(map(list, edges))


def test_families_differ_in_structure_not_in_size():
    found = datasets.load("families")
    assert torch.equal(found.labels.bincount(), torch.full((5,), 60))
    sizes = torch.tensor([graph.num_nodes for graph in found.graphs])
    assert sizes.min() >= 20
    assert sizes.max() <= 50
    graphs = [to_networkx(graph, to_undirected=True) for graph in found.graphs]
    for graph, own in zip(graphs, found.graphs, strict=True):
        assert own.is_undirected()
        assert graph.number_of_edges() == 2 * graph.number_of_nodes()
        assert nx.number_of_selfloops(graph) == 0
        degree = torch.tensor([graph.degree(node) for node in range(own.num_nodes)])
        assert torch.equal(own.x, torch.eye(found.num_features)[degree])

    def mean(what, family):
        return np.mean([what(graph) for graph, label in zip(graphs, found.labels, strict=True) if label == family])

    # A family's node counts: 60 draws from 24..48 have a standard error of about 1.
    assert np.ptp([sizes[found.labels == family].double().mean() for family in range(5)]) < 4
    assert mean(nx.average_clustering, 2) > 0.3 > mean(nx.average_clustering, 0)
    assert mean(lambda graph: max(dict(graph.degree).values()), 1) > 10
    assert mean(lambda graph: max(dict(graph.degree).values()), 4) < 7

    def cut(graph):
        even = {node for node in graph if node % 2 == 0}
        return nx.cut_size(graph, even) / graph.number_of_edges()

    assert mean(cut, 3) < 0.15
    assert mean(cut, 0) > 0.4
    assert mean(nx.average_clustering, 4) < 0.15


def test_they_do_not_depend_on_the_state_of_any_generator():
    first = [datasets.load(name).checksum for name in ("digits", "families")]
    np.random.seed(1)  # noqa: NPY002
    torch.manual_seed(1)
    assert [datasets.load(name).checksum for name in ("digits", "families")] == first


@pytest.mark.parametrize("sparse", [False, True])
def test_normalized_features_are_pygs(sparse):
    data = datasets.load("digits").data.clone()
    expected = NormalizeFeatures()(data.clone()).x
    x = data.x.to_sparse_csr() if sparse else data.x
    torch.testing.assert_close(row_normalized(x).to_dense(), expected)
    torch.testing.assert_close(datasets.load("digits", features="normalized").data.x, expected)
    with pytest.raises(ValueError, match=r"features of a graph set cannot be normalized \(got families\)"):
        datasets.load("families", features="normalized")

"""`GraphEmbedder` in scikit-learn's manner, and on all that a graph may be."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from torch_geometric.data import Batch, Data

import rlap
from rlap import GraphEmbedder, datasets
from rlap.experiments import make_config, run

SMALL = {"hidden": 8, "epochs": 3, "random_state": 0}


@pytest.fixture(scope="module")
def digits():
    return datasets.load("digits")


@pytest.fixture(scope="module")
def families():
    return datasets.load("families").graphs[::6]


def test_it_is_a_run_of_the_same_configuration(digits):
    found = GraphEmbedder("grace", "EdgeDropping", gamma1=0.3, **SMALL).fit_transform(digits.data)
    words = ["hidden=8", "epochs=3", "gamma1=0.3"]
    expected = run(make_config("grace", "digits", words=words, augmentor="EdgeDropping", seed=0, splits=2))
    np.testing.assert_array_equal(found, expected.embedding.numpy())


def test_scikit_learns_manner(digits):
    embedder = GraphEmbedder(**SMALL, tau=0.3)
    assert embedder.get_params()["tau"] == 0.3
    copied = clone(embedder).set_params(hidden=4)
    assert (embedder.hidden, copied.hidden, copied.tau) == (8, 4, 0.3)
    with pytest.raises(NotFittedError):
        embedder.transform(digits.data)
    assert embedder.fit(digits.data) is embedder
    np.testing.assert_array_equal(embedder.transform(digits.data), embedder.embedding_)
    np.testing.assert_array_equal(clone(embedder).fit_transform(digits.data), embedder.embedding_)
    assert (embedder.n_iter_, len(embedder.losses_), embedder.n_features_in_) == (3, 3, 64)
    assert embedder.get_feature_names_out()[:2].tolist() == ["graphembedder0", "graphembedder1"]
    assert "GraphEmbedder(epochs=3" in repr(embedder)


def test_in_a_pipeline(digits):
    """Few epochs of training beat chance by far: ten classes, so chance is a tenth."""
    labels = digits.labels.numpy()
    pipeline = make_pipeline(GraphEmbedder(hidden=32, epochs=5, random_state=0), LogisticRegression(max_iter=500))
    assert pipeline.fit(digits.data, labels).score(digits.data, labels) > 0.8


def test_random_state(digits):
    def fitted(state):
        return GraphEmbedder(hidden=4, epochs=1, random_state=state).fit_transform(digits.data)

    one = fitted(1)
    assert not np.array_equal(one, fitted(2))
    torch.manual_seed(7)
    first, second = fitted(None), fitted(None)
    assert not np.array_equal(first, second)
    torch.manual_seed(7)
    np.testing.assert_array_equal(fitted(None), first)
    np.testing.assert_array_equal(fitted(np.random.RandomState(3)), fitted(np.random.RandomState(3)))


def test_the_same_graph_in_other_forms(digits):
    data, nodes = digits.data, digits.data.num_nodes
    expected = GraphEmbedder(**SMALL).fit_transform(data)
    index, x = data.edge_index.numpy(), data.x.numpy()
    adjacency = sp.csr_array((np.ones(index.shape[1]), index), shape=(nodes, nodes))
    for graph in ((data.edge_index, data.x), (index, x.astype(np.float64)), (adjacency, x)):
        # A matrix gives weights of 1 where there were none, which is the same sum in another order.
        found = GraphEmbedder(**SMALL).fit_transform(graph)
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)
    # Most pixels are not zero, so a matrix of features is the same numbers in another form.
    found = GraphEmbedder(**SMALL, feature_masking=0).fit_transform((index, sp.csr_array(x)))
    plain = GraphEmbedder(**SMALL, feature_masking=0).fit_transform((index, x))
    np.testing.assert_allclose(found, plain, rtol=1e-3, atol=1e-4)


def test_graphs(families):
    embedder = GraphEmbedder("graphcl", batch_size=16, **SMALL)
    found = embedder.fit_transform(families)
    assert found.shape[0] == len(families)
    np.testing.assert_array_equal(embedder.transform(Batch.from_data_list(families)), found)
    # One graph alone is the same graph: nothing leaks between those of a batch.
    np.testing.assert_allclose(embedder.transform(families[3:4])[0], found[3], rtol=1e-4, atol=1e-4)


def test_a_new_graph_can_be_embedded(digits):
    embedder = GraphEmbedder(**SMALL).fit(digits.data)
    small = Data(x=digits.data.x[:3], edge_index=torch.tensor([[0, 1], [1, 0]]))
    assert embedder.transform(small).shape == (3, 8)
    with pytest.raises(ValueError, match=r"there must be 64 features, as in fit \(got 2\)"):
        embedder.transform(Data(x=torch.ones(3, 2), edge_index=small.edge_index))


RING = np.array([[0, 1, 2, 1, 2, 0], [1, 2, 0, 0, 1, 2]])
BAD = {
    "no features": ("grace", Data(edge_index=torch.from_numpy(RING)), "must have features x and edges edge_index"),
    "a list": ("grace", [Data()], "embeds the nodes of one graph (got list of graphs)"),
    "one graph": ("graphcl", Data(), "embeds whole graphs, and needs a list of them (got Data)"),
    "nothing": ("graphcl", [], "there must be a graph (got an empty list)"),
    "another thing": ("grace", "graph.csv", "must be a PyG Data, or a pair of a graph and features (got str)"),
    "a short x": ("grace", (RING, np.eye(2)), "edge_index must lie in [0, 2), the rows of x (got 2)"),
    "nan": ("grace", (RING, np.array([[1.0], [np.nan], [1.0]])), "features must be finite"),
    "a flat x": ("grace", (RING, np.ones(3)), "a row for every node and a column at least (got (3,))"),
    "words": ("grace", (RING, np.array([["a"]] * 3)), "features must be numbers (got an array of <U1)"),
    "a wide matrix": ("grace", (sp.csr_array((3, 4)), np.eye(3)), "must be square, 3 wide as x is long (got (3, 4))"),
    "widths": ("graphcl", [(RING, np.eye(3)), (RING, np.ones((3, 2)))], "3 features, as the first (got 2 in graph 1)"),
    "a direction": ("grace", (RING[:, :3], np.eye(3)), "symmetr"),
    "a method": ("gracy", (RING, np.eye(3)), "the nearest is 'grace'"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_refused(case):
    method, graph, rule = BAD[case]
    with pytest.raises(ValueError) as problem:  # noqa: PT011
        GraphEmbedder(method, epochs=1).fit(graph)
    assert rule in str(problem.value)


def test_the_name_is_there_and_no_other():
    assert "GraphEmbedder" in dir(rlap)
    with pytest.raises(AttributeError, match="no attribute 'GraphEmbeder'"):
        rlap.GraphEmbeder  # noqa: B018

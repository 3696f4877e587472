"""The diffusions against dense closed forms, in a batch and alone, with weights and without."""

import networkx as nx
import numpy as np
import pytest
import scipy.linalg
import torch
from torch_geometric.data import Batch, Data

import rlap
import rlap.transforms as T

TOL = 1e-9
FLOAT32 = 2e-7  # the weights of a view are single precision, and no entry is above 1


def club(weighted):
    graph = nx.karate_club_graph()
    adjacency = nx.to_numpy_array(graph, weight="weight" if weighted else None)
    return adjacency


def as_data(adjacency, weighted=True):
    index = np.stack(np.nonzero(adjacency))
    weight = torch.from_numpy(adjacency[tuple(index)]).float() if weighted else None
    data = Data(edge_index=torch.from_numpy(index), num_nodes=len(adjacency), y=torch.arange(len(adjacency)))
    if weighted:
        data.edge_weight = weight
    return data


def dense(data):
    matrix = np.zeros((data.num_nodes, data.num_nodes))
    matrix[tuple(data.edge_index.numpy())] = data.edge_weight.numpy()
    return matrix


def transition(adjacency, symmetric, self_loops):
    adjacency = adjacency + np.eye(len(adjacency)) if self_loops else adjacency
    degree = adjacency.sum(0)
    return adjacency / np.sqrt(np.outer(degree, degree)) if symmetric else adjacency / degree


def closed_form(kind, matrix):
    eye = np.eye(len(matrix))
    if kind == "ppr":
        return 0.2 * np.linalg.inv(eye - 0.8 * matrix)
    if kind == "heat":
        return scipy.linalg.expm(3.0 * (matrix - eye))
    powers = [np.linalg.matrix_power(matrix, step) for step in range(1, 11)]
    return np.mean([0.2 * eye + 0.8 * power for power in powers], axis=0)


MAKERS = {
    "ppr": lambda **options: T.PPRDiffusion(0.2, **options),
    "heat": lambda **options: T.HeatDiffusion(3.0, **options),
    "markov": lambda **options: T.MarkovDiffusion(0.2, 10, **options),
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("word", "symmetric", "loops"), [("random-walk", False, False), ("symmetric", True, True)])
@pytest.mark.parametrize("kind", MAKERS)
def test_equals_the_closed_form(kind, word, symmetric, loops, weighted):
    adjacency = club(weighted)
    view = MAKERS[kind](eps=1e-3, tol=TOL, transition=word, self_loops=loops)(as_data(adjacency, weighted))
    exact = closed_form(kind, transition(adjacency, symmetric, loops))
    assert np.abs(exact - 1e-3).min() > TOL  # so that there is no doubt which entries are kept
    np.testing.assert_allclose(dense(view), np.where(exact >= 1e-3, exact, 0.0), atol=TOL + FLOAT32)
    assert view.y.tolist() == list(range(34))


@pytest.mark.parametrize("kind", MAKERS)
def test_a_batch_is_diffused_graph_by_graph(kind):
    graphs = [as_data(club(True)), as_data(nx.to_numpy_array(nx.path_graph(5))), as_data(club(True)[:20, :20])]
    batch = MAKERS[kind]()(Batch.from_data_list(graphs))
    for one, graph in zip(batch.to_data_list(), graphs, strict=True):
        alone = MAKERS[kind]()(graph)
        assert torch.equal(one.edge_index, alone.edge_index)
        assert torch.equal(one.edge_weight, alone.edge_weight)


@pytest.mark.parametrize("grounded", [True, False])
def test_a_graph_that_needs_double_precision_does_not_change_the_others(grounded):
    """The shortcut's entries grow with the degrees that a view loses: the hub is 90 times what is left of it there."""
    star = nx.to_numpy_array(nx.star_graph(100))
    graphs = [as_data(club(True)), as_data(star), as_data(club(False)), as_data(nx.to_numpy_array(nx.path_graph(9)))]
    made = T.RLapPPR(0.9, grounded=grounded, seed=5)(Batch.from_data_list(graphs)).to_data_list()
    assert grounded or max(float(one.edge_weight.max()) for one in made if one.num_edges) > 10
    for number, (one, graph) in enumerate(zip(made, graphs, strict=True)):
        alone = T.RLapPPR(0.9, grounded=grounded, seed=rlap.derive_seed(5, graph=number))(graph)
        assert torch.equal(one.edge_index, alone.edge_index)
        assert torch.equal(one.edge_weight, alone.edge_weight)


def test_a_diffusion_is_remembered_by_content(monkeypatch):
    from rlap.transforms import diffusion

    calls = []
    original = diffusion.diffuse_edges
    monkeypatch.setattr(
        diffusion, "diffuse_edges", lambda *args, **options: calls.append(1) or original(*args, **options)
    )
    monkeypatch.setattr(diffusion.Diffusion, "_cache", diffusion.ContentCache())
    first = T.PPRDiffusion()(as_data(club(True)))
    again = T.PPRDiffusion()(as_data(club(True)))
    assert len(calls) == 1
    assert torch.equal(first.edge_weight, again.edge_weight)
    other = T.PPRDiffusion()(as_data(2 * club(True) + np.eye(34, k=1) + np.eye(34, k=-1)))
    assert len(calls) == 2
    assert other.num_edges != first.num_edges or not torch.equal(other.edge_weight, first.edge_weight)


def exact_restricted(adjacency, keep):
    return closed_form("ppr", transition(adjacency, False, False))[np.ix_(keep, keep)]


def test_grounded_ppr_is_exact_where_the_elimination_is():
    """A path: every eliminated node has two neighbours and the ground, the sampled clique is not exact, but nodes that
    are eliminated with one neighbour are; so keep an end piece, and eliminate a leaf."""
    adjacency = nx.to_numpy_array(nx.path_graph(4))
    keep = [0, 1, 2]
    view = T.RLapPPR(keep=keep, alpha=0.2, eps=1e-6, tol=TOL)(as_data(adjacency))
    np.testing.assert_allclose(dense(view)[np.ix_(keep, keep)], exact_restricted(adjacency, keep), atol=TOL + FLOAT32)
    assert view.node_mask.tolist() == [True, True, True, False]


def test_the_grounded_one_is_nearer_than_the_shortcut():
    """Mean absolute errors over seeds; the shortcut loses what leaks in eliminated nodes, which is no rounding."""
    adjacency = club(True)
    keep = list(range(0, 34, 2))
    exact = exact_restricted(adjacency, keep)

    def error(grounded):
        views = [T.RLapPPR(keep=keep, grounded=grounded, seed=seed)(as_data(adjacency)) for seed in range(20)]
        return np.mean([np.abs(dense(view)[np.ix_(keep, keep)] - exact).mean() for view in views])

    assert error(True) < 0.5 * error(False)


def test_the_shortcut_is_the_papers():
    """alpha D_s (D_R - (1 - alpha) A_R)^-1 with the view R that `schur_view` makes of the same weights and seed."""
    adjacency = club(True)
    view = T.RLapPPR(0.5, grounded=False, eps=1e-6, tol=TOL, seed=3)(as_data(adjacency))
    index = np.stack(np.nonzero(adjacency))
    weight = 0.8 * adjacency[tuple(index)]
    reduced = rlap.schur_view(index, weight, num_nodes=34, fraction=0.5, seed=3)
    kept = np.flatnonzero(reduced.node_mask)
    matrix = np.zeros((34, 34))
    matrix[tuple(reduced.edge_index)] = reduced.edge_weight / 0.8
    matrix = matrix[np.ix_(kept, kept)]
    inverse = np.linalg.inv(np.diag(matrix.sum(1)) - 0.8 * matrix)
    exact = 0.2 * np.diag(adjacency.sum(1)[kept]) @ inverse
    # Entries may be larger than 1 here, and single precision is relative.
    np.testing.assert_allclose(dense(view)[np.ix_(kept, kept)], np.where(exact >= 1e-6, exact, 0), rtol=1e-6, atol=2e-6)


def test_subgraphs_have_the_size_and_differ():
    data = as_data(club(True))
    whole = dense(T.PPRDiffusion()(data))
    views = [T.PPRSubgraph(10, seed=seed)(data) for seed in range(3)]
    for view in views:
        kept = view.node_mask.numpy()
        assert kept.sum() == 10
        np.testing.assert_array_equal(dense(view), np.where(np.outer(kept, kept), whole, 0.0))
    assert not torch.equal(views[0].node_mask, views[1].node_mask)
    batch = T.PPRSubgraph(10, relabel=True)(Batch.from_data_list([data, as_data(nx.to_numpy_array(nx.path_graph(5)))]))
    assert [graph.num_nodes for graph in batch.to_data_list()] == [10, 5]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: T.PPRDiffusion(alpha=0), r"alpha must lie between 0 and 1, both excluded \(got 0.0\)"),
        (lambda: T.PPRDiffusion(eps=0), r"eps must be positive and finite \(got 0.0\)"),
        (lambda: T.HeatDiffusion(-1), r"t must be positive and finite \(got -1.0\)"),
        (lambda: T.MarkovDiffusion(K=0), r"must be at least 1 \(got 0\)"),
        (lambda: T.RLapPPR(), "give exactly one of fraction and keep"),
        (lambda: T.RLapPPR(1.5), r"fraction must lie in \[0, 1\] \(got 1.5\)"),
        (lambda: T.PPRSubgraph(0), r"size must be at least 1 \(got 0\)"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()

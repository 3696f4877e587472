"""Kernels against NetworkX and counts of all sub-graphs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import networkx as nx
import numpy as np
import torch
from torch_geometric.data import Data

from rlap.baselines.graphlets import graphlet_kernel
from rlap.baselines.kernel import classify
from rlap.baselines.task import Task
from rlap.baselines.weisfeiler_lehman import subtree_kernel
from rlap.datasets import GraphSet


def some_graphs(number=6, seed=0):
    """Draw small graphs with two kinds of nodes; the last has no edge."""
    generator = np.random.default_rng(seed)
    found = []
    for at in range(number):
        size = int(generator.integers(4, 8))
        graph = nx.gnp_random_graph(size, 0.5 if at < number - 1 else 0.0, seed=int(generator.integers(2**31)))
        nx.set_node_attributes(graph, {node: int(generator.integers(2)) for node in graph}, "kind")
        found.append(graph)
    return found


def as_data(graph):
    kinds = torch.tensor([graph.nodes[node]["kind"] for node in graph])
    edges = [(one, two) for edge in graph.edges for one, two in (edge, edge[::-1])]
    ends = torch.tensor(edges, dtype=torch.long).reshape(-1, 2).t().contiguous()
    return Data(x=torch.nn.functional.one_hot(kinds, 2).float(), edge_index=ends, num_nodes=len(graph))


def test_the_subtree_kernel_counts_networkxs_hashes():
    graphs, rounds = some_graphs(), 3
    counts = []
    for graph in graphs:
        hashes = nx.weisfeiler_lehman_subgraph_hashes(
            graph, node_attr="kind", iterations=rounds, include_initial_labels=True
        )
        counts.append(Counter((level, name) for names in hashes.values() for level, name in enumerate(names)))
    wanted = np.array([[sum(one[name] * two[name] for name in one) for two in counts] for one in counts])
    found = subtree_kernel([as_data(graph) for graph in graphs], rounds, normalized=False)
    np.testing.assert_array_equal(found, wanted)
    scale = np.sqrt(np.outer(wanted.diagonal(), wanted.diagonal()))
    np.testing.assert_allclose(subtree_kernel([as_data(graph) for graph in graphs], rounds), wanted / scale, rtol=1e-12)


def test_sampled_graphlets_come_as_often_as_all_of_them_say():
    """Their kinds are told apart by NetworkX's test of isomorphism."""
    graphs, samples, size = some_graphs(5, seed=1), 4000, 4
    kinds, tables = [], []
    for graph in graphs:
        counts = Counter()
        for nodes in combinations(graph, size):
            part = graph.subgraph(nodes)
            kind = next((at for at, one in enumerate(kinds) if nx.is_isomorphic(one, part)), len(kinds))
            if kind == len(kinds):
                kinds.append(part)
            counts[kind] += 1
        tables.append(counts)
    assert len(kinds) > 6  # of 11
    shares = np.array([[counts[kind] / counts.total() for kind in range(len(kinds))] for counts in tables])
    length = np.linalg.norm(shares, axis=1)
    found = graphlet_kernel([as_data(graph) for graph in graphs], size, samples, seed=4)
    # The sampled vector of shares is off by about samples**-0.5 at the most, and so is its direction, over its length.
    error = 5 * samples**-0.5 * (1 / length[:, None] + 1 / length)
    assert (np.abs(found - shares @ shares.T / np.outer(length, length)) < error).all()
    assert error.max() < 0.5
    np.testing.assert_array_equal(found, graphlet_kernel([as_data(graph) for graph in graphs], size, samples, seed=4))


def test_a_graph_that_is_too_small_has_no_graphlets():
    small, large = as_data(some_graphs(1)[0]), as_data(some_graphs(1)[0])
    small = Data(x=small.x[:2], edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=2)
    np.testing.assert_allclose(graphlet_kernel([small, large], 4, 10), [[0, 0], [0, 1]], atol=1e-12)


def test_the_machine_finds_classes_that_a_kernel_separates():
    labels = torch.arange(60) % 3
    graphs = [Data(x=torch.ones(1, 1), edge_index=torch.zeros(2, 0, dtype=torch.long), y=one[None]) for one in labels]
    task = Task(GraphSet("three", graphs, 3), splits=10)
    same = (labels[:, None] == labels).double().numpy()
    assert classify(task, same).scores.accuracy.tolist() == [1.0] * 10
    # A kernel that knows nothing is right as often as there are classes.
    assert classify(task, np.ones((60, 60))).scores.mean() < 0.5

"""What all baselines share: names, refusals, seeds, and that tests are not looked at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from rlap import baselines, datasets
from rlap.datasets import GraphSet, NodeSet, graph_splits, node_splits

QUICK = {
    ("node", "RawFeatures"): {},
    ("node", "DeepWalk"): {"walks": 2, "length": 10, "width": 16},
    ("node", "DeepWalkFeatures"): {"walks": 2, "length": 10, "width": 16},
    ("node", "GAE"): {"epochs": 8, "hidden": 16, "width": 16},
    ("node", "DGI"): {"epochs": 8, "hidden": 16},
    ("node", "GCN"): {"epochs": 15, "hidden": 16},
    ("node", "GAT"): {"epochs": 15, "heads": 2},
    ("graph", "GK"): {"samples": 300},
    ("graph", "WL"): {},
    ("graph", "InfoGraph"): {"epochs": 3, "hidden": 8},
    ("graph", "GIN"): {"epochs": 6, "hidden": 8, "layers": 2},
    ("graph", "GCN"): {"epochs": 6, "hidden": 8, "layers": 2},
}


@pytest.fixture(scope="module")
def sets():
    """The embedded sets: 400 of the digits and the edges between them, and all graphs."""
    digits, families = datasets.load("digits"), datasets.load("families")
    graph = digits.data.subgraph(torch.arange(400))
    return {
        "node": NodeSet("digits", graph, digits.num_classes),
        "graph": GraphSet("families", families.graphs, families.num_classes),
    }


def test_every_baseline_is_tried_here():
    assert set(QUICK) == {(level, name) for level in ("node", "graph") for name in baselines.names(level)}
    for (level, name), given in QUICK.items():
        assert set(given) <= set(baselines.settings(name, level))


@pytest.mark.parametrize(("level", "name"), QUICK)
def test_baselines_beat_chance_are_seeded_and_leave_torchs_generator_alone(sets, level, name):
    dataset = sets[level]
    torch.manual_seed(5)
    before = torch.get_rng_state()
    seen = []
    first = baselines.run(
        name, dataset, splits=2, seed=3, watch=lambda share, words: seen.append(share), **QUICK[level, name]
    )
    assert torch.equal(torch.get_rng_state(), before)
    torch.manual_seed(6)
    again = baselines.run(name, dataset, splits=2, seed=3, **QUICK[level, name])
    np.testing.assert_array_equal(first.scores.accuracy, again.scores.accuracy)
    largest = torch.bincount(dataset.labels).max() / len(dataset.labels)
    # Three deviations of a coin that always says the largest class; the test parts are no smaller than this.
    cut = node_splits if level == "node" else graph_splits
    tested = min(len(part.test) for part in cut(dataset.labels, "clean", 2, 3))
    bound = float(largest + 3 * (largest * (1 - largest) / (2 * tested)) ** 0.5)
    assert first.scores.mean() > bound
    assert seen
    assert all(0 <= share <= 1 for share in seen)
    assert seen == sorted(seen)


@pytest.mark.parametrize("protocol", ["clean", "paper"])
@pytest.mark.parametrize(("level", "name"), [("node", "GCN"), ("graph", "WL"), ("graph", "GIN")])
def test_labels_of_the_test_part_change_nothing_but_the_score(sets, level, name, protocol):
    """Labels of test rows are shifted by one class: whatever was right is then wrong, if nobody has looked at them."""
    dataset = sets[level]
    cut = node_splits if level == "node" else graph_splits
    [part] = cut(dataset.labels, protocol, 1, 0)
    truth = baselines.run(name, dataset, protocol=protocol, splits=1, **QUICK[level, name]).scores.accuracy[0]
    labels = dataset.labels.clone()
    labels[part.test] = (labels[part.test] + 1) % dataset.num_classes
    changed = _with_labels(dataset, labels)
    task = baselines.Task(changed, protocol, 1)

    class Fixed(baselines.Task):
        def parts(self):
            return [part]

    function = baselines.registry._find(name, level)
    shifted = function(Fixed(**{**vars(task)}), **QUICK[level, name]).scores.accuracy[0]
    assert truth > 0
    assert truth + shifted <= 1 + 1e-12


def test_what_does_not_apply_is_refused(sets):
    with pytest.raises(ValueError, match="WL tells graphs apart, and not nodes: take RawFeatures, DeepWalk"):
        baselines.run("WL", sets["node"])
    with pytest.raises(ValueError, match=r"got 'GINN'; the nearest is 'GIN'"):
        baselines.run("GINN", sets["graph"])
    with pytest.raises(ValueError, match=r"WL has the settings rounds \(got 'epochs'\)"):
        baselines.run("WL", sets["graph"], epochs=3)
    with pytest.raises(ValueError, match=r"window must be at least 1 \(got 0\)"):
        baselines.run("DeepWalk", sets["node"], window=0)
    with pytest.raises(ValueError, match=r"size must be 3 or 4 \(got 2\)"):
        baselines.run("GK", sets["graph"], size=2)
    with pytest.raises(ValueError, match=r"patience must be at least 1 \(got 0\)"):
        baselines.run("GCN", sets["node"], patience=0)


def _with_labels(dataset, labels):
    if dataset.level == "node":
        data = dataset.data.clone()
        data.y = labels
        return replace(dataset, data=data)
    graphs = [graph.clone() for graph in dataset.graphs]
    for graph, label in zip(graphs, labels, strict=True):
        graph.y = label.reshape(1)
    return replace(dataset, graphs=graphs)

"""The batched probe is torch's own layer, loss and optimiser, one split at a time."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from rlap.datasets import graph_splits, node_splits
from rlap.evaluation import adam_probe
from rlap.evaluation.adam_probe import predict_by_adam

SEEDS = [11, 12, 13, 14]


def problem(dtype=torch.float64, rows=220, width=12, classes=4):
    """Classes that overlap, so that validation goes up and down while the layer learns."""
    generator = torch.Generator().manual_seed(0)
    labels = torch.randint(classes, (rows,), generator=generator)
    centers = torch.randn(classes, width, generator=generator, dtype=dtype)
    noise = torch.randn(rows, width, generator=generator, dtype=dtype)
    return 0.8 * centers[labels] + noise, labels


def one_by_one(x, labels, split, seed, epochs):
    """The scripts' way: nn.Linear, cross_entropy, autograd, torch.optim.Adam, a check every 20 epochs."""
    layer = torch.nn.Linear(x.shape[1], int(labels.max()) + 1, dtype=x.dtype)
    with torch.no_grad():
        start = torch.empty(layer.weight.shape)
        torch.nn.init.xavier_uniform_(start, generator=torch.Generator().manual_seed(seed))
        layer.weight.copy_(start)
        layer.bias.zero_()
    optimizer = torch.optim.Adam(layer.parameters(), lr=0.01)
    best, predicted = -1, None
    for epoch in range(1, epochs + 1):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(layer(x[split.train]), labels[split.train]).backward()
        optimizer.step()
        if epoch % 20 == 0:
            now = layer(x).argmax(dim=1)
            hits = int((now == labels)[split.val].sum())
            if hits > best:
                best, predicted = hits, now
    return layer, predicted


@pytest.mark.parametrize("make", [node_splits, graph_splits])
def test_predictions_are_those_of_torch(make):
    x, labels = problem()
    splits = make(labels, "paper", number=4)
    found = predict_by_adam(x, labels, splits, seeds=SEEDS, epochs=300)
    for row, split, seed in zip(found, splits, SEEDS, strict=True):
        _, expected = one_by_one(x, labels, split, seed, 300)
        assert torch.equal(row, expected)


def test_weights_are_those_of_torch():
    x, labels = problem()
    splits = node_splits(labels, "paper", number=4)
    filled, weight = adam_probe._start(x, 4, SEEDS)
    for _ in adam_probe._descend(filled, labels, weight, torch.stack([split.train for split in splits]), 200):
        pass
    assert not weight[:, 4:, :12].any()
    assert not weight[:, :, 13:].any()
    for own, split, seed in zip(weight, splits, SEEDS, strict=True):
        layer, _ = one_by_one(x, labels, split, seed, 200)
        # Double precision; 200 steps of 0.01 add up rounding of about 1e-16 each, and Adam may enlarge it by 1/sqrt(v).
        assert torch.allclose(own[:4, :12], layer.weight, rtol=0, atol=1e-9)
        assert torch.allclose(own[:4, 12], layer.bias, rtol=0, atol=1e-9)


def test_a_split_alone_is_the_same_as_among_others():
    x, labels = problem(torch.float32)
    splits = node_splits(labels, "paper", number=4)
    together = predict_by_adam(x, labels, splits, seeds=SEEDS, epochs=200)
    for number in range(4):
        alone = predict_by_adam(x, labels, [splits[number]], seeds=[SEEDS[number]], epochs=200)
        # Products of other shapes are rounded otherwise: rows on the border of two classes may change sides.
        assert (alone[0] != together[number]).sum() <= 2


def test_blocks_of_rows_change_nothing(monkeypatch):
    x, labels = problem()
    splits = node_splits(labels, "paper", number=4)
    whole = predict_by_adam(x, labels, splits, seeds=SEEDS, epochs=100)
    monkeypatch.setattr(adam_probe, "_ROWS", 37)
    assert torch.equal(predict_by_adam(x, labels, splits, seeds=SEEDS, epochs=100), whole)


def test_of_equal_classes_the_first_is_predicted():
    weight = torch.tensor([[[1.0, 0.0], [2.0, 0.0], [2.0, 0.0]]])
    x = torch.tensor([[1.0, 1.0], [-1.0, 1.0], [0.0, 1.0]])
    expected = (x @ weight[0].T).numpy().argmax(axis=1)
    assert np.array_equal(adam_probe._predict(x, weight)[0].numpy(), expected)
    assert expected.tolist() == [1, 0, 0]

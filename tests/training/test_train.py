"""The training loop against a loop that is written out, and its promises about seeds, patience and weights."""

from __future__ import annotations

import math
from itertools import chain

import pytest
import torch
from torch import nn

import rlap
import rlap.transforms as T
from rlap.adapters.torch import seeds_from
from rlap.training import Diverged, Epoch, TrainConfig, embed, find_device, progress_bar, train
from rlap.training.steps import NOISE, VIEWS, Steps, batch_ends
from tests.training.standin import Nodes, as_batch, graphs, make, nodes, ring

KINDS = {"node": nodes, "graph": graphs}


def weights(method):
    return torch.cat([value.flatten().double() for value in method.state_dict().values()])


def by_hand(method, dataset, config):
    """What `train` promises, without threads, checkpoints or early stopping; batches in order."""
    optimizer = torch.optim.Adam(method.parameters(), lr=config.lr, weight_decay=config.weight_decay)
    torch.manual_seed(rlap.derive_seed(config.seed, graph=NOISE))
    ends = [1] if dataset.level == "node" else batch_ends(len(dataset.graphs), config.batch_size)
    losses, step = [], 0
    for _ in range(config.epochs):
        total = 0.0
        for begin, end in zip([0, *ends], ends, strict=False):
            data = dataset.data if dataset.level == "node" else as_batch(type(dataset)(dataset.graphs[begin:end]))
            with seeds_from(rlap.derive_seed(config.seed, view=step, graph=VIEWS)):
                one, other = method.views(data)
            optimizer.zero_grad()
            loss = method(one, other)
            loss.backward()
            optimizer.step()
            method.after_step(step, config.epochs * len(ends))
            total, step = total + loss.item(), step + 1
        losses.append(total / len(ends))
    return losses


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_the_loop_written_out(kind):
    dataset = KINDS[kind]()
    config = TrainConfig(lr=1e-2, epochs=7, batch_size=4, seed=3, protocol="paper")
    plain, trained = make(dataset), make(dataset)
    expected = by_hand(plain, dataset, config)
    result = train(trained, dataset, config)
    assert result.losses == expected
    assert torch.equal(weights(trained), weights(plain))
    assert trained.steps == plain.steps
    assert (result.epochs, result.stopped) == (7, "epochs")
    assert result.best_epoch == 1 + min(range(7), key=expected.__getitem__)


@pytest.mark.parametrize("kind", KINDS)
def test_same_seed_same_result_and_the_callers_generator_is_left_alone(kind):
    dataset = KINDS[kind]()
    runs = {}
    for name, seed in (("one", 0), ("same", 0), ("other", 1)):
        method = make(dataset)
        torch.manual_seed(99 if name == "same" else 5)
        before = torch.get_rng_state()
        result = train(method, dataset, TrainConfig(epochs=5, batch_size=4, seed=seed))
        assert torch.equal(torch.get_rng_state(), before)
        runs[name] = (result.losses, weights(method))
    assert runs["one"][0] == runs["same"][0] != runs["other"][0]
    assert torch.equal(runs["one"][1], runs["same"][1])


class Scripted(nn.Module):
    """A method whose losses are given, and whose weight counts the steps."""

    def __init__(self, losses):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(()))
        self.register_buffer("count", torch.zeros(()))
        self.losses, self.views = losses, T.TwoViews(T.Identity())

    def forward(self, one, other):
        return self.weight * 0 + self.losses[int(self.count)]

    def after_step(self, step, steps):
        self.count += 1

    def embed(self, data):
        return data.x


@pytest.mark.parametrize(("protocol", "kept"), [("clean", 2), ("paper", 5)])
def test_patience_and_which_weights_stay(protocol, kept):
    """The best is epoch 2; an equal loss is no better; three epochs later it is over."""
    method = Scripted([3.0, 1.0, 2.0, 1.0, 1.5, 0.0, 0.0])
    result = train(method, nodes(), TrainConfig(epochs=7, patience=3, protocol=protocol))
    assert (result.losses, result.best_epoch, result.stopped) == ([3.0, 1.0, 2.0, 1.0, 1.5], 2, "patience")
    assert int(method.count) == kept
    assert not method.training


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_loss_that_is_no_number_is_explained(bad):
    with pytest.raises(Diverged, match=rf"became {bad} in epoch 3; the last finite loss was 2: try a lower lr"):
        train(Scripted([3.0, 2.0, bad]), nodes(), TrainConfig(epochs=7))
    with pytest.raises(Diverged, match=r"in epoch 1; there was none before: look for features"):
        train(Scripted([bad]), nodes(), TrainConfig(epochs=7))


def test_graphs_are_shuffled_from_the_seed_and_left_in_order_for_the_paper():
    dataset = graphs(11)
    seen = {}
    for name, options in (("a", {}), ("b", {}), ("c", {"seed": 1}), ("paper", {"protocol": "paper"})):
        method = make(dataset)
        train(method, dataset, TrainConfig(epochs=3, batch_size=4, **options))
        seen[name] = method.batches
        per_epoch = [[*chain(*method.batches[at : at + 3])] for at in (0, 3, 6)]
        assert all(sorted(epoch) == list(range(11)) for epoch in per_epoch)
        orders = {tuple(epoch) for epoch in per_epoch}
        assert len(orders) == (1 if name == "paper" else 3)
    assert seen["a"] == seen["b"] != seen["c"]
    assert seen["paper"][0] == [0, 1, 2, 3]


def test_no_graph_is_left_alone():
    assert batch_ends(9, 4) == [4, 9]
    assert batch_ends(8, 4) == [4, 8]
    assert batch_ends(3, 1) == [1, 2, 3]
    with pytest.raises(ValueError, match="must have a graph"):
        Steps(graphs(0), TrainConfig())


@pytest.mark.parametrize("kind", KINDS)
def test_embed_is_the_whole_set_in_order(kind):
    dataset = KINDS[kind]()
    method = make(dataset)
    train(method, dataset, TrainConfig(epochs=2, batch_size=4))
    with torch.no_grad():
        expected = method.embed(dataset.data if kind == "node" else as_batch(dataset))
    method.train()
    before = torch.get_rng_state()
    found = embed(method, dataset, TrainConfig(batch_size=4))
    # Batches of another size are multiplied in another order: a few units in the last place.
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-6)
    assert torch.equal(torch.get_rng_state(), before)
    assert method.training
    assert not found.requires_grad


def test_an_embedding_of_random_views_follows_the_seed():
    dataset = nodes()
    method = make(dataset)
    plain = method.embed
    method.embed = lambda data: plain(method.views(data)[0])
    method.eval()
    one, same, other = (embed(method, dataset, TrainConfig(seed=seed)) for seed in (0, 0, 1))
    assert torch.equal(one, same)
    assert not torch.equal(one, other)


def test_watching_and_evaluating_change_nothing():
    dataset, config = nodes(), TrainConfig(epochs=6)
    plain = make(dataset)
    alone = train(plain, dataset, config)

    def accuracy(method):
        assert not method.training
        torch.rand(3)
        return 0.25 * len(method.steps)

    method, seen = make(dataset), []
    result = train(method, dataset, config, progress=seen.append, evaluate=accuracy, evaluate_every=2)
    assert result.losses == alone.losses
    assert torch.equal(weights(method), weights(plain))
    assert result.accuracies == [(2, 0.5), (4, 1.0), (6, 1.5)]
    assert [epoch.number for epoch in seen] == [1, 2, 3, 4, 5, 6]
    assert [epoch.loss for epoch in seen] == result.losses
    assert [epoch.accuracy for epoch in seen] == [None, 0.5, 0.5, 1.0, 1.0, 1.5]
    assert seen[-1].patience_left == 50 - (6 - result.best_epoch)
    with pytest.raises(ValueError, match=r"evaluate_every must be at least 1 \(got 0\)"):
        train(method, dataset, config, evaluate=accuracy, evaluate_every=0)


def test_the_bar_says_the_numbers(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "160")
    with progress_bar(10, "grace") as watch:
        watch(Epoch(4, 10, loss=2.5, best_loss=2.25, patience_left=49, accuracy=0.875))
    shown = capsys.readouterr().err
    for words in ("grace", "4/10", "loss 2.5000 (best 2.2500), patience 49, accuracy 87.5 %", "at most"):
        assert words in "".join(shown.splitlines()), shown


def test_features_that_are_no_numbers_are_found():
    data = ring(10)
    data.x[3, 2] = math.nan
    with pytest.raises(Diverged, match="features"):
        train(make(nodes()), Nodes(data), TrainConfig(epochs=2))


REFUSED = {
    "lr": (0.0, "lr must be positive and finite (got 0.0)"),
    "weight_decay": (-1.0, "weight_decay must be finite and not negative (got -1.0)"),
    "epochs": (0, "epochs must be at least 1 (got 0)"),
    "batch_size": (0, "batch_size must be at least 1 (got 0)"),
    "seed": (-1, "seed must lie in [0, 2**64) (got -1)"),
    "protocol": ("dirty", "protocol must be clean or paper (got 'dirty')"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_numbers_that_make_no_sense(name):
    value, rule = REFUSED[name]
    with pytest.raises(ValueError) as problem:  # noqa: PT011
        TrainConfig(**{name: value})
    assert str(problem.value) == rule


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is one")
def test_a_device_that_is_not_there():
    assert find_device("cpu") == torch.device("cpu")
    with pytest.raises(ValueError, match=r"cpu, and 0 of CUDA \(got 'cuda'\)"):
        train(make(nodes()), nodes(), TrainConfig(device="cuda"))
    for name in ("tpu", "cpu:1", "cuda:one", ""):
        with pytest.raises(ValueError, match=r"device must be cpu, cuda or cuda:N"):
            find_device(name)

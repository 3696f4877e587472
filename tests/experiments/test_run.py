"""One run against the same by hand."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from rlap import datasets, methods
from rlap.evaluation import evaluate
from rlap.experiments import make_config, run
from rlap.training import embed, embed_draw, train

SMALL = ["hidden=8", "epochs=3", "batch_size=64"]


@pytest.mark.parametrize(("method", "name"), [("grace", "digits"), ("graphcl", "families")])
@pytest.mark.parametrize("protocol", ["clean", "paper"])
def test_it_is_train_embed_and_evaluate(method, name, protocol):
    config = make_config(method, name, words=SMALL, protocol=protocol, seed=5, splits=2)
    state = torch.get_rng_state()
    result = run(config, accuracy_every=2)
    assert torch.equal(torch.get_rng_state(), state)

    dataset = datasets.load(name, features=config.features)
    torch.manual_seed(5)
    by_hand = methods.build(config.method, dataset.num_features)
    training = train(by_hand, dataset, config.train)
    embedding = embed(by_hand, dataset, config.train)
    scores = evaluate(embedding, dataset.labels, dataset.level, protocol=protocol, splits=2, seed=5)
    assert result.training.losses == training.losses
    assert torch.equal(result.embedding, embedding)
    np.testing.assert_array_equal(result.scores.accuracy, scores.accuracy)
    assert [epoch for epoch, _ in result.training.accuracies] == [2]


@pytest.mark.parametrize("part", ["test", "val"])
@pytest.mark.parametrize(("method", "name"), [("mvgrl", "digits"), ("bgrl", "families")])
def test_views_that_are_embedded_are_new_for_every_split(method, name, part):
    """As the paper's scripts do it. The first draw is the run's embedding."""
    config = make_config(method, name, words=SMALL, protocol="paper", seed=5, splits=3)
    result = run(config, part=part)
    dataset = datasets.load(name, features=config.features)
    drawn = [embed_draw(result.method, dataset, config.train, number) for number in range(3)]
    assert torch.equal(drawn[0], result.embedding)
    assert not torch.equal(drawn[1], drawn[2])
    for split, embedding in enumerate(drawn):
        alone = evaluate(embedding, dataset.labels, dataset.level, "paper", splits=3, seed=5, part=part)
        assert result.scores.accuracy[split] == pytest.approx(alone.accuracy[split], abs=0.02)  # Adam's rounding


@pytest.mark.parametrize("method", methods.names())
def test_every_method_learns_and_resumes_exactly(method, tmp_path):
    """An interrupted run of every design: its target networks, buffers and noise are all in the checkpoint."""
    name = "digits" if methods.level(method) == "node" else "families"
    config = make_config(method, name, words=["hidden=8", "epochs=4", "batch_size=100"], splits=2)
    whole = run(config)

    def interrupt(epoch):
        if epoch.number == 2:
            raise KeyboardInterrupt

    path = tmp_path / "run.pt"
    dataset = datasets.load(name, features=config.features)
    torch.manual_seed(0)
    victim = methods.build(config.method, dataset.num_features)
    with pytest.raises(KeyboardInterrupt):
        train(victim, dataset, config.train, checkpoint=path, checkpoint_seconds=0, progress=interrupt)
    resumed = run(config, checkpoint=path, resume=True)
    assert resumed.training.losses == whole.training.losses
    assert torch.equal(resumed.embedding, whole.embedding)

"""The leak: generated sets in which nothing but the batch can tell the label."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch_geometric.data import Data

from rlap.datasets import GraphSet, graph_splits, load
from rlap.evaluation import evaluate, evaluate_each
from rlap.experiments.batches import batch_ceiling, count_batches, majority, mask_ceiling, one_hot_batches
from rlap.experiments.config import make_config
from rlap.experiments.kinds import Bench
from rlap.experiments.leak import REFERENCE, WAYS, Case, compute, leak_job
from rlap.experiments.method_job import config_of, method_job
from rlap.experiments.results import changes
from rlap.experiments.single_run import build, run
from rlap.experiments.targets import Choice, expand

SIZE, COUNT = 50, 1000
SORTED = torch.arange(COUNT).ge(540).long()  # the border lies inside a batch: 40 graphs of one class, 10 of the other


def chance_bound(count):
    """What a score at chance stays below: z = 4.5 for a single split, whose test part has a tenth of the graphs."""
    return 0.5 + 4.5 * np.sqrt(0.25 / (count / 10))


def test_the_oracle_on_a_sorted_set_has_the_accuracy_of_pure_batches():
    found = evaluate(one_hot_batches(COUNT, SIZE), SORTED, "graph", "paper").accuracy
    # By hand: all are right but the 10 graphs of the second class in the mixed batch, numbers 540 to 549.
    wrong = [np.isin(split.test.numpy(), np.arange(540, 550)).mean() for split in graph_splits(SORTED, "paper")]
    np.testing.assert_allclose(found, 1 - np.array(wrong), atol=1e-12)
    assert batch_ceiling(count_batches(SORTED, SIZE)) == pytest.approx(990 / 1000)
    assert majority(count_batches(SORTED, SIZE)) == pytest.approx(540 / 1000)


def test_the_oracle_on_a_shuffled_set_is_at_chance():
    labels = (torch.arange(COUNT) % 2)[torch.randperm(COUNT, generator=torch.Generator().manual_seed(0))]
    found = evaluate(one_hot_batches(COUNT, SIZE), labels, "graph", "paper").accuracy
    assert abs(found.mean() - 0.5) < chance_bound(COUNT) - 0.5


def test_masks_tell_batches_apart_as_often_as_they_differ():
    # Two pure batches, one column, two views: the masks of both are the same with probability (0.7² + 0.3²)², and then
    # half of the graphs are right.
    draws, same = 4000, 0.58**2
    mean, std = mask_ceiling([[10, 0], [0, 10]], columns=1, draws=draws)
    assert abs(mean - (1 - same / 2)) < 4.5 * 0.5 * np.sqrt(same * (1 - same) / draws)
    assert std == pytest.approx(0.5 * np.sqrt(same * (1 - same)), rel=0.1)
    assert mask_ceiling([[10, 3], [8, 7]], columns=5)[0] == pytest.approx(18 / 28)  # masks cannot help


def alike(count, size, splits):
    """Make a case of a sorted set whose graphs are all the same triangle: none of them can tell its label."""
    edges = torch.tensor([[0, 1, 0, 2, 1, 2], [1, 0, 2, 0, 2, 1]])
    labels = torch.arange(count).ge(count // 2).long()
    graphs = [Data(x=torch.ones(3, 8), edge_index=edges, y=label[None]) for label in labels]
    words = [f"batch_size={size}", "hidden=8", "gamma1=0.0", "gamma2=0.0", f"splits={splits}"]
    config = make_config("bgrl", "families", words=words, protocol="paper")
    return Case(config, GraphSet("alike", graphs, 2), build(config.method, 8, seed=0), lambda: None)


def test_masks_of_a_batch_tell_the_label_of_graphs_that_are_all_the_same():
    case = alike(400, 20, 1)  # two masks of eight columns each: batches hardly share one
    scores = {way: WAYS[way](case).accuracy.mean() for way in ("shuffled", "unmasked", "clean")}
    assert case.score_draws(case.method).accuracy.mean() > 0.9
    # Nothing is left to tell them apart. Test parts are 40 graphs.
    assert all(scores[way] < chance_bound(400) < 0.9 for way in ("shuffled", "unmasked", "clean")), scores


def test_every_split_has_views_of_its_own():
    case = alike(40, 20, 3)
    first, second, third = case.draws(case.method)
    assert not torch.equal(first, second)
    assert not torch.equal(second, third)
    for batch in first.split(20):
        assert len(batch.unique(dim=0)) == 1
    mixed = next(case.draws(case.method, shuffled=True))
    assert len(mixed[:20].unique(dim=0)) == 2


def test_each_embedding_has_the_split_of_its_number():
    rng = torch.Generator().manual_seed(0)
    some = [torch.randn(COUNT, 4, generator=rng) + 0.3 * SORTED[:, None] for _ in range(2)]
    each = evaluate_each(some, SORTED, "graph", "paper", seed=5)
    for number, one in enumerate(some):
        alone = evaluate(one, SORTED, "graph", "paper", splits=2, seed=5)
        assert each.accuracy[number] == pytest.approx(alone.accuracy[number], abs=1 / 100)  # rounding may turn a graph
    with pytest.raises(ValueError, match="at least one embedding"):
        evaluate_each([], SORTED, "graph")


WORDS = ["epochs=1", "hidden=4", "splits=1", "batch_size=100"]


def test_a_job_has_all_ways_and_begins_like_a_run_of_the_design(tmp_path):
    job = leak_job("families", "rLap", 0, WORDS)
    result = compute(job, Bench(None, tmp_path / "run.pt", lambda fraction, words: None))
    assert set(result["ways"]) == {REFERENCE, *WAYS}
    assert all(len(scores["accuracy"]) == 1 for scores in result["ways"].values())
    assert np.array(result["batches"]).sum() == 300
    assert len(result["batches"]) == 3
    trained = run(config_of(job))
    case = Case(trained.config, load("families"), trained.method, lambda: None)
    first, [again] = result["ways"][REFERENCE]["accuracy"][0], case.score_draws(case.method).accuracy
    assert first == pytest.approx(again, abs=1 / 30)
    assert result["ways"][REFERENCE] == result["scores"]


def test_the_target_trains_what_the_table_of_bgrl_has():
    jobs = expand(["leak"], Choice(seeds=2))
    table = {job.dataset: job for job in expand(["bgrl"], Choice(augmentors=["rLap"], protocol="paper", seeds=1))}
    assert len(jobs) == 10
    for job in jobs[:5]:
        assert job.settings == table[job.dataset].settings
        assert changes(job) == ""
    assert changes(leak_job("MUTAG", "rLap", 1, ["epochs=2"])) == "epochs=2"
    [trial] = expand(["leak"], Choice(datasets=["MUTAG"], seeds=1, words=["epochs=2"]))
    assert trial.settings == method_job("bgrl", "MUTAG", "rLap", "paper", 0, ["epochs=2"]).settings

"""Jobs of the kind "leak": how much of BGRL's accuracy comes from the batch that a graph happens to be embedded in.

The paper's scripts embed graphs in the order of the files, which is that of the labels, and mask the same columns of
the features in all graphs of a batch. What is common to a batch then tells its label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from rlap import datasets
from rlap.datasets import GraphSet
from rlap.evaluation import Scores, evaluate, evaluate_each
from rlap.evaluation.scores import METRICS
from rlap.experiments.batches import count_batches, one_hot_batches
from rlap.experiments.config import RunConfig
from rlap.experiments.job import Job
from rlap.experiments.kinds import Bench
from rlap.experiments.method_job import config_of, method_job, run_job, summary
from rlap.experiments.single_run import build
from rlap.methods import Blueprint
from rlap.schur import derive_seed
from rlap.training import embed, embed_draw
from rlap.training.steps import SHUFFLES


def leak_job(dataset: str, augmentor: str, seed: int, words: Iterable[str] = ()) -> Job:
    """Describe one training of BGRL under the protocol `paper`, and the ways in which it is evaluated.

    Example:
        >>> job = leak_job("MUTAG", "rLap", seed=0)
        >>> job.protocol, job.settings["method"]["method"], job.settings["train"]["batch_size"]
        ('paper', 'bgrl', 128)
    """
    trained = method_job("bgrl", dataset, augmentor, "paper", seed, words)
    return replace(trained, kind="leak", method="leak")


def compute(job: Job, bench: Bench) -> dict[str, Any]:
    """Train once, and score the embedding as the scripts do and in every one of `WAYS`.

    The result is that of a run of the design, with `ways`, the scores by way, and `batches`, which has for every batch
    of the evaluation how many graphs it has of each class.
    """
    config = config_of(job)
    dataset = datasets.load(config.dataset, bench.folder, features=config.features)
    assert dataset.level == "graph"  # since BGRL embeds graphs
    result = run_job(config, bench)
    ways = {REFERENCE: _plain(result.scores)}
    for number, (name, way) in enumerate(WAYS.items()):
        case = Case(config, dataset, result.method, _watched(bench, name, number / len(WAYS)))
        ways[name] = _plain(way(case))
    return summary(result) | {"ways": ways, "batches": count_batches(dataset.labels, config.train.batch_size)}


@dataclass(frozen=True)
class Case:
    """A trained method and the data set that it is evaluated on. `watch` is called before every embedding."""

    config: RunConfig
    dataset: GraphSet
    method: Blueprint
    watch: Callable[[], None]

    def score(self, embedding: Tensor) -> Scores:
        """Score an embedding in which nothing is random."""
        config = self.config
        return evaluate(
            embedding, self.dataset.labels, "graph", config.protocol, splits=config.splits, seed=config.train.seed
        )

    def score_draws(self, method: Blueprint, *, shuffled: bool = False) -> Scores:
        """Score embeddings of augmented graphs, a new one for every split."""
        drawn = list(self.draws(method, shuffled=shuffled))
        return evaluate_each(drawn, self.dataset.labels, "graph", self.config.protocol, self.config.train.seed)

    def draws(self, method: Blueprint, *, shuffled: bool = False) -> Iterator[Tensor]:
        """Embed the set anew for every split, as the scripts do. The first draw is that of a run of the design."""
        seed = self.config.train.seed
        for split in range(self.config.splits):
            self.watch()
            chosen = derive_seed(seed, view=split, graph=SHUFFLES)
            order = torch.randperm(len(self.dataset.graphs), generator=torch.Generator().manual_seed(chosen))
            yield embed_draw(method, self.dataset, self.config.train, split, order if shuffled else None)

    def like(self, **changes: Any) -> Blueprint:
        """Build a method with other settings and the trained weights."""
        made = self.untrained(**changes)
        made.load_state_dict(self.method.state_dict())
        return made

    def untrained(self, **changes: Any) -> Blueprint:
        """Build a method as it was before training."""
        return build(replace(self.config.method, **changes), self.dataset.num_features, self.config.train.seed)


def _unmasked(case: Case) -> Scores:
    return case.score_draws(case.like(feature_masking=0.0))


def _shuffled(case: Case) -> Scores:
    return case.score_draws(case.method, shuffled=True)


def _clean(case: Case) -> Scores:
    method = case.like()
    method.embedding = "clean"  # side by side with itself, so that the probe has the same width
    case.watch()
    return case.score(embed(method, case.dataset, case.config.train))


def _oracle(case: Case) -> Scores:
    return case.score(one_hot_batches(len(case.dataset.graphs), case.config.train.batch_size))


def _untrained(case: Case) -> Scores:
    return case.score_draws(case.untrained())


# Augmented, in the order of the files, new for every split: what the scripts do, and so what the run itself has done.
REFERENCE = "reference"

# All have the same splits, the same probe and, but for the last two, the same weights. What differs is the embedding.
WAYS: Mapping[str, Callable[[Case], Scores]] = {
    "unmasked": _unmasked,  # the reference, and no features are masked
    "shuffled": _shuffled,  # augmented, in batches of graphs drawn at random
    "clean": _clean,  # the graphs as they are
    "untrained": _untrained,  # the reference, before training
    "oracle": _oracle,  # the number of the batch, and no graph at all
}


def _watched(bench: Bench, name: str, fraction: float) -> Callable[[], None]:
    return lambda: bench.watch(fraction, f"evaluating: {name}")


def _plain(scores: Scores) -> dict[str, list[float]]:
    return {metric: scores.of(metric).tolist() for metric in METRICS}  # type: ignore[arg-type]

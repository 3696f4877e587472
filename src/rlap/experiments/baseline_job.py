"""Jobs of the kind "baseline": one of `rlap.baselines` on the splits of a data set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlap import baselines, datasets
from rlap.baselines.registry import Level
from rlap.datasets.registry import canonical
from rlap.evaluation.scores import METRICS
from rlap.experiments.config import scripts_features
from rlap.experiments.job import Job
from rlap.experiments.kinds import Bench
from rlap.experiments.settings import typed

METHOD = "baseline"  # in the place of the design
_SHARED: Mapping[str, Any] = {"splits": 10, "features": "default"}
SETTINGS = {
    key
    for level in ("node", "graph")
    for name in baselines.names(level)
    for key in (*_SHARED, *baselines.settings(name, level))
}


def baseline_job(dataset: str, name: str, protocol: str, seed: int, settings: Mapping[str, Any] | None = None) -> Job:
    """Describe a run of a baseline. Of the settings it takes those that it has.

    Features are those that designs have under the protocol.

    Example:
        >>> job = baseline_job("Cora", "GCN", "paper", 1, {"epochs": 5, "rounds": 3})
        >>> job.settings["epochs"], job.settings["features"], "rounds" in job.settings
        (5, 'normalized', False)
    """
    known = canonical(dataset)
    features = scripts_features(known) if protocol == "paper" else "default"
    usual = {**_SHARED, "features": features, **baselines.settings(name, _level(known))}
    given = {key: typed(key, value, type(usual[key])) for key, value in (settings or {}).items() if key in usual}
    return Job("baseline", known, METHOD, name, protocol, seed, {**usual, **given})


def compute(job: Job, bench: Bench) -> dict[str, Any]:
    """Run a baseline; those that are trained go on from the checkpoint where there is one."""
    settings = dict(job.settings)
    features, splits = settings.pop("features"), settings.pop("splits")
    dataset = datasets.load(job.dataset, bench.folder, features=features, sparse_features=True)
    outcome = baselines.run(
        job.augmentor,
        dataset,
        protocol=job.protocol,  # type: ignore[arg-type]
        splits=splits,
        seed=job.seed,
        watch=bench.watch,
        checkpoint=bench.checkpoint,
        **settings,
    )
    scores = {metric: outcome.scores.of(metric).tolist() for metric in METRICS}  # type: ignore[arg-type]
    return {"scores": scores, **outcome.notes}


def _level(dataset: str) -> Level:
    return "node" if dataset in datasets.names("node") else "graph"

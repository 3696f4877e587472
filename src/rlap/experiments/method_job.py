"""Jobs of the kind "method": train a design with an augmentor, and evaluate its embedding."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from rlap.evaluation.scores import METRICS
from rlap.experiments.config import RunConfig, make_config
from rlap.experiments.job import Job
from rlap.experiments.kinds import Bench, Stop
from rlap.experiments.single_run import RunResult, run
from rlap.training import Epoch, StopTraining
from rlap.training.checkpoint import from_checkpoint
from rlap.training.progress import describe

_SUBGRAPH, _WHOLE = "PPRSubgraph", "PPRDiffusion"


def method_job(
    method: str, dataset: str, augmentor: str, protocol: str, seed: int, words: Iterable[str] = (), **given: Any
) -> Job:
    """Describe a run of a design, with the paper's hyper-parameters where nothing else is said.

    The augmentor PPRSubgraph has its size behind its name, as PPRSubgraph-8192. Under "paper" it is what the scripts
    do: PPR of the whole graph, and both views between so many nodes.

    Example:
        >>> job = method_job("grace", "Cora", "rLap", "clean", seed=1, words=["epochs=5"])
        >>> job.dataset, job.settings["train"]["epochs"], job.settings["train"]["lr"]
        ('CORA', 5, 0.0001)
    """
    name, _, size = augmentor.partition("-")
    if name == _SUBGRAPH and size and protocol == "paper":
        name, given = _WHOLE, {"subgraph": int(size), **given}
    elif name == _SUBGRAPH and size:
        given = {"options": {"size": int(size)}, **given}
    else:
        name = augmentor
    config = make_config(method, dataset, words=words, augmentor=name, protocol=protocol, seed=seed, **given)
    return Job("method", config.dataset, method, augmentor, protocol, seed, config.to_dict())


def config_of(job: Job) -> RunConfig:
    """Give the configuration that a job of this kind has in its settings."""
    settings = dict(job.settings)
    method, train = settings.pop("method"), settings.pop("train")
    return make_config(**{**train, **method, **settings})


def compute(job: Job, bench: Bench) -> dict[str, Any]:
    """Train, embed and evaluate; go on from the checkpoint where there is one."""
    return summary(run_job(config_of(job), bench))


def run_job(config: RunConfig, bench: Bench, part: Literal["test", "val"] = "test") -> RunResult:
    """Make a run on a bench: from its checkpoint where there is one, and until it says to stop.

    Scored are the test parts of the splits, or those for validation.
    """

    def watch(epoch: Epoch) -> None:
        try:
            bench.watch(epoch.number / epoch.epochs, f"epoch {epoch.number}: {describe(epoch)}")
        except Stop as stop:
            raise StopTraining from stop

    def attempt() -> RunResult:
        return run(config, folder=bench.folder, checkpoint=bench.checkpoint, resume=True, progress=watch, part=part)

    try:
        return from_checkpoint(bench.checkpoint, attempt)
    except StopTraining as stop:
        raise Stop from stop


def summary(result: RunResult) -> dict[str, Any]:
    """Give the scores of every split, and how training went, in plain values."""
    training = result.training
    return {
        "scores": {metric: result.scores.of(metric).tolist() for metric in METRICS},  # type: ignore[arg-type]
        "epochs": training.epochs,
        "best_epoch": training.best_epoch,
        "stopped": training.stopped,
        "training_seconds": training.seconds,
        "first_loss": training.losses[0],
        "best_loss": min(training.losses),
        "last_loss": training.losses[-1],
        "width": int(result.embedding.shape[1]),
    }

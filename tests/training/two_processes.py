"""What torchrun starts twice: trains, and writes what each process saw. `trained` is what one process does, too."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import torch

from rlap import datasets
from rlap.datasets import GraphSet
from rlap.experiments.single_run import build
from rlap.methods import MethodConfig
from rlap.training import StopTraining, TrainConfig, train
from rlap.training.distributed import World, launched
from rlap.training.distributed.sharing import sharing
from rlap.training.loaded_steps import make_steps

GRAPHS = TrainConfig(lr=1e-2, epochs=4, batch_size=9, seed=1)
LOADED = TrainConfig(lr=1e-2, epochs=3, batch_size=600, seed=1, loader="schur", pieces=3)


@dataclass(frozen=True)
class Case:
    """A method, and how it is trained."""

    method: MethodConfig
    config: TrainConfig


CASES = {
    "graphcl": Case(MethodConfig("graphcl", hidden=8), GRAPHS),
    "bgrl": Case(MethodConfig("bgrl", hidden=8), GRAPHS),
    "scripts": Case(MethodConfig("bgrl", hidden=8, protocol="paper"), TrainConfig(epochs=2, protocol="paper")),
    "patience": Case(MethodConfig("graphcl", hidden=8), TrainConfig(lr=0.1, epochs=40, patience=2, batch_size=9)),
    "grace": Case(MethodConfig("grace", hidden=8), LOADED),
    "bgrl-l2l": Case(MethodConfig("bgrl-l2l", hidden=8), LOADED),
    "mvgrl": Case(MethodConfig("mvgrl", hidden=8), LOADED),
    "dgi": Case(MethodConfig("dgi", hidden=8), LOADED),
}
CLI = ["train", "grace", "--dataset", "digits", "--loader", "schur", "--batch-size", "900", "--splits", "2", "--quiet"]
CLI += ["--set", "pieces=2", "--set", "epochs=2", "--set", "hidden=8"]


@cache
def data_of(loaded: bool) -> Any:
    """Give 24 graphs, or the digits."""
    if loaded:
        return datasets.load("digits")
    families = datasets.load("families")
    return GraphSet("families", families.graphs[:24], families.num_classes)


def trained(name: str, **options: Any) -> dict[str, Any]:
    """Train a case, and say how it went."""
    case = CASES[name]
    data = data_of(case.config.loader is not None)
    method = build(case.method, data.num_features, seed=0)
    result = train(method, data, case.config, **options)
    weights = torch.cat([value.double().flatten() for value in method.state_dict().values()])
    return {**asdict(result), "seconds": 0.0, "weights": weights.tolist()}


def gradients(name: str, here: World) -> list[list[float]]:
    """Give those of the first step."""
    case = CASES[name]
    data = data_of(case.config.loader is not None)
    method = build(case.method, data.num_features, seed=0)
    views = make_steps(data, case.config, here).views(method, 0)
    torch.manual_seed(0)
    with sharing(method, here) as loss_of:
        loss_of(*views).backward()
    return [weight.grad.flatten().tolist() for weight in method.parameters() if weight.requires_grad]


def stop_after(epochs: int) -> Any:
    """Make a watcher that ends training."""

    def watch(epoch: Any) -> None:
        if epoch.number == epochs:
            raise StopTraining

    return watch


def main(folder: Path) -> None:
    """Train all cases; stop one in the middle; go on with what one process began; use the command line."""
    from rlap.cli import main as rlap

    torch.set_num_threads(1)
    with launched() as here:
        found: dict[str, Any] = {name: trained(name) for name in CASES}
        found["gradients"] = {name: gradients(name, here) for name in CASES}
        try:
            trained("bgrl", checkpoint=folder / "by_two.pt", progress=stop_after(2))
            stopped = False
        except StopTraining:
            stopped = True
        found["by_one"] = trained("bgrl", checkpoint=folder / "by_one.pt", resume=True)
        sys.argv = ["rlap", *CLI, "--out", str(folder / "out")]
        try:
            rlap()
        except SystemExit as end:
            found["cli"] = end.code
        found |= {"stopped": stopped, "size": here.size}
        (folder / f"{here.rank}.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

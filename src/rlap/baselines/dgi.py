"""Deep Graph Infomax (Velickovic et al. 2019), as its authors have it: the graph itself, and no masks."""

from __future__ import annotations

from rlap import methods
from rlap.baselines.contrastive import train_and_probe
from rlap.baselines.task import Outcome, Task
from rlap.methods import MethodConfig
from rlap.training import TrainConfig


def dgi(
    task: Task,
    *,
    hidden: int = 512,
    layers: int = 1,
    lr: float = 1e-3,
    weight_decay: float = 0.0,
    epochs: int = 2000,
    patience: int = 20,
) -> Outcome:
    """Train DGI, and evaluate its embedding."""
    config = MethodConfig("dgi", augmentor="Identity", feature_masking=0.0, hidden=hidden, layers=layers)
    training = TrainConfig(lr=lr, weight_decay=weight_decay, epochs=epochs, patience=patience, seed=task.seed)
    return train_and_probe(task, lambda: methods.build(config, task.dataset.num_features), training)

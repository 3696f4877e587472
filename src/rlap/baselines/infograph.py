"""InfoGraph (Sun et al. 2020): graphs against the nodes of the same batch."""

from __future__ import annotations

from rlap.baselines.contrastive import train_and_probe
from rlap.baselines.task import Outcome, Task
from rlap.contrast import GlobalLocal
from rlap.losses import JSD
from rlap.methods import Blueprint
from rlap.models import GIN, projector
from rlap.training import TrainConfig
from rlap.transforms import Identity, TwoViews


def infograph(
    task: Task,
    *,
    hidden: int = 32,
    layers: int = 3,
    lr: float = 1e-3,
    weight_decay: float = 0.0,
    epochs: int = 200,
    patience: int = 20,
    batch_size: int = 128,
) -> Outcome:
    """Train InfoGraph, and evaluate its embedding: the sums of nodes in all layers."""
    training = TrainConfig(
        lr=lr, weight_decay=weight_decay, epochs=epochs, patience=patience, batch_size=batch_size, seed=task.seed
    )
    return train_and_probe(task, lambda: build(task.dataset.num_features, hidden, layers), training)


def build(in_features: int, hidden: int, layers: int) -> Blueprint:
    """Make the design: one GIN, both projectors, g-l, JSD, and the graph itself for both views.

    Example:
        >>> build(5, hidden=8, layers=2).level
        'graph'
    """
    encoder = GIN(in_features, hidden, layers, jump=True)
    return Blueprint(
        TwoViews(Identity(), Identity()),
        (encoder,),
        GlobalLocal(),
        JSD(),
        level="graph",
        node_projector=projector(encoder.out_features, "relu"),
        graph_projector=projector(encoder.out_features, "relu"),
        aggregation="add",
    )

"""The embedding of a whole data set by a trained method: `embed`."""

from __future__ import annotations

import copy
from dataclasses import replace

import torch
from torch import Tensor
from torch_geometric.data import Batch

from rlap.adapters.torch import seeds_from
from rlap.schur import derive_seed
from rlap.training.config import TrainConfig, find_device
from rlap.training.parts import GraphData, NodeData, Trainable
from rlap.training.steps import DRAWS, EMBEDDING


def embed(method: Trainable, dataset: NodeData | GraphData, config: TrainConfig, order: Tensor | None = None) -> Tensor:
    """Embed all nodes of a node set, or all graphs of a graph set, in their order; the result is on the CPU.

    Graphs go through in batches of `config.batch_size`. Methods that embed augmented graphs, as under the `paper`
    protocol, take their randomness from `config.seed`; torch's global generator is left as it was.

    With an `order`, a permutation of the graphs, batches are cut from the graphs in that order. The result is in the
    order of the data set all the same. It matters to methods for which graphs of one batch have something in common.

    Raises:
        ValueError: when the order is no permutation, or there are no graphs to order.

    Example:
        >>> import rlap.datasets, rlap.methods
        >>> digits = rlap.datasets.load("digits")
        >>> grace = rlap.methods.build(rlap.methods.MethodConfig("grace", hidden=8), digits.num_features)
        >>> embed(grace, digits, TrainConfig()).shape
        torch.Size([1797, 8])
    """
    device = find_device(config.device)
    places = _places(dataset, order)
    seed = derive_seed(config.seed, graph=EMBEDDING)
    was_training = method.training
    forked = torch.random.fork_rng(devices=[device] if device.type == "cuda" else [])
    with forked, seeds_from(seed), torch.no_grad():
        torch.manual_seed(seed)
        method.to(device)
        method.train(False)
        try:
            if dataset.level == "node":
                return method.embed(copy.copy(dataset.data).to(device)).cpu()  # PyG moves a graph in place
            parts = [
                method.embed(Batch.from_data_list([dataset.graphs[graph] for graph in batch.tolist()]).to(device)).cpu()
                for batch in places.split(config.batch_size)
            ]
            return torch.cat(parts)[places.argsort()]
        finally:
            method.train(was_training)


def embed_draw(
    method: Trainable,
    dataset: NodeData | GraphData,
    config: TrainConfig,
    number: int,
    order: Tensor | None = None,
) -> Tensor:
    """Embed a data set once more, with other views, where a method embeds augmented graphs. Draw 0 is that of `embed`.

    Example:
        >>> import rlap.datasets, rlap.methods
        >>> digits = rlap.datasets.load("digits")
        >>> settings = rlap.methods.MethodConfig("mvgrl", hidden=8, protocol="paper")
        >>> mvgrl = rlap.methods.build(settings, digits.num_features)
        >>> first, again, second = (embed_draw(mvgrl, digits, TrainConfig(), number) for number in (0, 0, 1))
        >>> first.equal(again), first.equal(second)
        (True, False)
    """
    if number < 0:
        raise ValueError(f"number must not be negative (got {number})")
    seed = derive_seed(config.seed, view=number, graph=DRAWS) if number else config.seed
    return embed(method, dataset, replace(config, seed=seed), order)


def _places(dataset: NodeData | GraphData, order: Tensor | None) -> Tensor:
    if dataset.level == "node":
        if order is not None:
            raise ValueError("order must be None for a data set of one graph")
        return torch.arange(1)
    natural = torch.arange(len(dataset.graphs))
    if order is None:
        return natural
    if order.shape != natural.shape or not torch.equal(order.sort().values, natural):
        raise ValueError(f"order must be a permutation of {len(natural)} graphs (got shape {tuple(order.shape)})")
    return order

"""The embedding of a whole data set by a trained method: `embed`."""

from __future__ import annotations

import copy

import torch
from torch import Tensor
from torch_geometric.data import Batch

from rlap.adapters.torch import seeds_from
from rlap.schur import derive_seed
from rlap.training.config import TrainConfig, find_device
from rlap.training.parts import GraphData, NodeData, Trainable
from rlap.training.steps import EMBEDDING


def embed(method: Trainable, dataset: NodeData | GraphData, config: TrainConfig) -> Tensor:
    """Embed all nodes of a node set, or all graphs of a graph set, in their order; the result is on the CPU.

    Graphs go through in batches of `config.batch_size`. Methods that embed augmented graphs, as under the `paper`
    protocol, take their randomness from `config.seed`; torch's global generator is left as it was.

    Example:
        >>> import rlap.datasets, rlap.methods
        >>> digits = rlap.datasets.load("digits")
        >>> grace = rlap.methods.build(rlap.methods.MethodConfig("grace", hidden=8), digits.num_features)
        >>> embed(grace, digits, TrainConfig()).shape
        torch.Size([1797, 8])
    """
    device = find_device(config.device)
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
                method.embed(Batch.from_data_list(dataset.graphs[begin : begin + config.batch_size]).to(device)).cpu()
                for begin in range(0, len(dataset.graphs), config.batch_size)
            ]
            return torch.cat(parts)
        finally:
            method.train(was_training)

"""The graph autoencoder (Kipf and Welling 2016): edges are predicted from the products of embeddings."""

from __future__ import annotations

import torch
from torch_geometric.nn import GAE

from rlap.baselines.convolution import Convolutions
from rlap.baselines.probe import probe
from rlap.baselines.task import Outcome, Task
from rlap.models import gcn_propagation, sparse_features
from rlap.schur import derive_seed

_STREAM = 101  # of random numbers, so that no other has the same


def gae(
    task: Task, *, hidden: int = 256, width: int = 128, epochs: int = 200, lr: float = 0.001, weight_decay: float = 0.0
) -> Outcome:
    """Train PyG's GAE around two graph convolutions, and evaluate its embedding.

    A tenth of the original's learning rate: with that, the first steps on a set of many words at a node, such as Photo,
    make all products so large that no gradient is left. On Cora, either rate gives some 80 %.

    Pairs that are no edges are drawn anew in every epoch, as many as there are edges. On large sparse graphs hardly any
    of them is an edge after all, so that is not looked up.
    """
    data = task.dataset.data  # type: ignore[union-attr]
    x = sparse_features(data.x)
    propagation = gcn_propagation(data.edge_index, None, data.num_nodes, torch.float32)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(derive_seed(task.seed, graph=_STREAM))
        model = GAE(Convolutions(task.dataset.num_features, hidden, width))
        optimizer = torch.optim.Adam(model.parameters(), lr=lr, weight_decay=weight_decay)
        loss = torch.zeros(())
        for epoch in range(epochs):
            task.watch(0.9 * epoch / epochs, f"epoch {epoch + 1}")
            optimizer.zero_grad(set_to_none=True)
            pairs = torch.randint(data.num_nodes, data.edge_index.shape)
            loss = model.recon_loss(model.encode(x, propagation), data.edge_index, pairs)
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            embedding = model.encode(x, propagation)
    return probe(task, embedding, epochs=epochs, last_loss=float(loss.detach()))

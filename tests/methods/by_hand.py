"""Every design's loss once more, in dense matrices, node by node as the text and the scripts describe it."""

from __future__ import annotations

import torch
from torch.nn.functional import batch_norm, elu, prelu

from tests.losses import dense


class View:
    """A view with the nodes that take part, a dense adjacency matrix between them, and their graphs."""

    def __init__(self, data, *, leaves_out, weighted):
        count = data.num_nodes
        mask = data.node_mask if leaves_out and "node_mask" in data else torch.ones(count, dtype=torch.bool)
        self.ids = mask.nonzero()[:, 0]
        full = torch.zeros(count, count, dtype=torch.float64)
        for place, (source, target) in enumerate(data.edge_index.t().tolist()):
            full[target, source] += data.edge_weight[place] if weighted and "edge_weight" in data else 1.0
        self.adjacency = full[self.ids][:, self.ids]
        self.x = data.x[self.ids]
        self.owner = data.batch[self.ids] if "batch" in data else torch.zeros(len(self.ids), dtype=torch.long)
        self.graphs = data.num_graphs if "batch" in data else 1

    def pooled(self, nodes, how):
        rows = [nodes[self.owner == graph] for graph in range(self.graphs)]
        return torch.stack([part.mean(0) if how == "mean" else part.sum(0) for part in rows])


def gcn(model, view, x=None):
    matrix = view.adjacency + torch.eye(len(view.ids), dtype=torch.float64)
    root = torch.diag(matrix.sum(1) ** -0.5)
    hidden = view.x if x is None else x
    for weight, bias, norm in zip(model.weights, model.biases, model.norms, strict=True):
        hidden = root @ matrix @ root @ hidden @ weight + bias
        hidden = standard(hidden, norm) if isinstance(norm, torch.nn.BatchNorm1d) else hidden
        hidden = prelu(hidden, model.activation.weight)
    return hidden


def standard(hidden, norm):
    return batch_norm(hidden, None, None, norm.weight, norm.bias, training=True)


def gin(model, view, kind):
    hidden, outputs = view.x, []
    for inner, outer, norm in zip(model.inner, model.outer, model.norms, strict=True):
        hidden = outer(torch.relu(inner(hidden + view.adjacency @ hidden)))
        hidden = standard(torch.relu(hidden), norm) if kind == "graphcl" else prelu(hidden, model.activation.weight)
        outputs.append(hidden)
    return torch.cat(outputs, 1) if kind == "graphcl" else standard(hidden, model.norms[-1])


def mlp(head, z, activation):
    return head[2](activation(head[0](z)))


def grace(method, one, other, *, t, scaled):
    z = [mlp(method.node_projector, gcn(method.encoders[0], view), elu) for view in (one, other)]
    both = sorted(set(one.ids.tolist()) & set(other.ids.tolist()))
    rows = [z[k][[view.ids.tolist().index(node) for node in both]] for k, view in enumerate((one, other))]
    return dense.infonce(*rows, t, scaled_positive=scaled)


def jsd_of_summaries(method, one, other, orders, project, summarize):
    """MVGRL and DGI: the summary of a view against the nodes of the other and their shuffled version."""
    encoders = [method.encoders[0], method.encoders[-1]]
    views = (one, other)
    real = [project(gcn(encoders[k], view)) for k, view in enumerate(views)]
    fake = [project(gcn(encoders[k], view, view.x[orders[k]])) for k, view in enumerate(views)]
    summary = [summarize(view.pooled(gcn(encoders[k], view), "mean")) for k, view in enumerate(views)]
    losses = []
    for k in (0, 1):
        samples = torch.cat([real[1 - k], fake[1 - k]])
        positive = torch.arange(len(samples))[None] < len(real[1 - k])
        losses.append(dense.jsd_pairs(summary[k], samples, positive, ~positive))
    return sum(losses) / 2


def graphcl(method, one, other, *, t):
    graphs = [
        mlp(method.graph_projector, view.pooled(gin(method.encoders[0], view, "graphcl"), "add"), torch.relu)
        for view in (one, other)
    ]
    return dense.infonce(*graphs, t)


def normed(head, z):
    return prelu(standard(head[0](z), head[1]), head[2].weight)


def bgrl(method, one, other, *, slip):
    target_encoder, target_projector = method.target.network
    prediction, graphs = [], []
    for view in (one, other):
        projected = normed(method.node_projector, gin(method.encoders[0], view, "bgrl"))
        prediction.append(normed(method.predictor, projected))
        seen = normed(target_projector, gin(target_encoder, view, "bgrl"))
        graphs.append(view.pooled(seen, "add").detach())
    losses = []
    for anchor, view, p in ((graphs[0], other, prediction[1]), (graphs[1], one, prediction[0])):
        cosine = dense.cosine(p, anchor[view.owner])
        per_graph = [cosine[view.owner == graph].sum() for graph in range(view.graphs)]
        losses.append(torch.stack(per_graph).mean() if slip else 2 - 2 * cosine.mean())
    return sum(losses) / 2


def bgrl_local(method, one, other):
    target_encoder, _ = method.target.network
    views = (one, other)
    slope = method.predictor[1].weight
    prediction = [mlp(method.predictor, gcn(method.encoders[0], v), lambda z: prelu(z, slope)) for v in views]
    seen = [gcn(target_encoder, view).detach() for view in views]
    both = sorted(set(one.ids.tolist()) & set(other.ids.tolist()))
    rows = [[view.ids.tolist().index(node) for node in both] for view in views]
    pairs = [(prediction[k][rows[k]], seen[1 - k][rows[1 - k]]) for k in (0, 1)]
    return 2 - sum(dense.cosine(p, s).mean() for p, s in pairs)

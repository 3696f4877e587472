"""`Blueprint`: the paper's second algorithm, of which every design is a configuration."""

from __future__ import annotations

import copy
from typing import Any, Literal

import torch
from torch import Tensor, nn

from rlap.contrast import Mode, Side
from rlap.methods.folding import can_fold, with_folded, without_last
from rlap.methods.inputs import Inputs, read_view
from rlap.models import Encoder, Target, pool, sparse_features
from rlap.transforms import TwoViews


class Blueprint(nn.Module):
    """Two views are encoded, projected and aggregated, and contrasted in a mode by an objective (Algorithm 2).

    Called with two views, it gives the loss of one step. `embed` gives the frozen embedding. Weights and noise come
    from torch's global generator.

    Args:
        views: makes the two views of a graph or batch.
        encoders: one that both views share, or one for each.
        mode: which embeddings are contrasted.
        objective: what is minimised.
        level: "node" or "graph": what is embedded.
        node_projector: from node embeddings to what is contrasted; shared.
        graph_projector: from aggregated embeddings to what is contrasted; shared.
        aggregation: "mean" or "add".
        predictor: for an objective that bootstraps: from projected nodes to a prediction of the target's.
        momentum: for such an objective: of the target network.
        scripts: average the target as the paper's scripts do: constant momentum, no buffers.
        leaves_out: leave out the nodes that a view has dropped.
        weighted: let encoders see the weights of edges.
        embedding: of which views the embedding is made, "clean" or "augmented".
        combine: what becomes of the embeddings of both: "first" alone, their "sum", or both side by side, "concat".

    Raises:
        ValueError: when the objective makes no sense in the mode.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.methods import MethodConfig, build
        >>> graph = Data(x=torch.randn(4, 3), edge_index=torch.tensor([[0, 1, 2, 3], [1, 0, 3, 2]]))
        >>> method = build(MethodConfig("mvgrl", augmentor="EdgeDropping", hidden=8), in_features=3)
        >>> method(*method.views(graph)).shape, method.embed(graph).shape
        (torch.Size([]), torch.Size([4, 8]))
    """

    def __init__(
        self,
        views: TwoViews,
        encoders: tuple[Encoder] | tuple[Encoder, Encoder],
        mode: Mode,
        objective: nn.Module,
        *,
        level: Literal["node", "graph"],
        node_projector: nn.Module | None = None,
        graph_projector: nn.Module | None = None,
        aggregation: Literal["mean", "add"] = "mean",
        predictor: nn.Module | None = None,
        momentum: float = 0.99,
        scripts: bool = False,
        leaves_out: bool = True,
        weighted: bool = True,
        embedding: Literal["clean", "augmented"] = "clean",
        combine: Literal["first", "sum", "concat"] = "first",
    ) -> None:
        super().__init__()
        mode.check(objective)
        bootstraps = getattr(objective, "bootstraps", False)
        if bootstraps != (predictor is not None):
            raise ValueError(f"a predictor belongs to an objective that bootstraps, and to no other (got {objective})")
        self.views = views
        self.encoders = nn.ModuleList(encoders)
        self.node_projector = node_projector or nn.Identity()
        self.graph_projector = graph_projector or nn.Identity()
        self.predictor = predictor
        self.mode = mode
        self.objective = objective
        self.level = level
        self.aggregation = aggregation
        self.leaves_out = leaves_out
        self.weighted = weighted
        self.embedding = embedding
        self.combine = combine
        # Only products of graphs and nodes are scored: the nodes' last layer is applied to the graphs, which are few.
        plain = getattr(objective, "plain_products", False) and mode.uses_graphs
        self.folds = plain and not bootstraps and can_fold(self.node_projector)
        self.target = None
        if bootstraps:
            self.target = Target(self._online(), momentum, cosine=not scripts, buffers=not scripts)

    def forward(self, view1: Any, view2: Any) -> Tensor:
        """Give the loss of one step."""
        return self.contrast(*self.sides(view1, view2))

    def sides(self, view1: Any, view2: Any, elsewhere: int = 0) -> tuple[Side, Side]:
        """Give what both views bring to the contrast, to which others bring the graphs that are `elsewhere`."""
        return self._side(0, view1, elsewhere), self._side(1, view2, elsewhere)

    def contrast(self, one: Side, other: Side) -> Tensor:
        """Give the loss of two sides."""
        loss: Tensor = self.mode(self.objective, one, other)
        return loss

    def embed(self, data: Any) -> Tensor:
        """Embed the nodes of a graph, or the graphs of a batch."""
        training = self.training
        self.eval()
        try:
            with torch.no_grad():
                parts = self._parts(data)
        finally:
            self.train(training)
        if self.combine == "concat":
            return torch.cat(parts, dim=1)
        return parts[0] if len(parts) == 1 else parts[0] + parts[1]

    def after_step(self, step: int, steps: int) -> None:
        """Let the target network follow, if there is one, after step `step` of `steps`."""
        if self.target is not None:
            self.target.follow(self._online(), step, steps)

    def _online(self) -> nn.ModuleList:
        """Give the part that the target network copies. What both views share is one encoder."""
        return nn.ModuleList([self.encoders[0], self.node_projector])

    def _parts(self, data: Any) -> list[Tensor]:
        if self.embedding == "augmented":
            views = self.views(data)
        else:
            data = copy.copy(data)
            data.x = sparse_features(data.x) if data.get("batch") is None else data.x
            views = (data, data)
        return [self._embed(number, view) for number, view in enumerate(views[: 1 if self.combine == "first" else 2])]

    def _embed(self, number: int, view: Any) -> Tensor:
        # All nodes of a graph have an embedding, also those that a view has dropped.
        inputs = read_view(view, leaves_out=self.leaves_out and self.level == "graph", weighted=self.weighted)
        hidden = self._encode(self.encoders[number % len(self.encoders)], inputs)[0]
        return hidden if self.level == "node" else self._pool(hidden, inputs)

    def _side(self, number: int, view: Any, elsewhere: int) -> Side:
        inputs = read_view(view, leaves_out=self.leaves_out, weighted=self.weighted)
        if not inputs.num_nodes:
            raise ValueError("a view must have a node left (got none)")
        encoder = self.encoders[number % len(self.encoders)]
        hidden, lifted, propagation = self._encode(encoder, inputs)
        if self.target is not None:
            return self._bootstrapped(inputs, hidden, propagation)
        nodes = self._project(hidden) if self.mode.uses_nodes else None
        graphs = self.graph_projector(self._pool(hidden, inputs)) if self.mode.uses_graphs else None
        if graphs is not None and self.folds:
            graphs = with_folded(graphs, self.node_projector)
        noise = None
        if self.mode.wants_noise(self.objective, inputs.num_graphs + elsewhere):
            shuffled = lifted[torch.randperm(len(lifted), device=lifted.device)]
            noise = self._project(encoder(shuffled, propagation))
        return Side(nodes, graphs, inputs.owner, inputs.nodes, noise)

    def _project(self, hidden: Tensor) -> Tensor:
        projected: Tensor = self.node_projector(hidden) if not self.folds else without_last(hidden, self.node_projector)
        return projected

    def _bootstrapped(self, inputs: Inputs, hidden: Tensor, propagation: Any) -> Side:
        """Predict from the projected nodes, and let the target network see the same view."""
        assert self.predictor is not None
        assert self.target is not None
        prediction = self.predictor(self.node_projector(hidden))
        encoder, node_projector = self.target.network
        with torch.no_grad():
            seen = node_projector(encoder(encoder.lift(inputs.x, inputs.nodes), propagation))
        return Side(
            nodes=prediction,
            graphs=self._pool(prediction, inputs) if self.mode.uses_graphs else None,
            owner=inputs.owner,
            ids=inputs.nodes,
            target_nodes=seen,
            target_graphs=self._pool(seen, inputs) if self.mode.uses_graphs else None,
        )

    def _encode(self, encoder: Any, inputs: Inputs) -> tuple[Tensor, Tensor, Any]:
        lifted = encoder.lift(inputs.x, inputs.nodes)
        propagation = encoder.propagation(inputs.edge_index, inputs.edge_weight, inputs.num_nodes)
        return encoder(lifted, propagation), lifted, propagation

    def _pool(self, nodes: Tensor, inputs: Inputs) -> Tensor:
        return pool(nodes, inputs.owner, inputs.num_graphs, how=self.aggregation)

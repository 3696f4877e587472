"""`GraphEmbedder`: an embedding of the nodes of a graph, or of graphs, by contrastive learning."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from rlap import methods
from rlap.adapters.torch import draw_seed
from rlap.datasets import GraphSet, NodeSet
from rlap.embedder.inputs import read_input
from rlap.experiments.single_run import build
from rlap.methods import MethodConfig
from rlap.schur.seeds import check_seed
from rlap.training import TrainConfig, embed, train


class GraphEmbedder(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Learn an embedding without labels, in scikit-learn's manner.

    Node designs (grace, mvgrl, bgrl-l2l, dgi) embed the nodes of one graph: a PyG `Data`, or a pair (edge_index, x) or
    (adjacency, x). Graph designs (graphcl, bgrl) embed each graph of a list. Other graphs with the same features can be
    embedded afterwards.

    Args:
        method: the design, one of `rlap.methods.names()`.
        augmentor: makes the views, one of `rlap.transforms.names()`.
        gamma1: the perturbation of the first view, in [0, 1].
        gamma2: the perturbation of the second.
        hidden: the width of the encoder.
        layers: of the encoder.
        tau: the temperature, for designs that have one; None is the design's own.
        feature_masking: the probability of a feature to be masked in a view.
        lr: Adam's learning rate.
        weight_decay: Adam's L2 penalty.
        epochs: train at most so many.
        patience: stop when the loss has not been lower for so many.
        batch_size: graphs in a step, for graph designs.
        protocol: "clean", or "paper" for what the paper's scripts do.
        options: further fields of `rlap.methods.MethodConfig`, by name.
        device: "cpu", "cuda" or "cuda:N".
        random_state: an integer, a generator, or None for torch's global one.
        verbose: show a progress bar.

    Attributes:
        embedding_: of what it was fitted on, one row each.
        losses_: of every epoch.
        n_iter_: how many epochs there were.
        method_: the trained method.

    Example:
        >>> import numpy as np
        >>> from rlap import GraphEmbedder
        >>> ring = np.array([[0, 1, 2, 3, 1, 2, 3, 0], [1, 2, 3, 0, 0, 1, 2, 3]])
        >>> embedder = GraphEmbedder("grace", hidden=8, epochs=2, random_state=0)
        >>> embedder.fit_transform((ring, np.eye(4))).shape
        (4, 8)
    """

    def __init__(
        self,
        method: str = "grace",
        augmentor: str = "rLap",
        *,
        gamma1: float = 0.5,
        gamma2: float = 0.4,
        hidden: int = 256,
        layers: int = 2,
        tau: float | None = None,
        feature_masking: float = 0.3,
        lr: float = 1e-3,
        weight_decay: float = 1e-5,
        epochs: int = 2000,
        patience: int = 50,
        batch_size: int = 128,
        protocol: Literal["clean", "paper"] = "clean",
        options: dict[str, Any] | None = None,
        device: str = "cpu",
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        self.method = method
        self.augmentor = augmentor
        self.gamma1 = gamma1
        self.gamma2 = gamma2
        self.hidden = hidden
        self.layers = layers
        self.tau = tau
        self.feature_masking = feature_masking
        self.lr = lr
        self.weight_decay = weight_decay
        self.epochs = epochs
        self.patience = patience
        self.batch_size = batch_size
        self.protocol = protocol
        self.options = options
        self.device = device
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None) -> GraphEmbedder:
        """Train on a graph, or on a list of graphs; labels are not looked at."""
        dataset = read_input(X, methods.level(self.method))
        names = ("method", "augmentor", "gamma1", "gamma2", "hidden", "layers", "tau", "feature_masking", "protocol")
        config = MethodConfig(**{name: getattr(self, name) for name in names} | (self.options or {}))
        self.seed_ = check_seed(draw_seed(self.random_state))
        self.n_features_in_ = dataset.num_features
        self.method_ = build(config, self.n_features_in_, self.seed_)
        result = train(self.method_, dataset, self._training(), progress=self.verbose)
        self.losses_ = result.losses
        self.n_iter_ = result.epochs
        self.embedding_ = self._embed(dataset)
        return self

    def transform(self, X: Any) -> NDArray[np.float32]:
        """Embed a graph, or a list of graphs, with what was learned."""
        check_is_fitted(self, "method_")
        dataset = read_input(X, methods.level(self.method))
        if dataset.num_features != self.n_features_in_:
            raise ValueError(f"there must be {self.n_features_in_} features, as in fit (got {dataset.num_features})")
        return self._embed(dataset)

    def fit_transform(self, X: Any, y: Any = None) -> NDArray[np.float32]:
        """Train, and embed what was trained on."""
        return self.fit(X, y).embedding_

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    def _training(self) -> TrainConfig:
        names = ("lr", "weight_decay", "epochs", "patience", "batch_size", "device", "protocol")
        return TrainConfig(**{name: getattr(self, name) for name in names}, seed=self.seed_)

    def _embed(self, dataset: NodeSet | GraphSet) -> NDArray[np.float32]:
        array: NDArray[np.float32] = embed(self.method_, dataset, self._training()).numpy()
        return array

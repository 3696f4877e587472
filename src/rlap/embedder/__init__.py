"""Embeddings of graphs in scikit-learn's manner."""

from rlap.embedder.estimator import GraphEmbedder
from rlap.embedder.inputs import read_input

__all__ = ["GraphEmbedder", "read_input"]

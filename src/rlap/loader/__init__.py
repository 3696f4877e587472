"""Loaders: small graphs out of one that is too large for an encoder, in the manner of PyG's.

Example:
    >>> from rlap import loader
    >>> loader.names()
    ['cluster', 'induced', 'schur', 'walks']
"""

from rlap.loader.cluster import ClusterLoader
from rlap.loader.induced import InducedLoader
from rlap.loader.node_loader import NodeLoader
from rlap.loader.registry import Name, get, names
from rlap.loader.schur import SchurLoader

__all__ = ["ClusterLoader", "InducedLoader", "Name", "NodeLoader", "SchurLoader", "get", "names"]

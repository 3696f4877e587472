"""How central the nodes of a graph are: `degree`, `eigenvector` and `pagerank`.

They take sparse adjacency matrices or NetworkX graphs; `centrality_of_edges` takes edge arrays and batches of graphs.
"""

from rlap.centrality.degree import degree
from rlap.centrality.edges import centrality_of_edges
from rlap.centrality.eigenvector import eigenvector
from rlap.centrality.pagerank import pagerank

__all__ = ["centrality_of_edges", "degree", "eigenvector", "pagerank"]

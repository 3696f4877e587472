"""PyG's `Data`, `HeteroData` and batches of them: which edges a view is made of, and how it is put back.

A transform finds the relations of its data, makes views of them, and hands the results to `replace_edges`,
`mark_nodes` or `drop_nodes`, which keep everything else about the data right.
"""

from rlap.adapters.pyg.edits import drop_nodes, mark_nodes, replace_edges
from rlap.adapters.pyg.record import BatchRecord
from rlap.adapters.pyg.relations import Relation, find_relations

__all__ = ["BatchRecord", "Relation", "drop_nodes", "find_relations", "mark_nodes", "replace_edges"]

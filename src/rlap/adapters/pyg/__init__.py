"""PyG's `Data`, `HeteroData` and batches of them: which edges a view is made of, and how it is put back.

A transform finds the relations of its data, makes views of them, and hands the results to `replace_edges`,
`keep_edges`, `add_edges`, `mark_nodes`, `leave_nodes` or `drop_nodes`, which keep everything else about the data right.
"""

from rlap.adapters.pyg.edges import add_edges, keep_edges
from rlap.adapters.pyg.edits import drop_nodes, leave_nodes, mark_nodes, replace_edges
from rlap.adapters.pyg.graphs import graph_of_node, node_ptr
from rlap.adapters.pyg.record import BatchRecord
from rlap.adapters.pyg.relations import Relation, find_relations
from rlap.adapters.pyg.staying import Staying, read_ends, staying

__all__ = [
    "BatchRecord",
    "Relation",
    "Staying",
    "add_edges",
    "drop_nodes",
    "find_relations",
    "graph_of_node",
    "keep_edges",
    "leave_nodes",
    "mark_nodes",
    "node_ptr",
    "read_ends",
    "replace_edges",
    "staying",
]

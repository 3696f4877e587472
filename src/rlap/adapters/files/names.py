"""Node names to node numbers and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rlap.adapters.files.edge_file import EdgeFile

# Numbers that leave this much room unused are names: an array over all of them would be mostly holes.
MANY_NODES = 1_000_000
FEW_USED = 10


def from_numbers(ends: NDArray[np.int64], num_nodes: int | None) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
    """Take the numbers of a file for node numbers, or for names when they are too far apart.

    They are names when the largest is beyond a million and beyond ten times the count of different numbers, unless the
    caller says how many nodes there are.

    >>> import numpy as np
    >>> from_numbers(np.array([[0, 5], [7, 0]]), None)[1] is None
    True
    >>> index, names = from_numbers(np.array([[10**12, 5], [7, 10**12]]), None)
    >>> index.tolist(), names.tolist()
    ([[2, 0], [1, 2]], [5, 7, 1000000000000])
    """
    if ends.size == 0:
        return ends, None
    lowest, largest = int(ends.min()), int(ends.max())
    if lowest < 0:
        raise ValueError(f"node numbers must not be negative (got {lowest})")
    if num_nodes is not None or largest < MANY_NODES:
        return ends, None
    names, numbers = np.unique(ends, return_inverse=True)
    if largest + 1 <= FEW_USED * names.size:
        return ends, None
    return numbers.reshape(ends.shape).astype(np.int64), names


def find_nodes(graph: EdgeFile, wanted: list[str]) -> NDArray[np.int64]:
    """Look up nodes by what the file calls them: names where it has names, numbers otherwise."""
    if graph.node_names is not None:
        numbers = {str(name): number for number, name in enumerate(graph.node_names.tolist())}
        unknown = next((name for name in wanted if name not in numbers), None)
        if unknown is not None:
            raise ValueError(f"the graph has no node {unknown!r}")
        return np.array([numbers[name] for name in wanted], dtype=np.int64)
    found = np.zeros(len(wanted), dtype=np.int64)
    for at, text in enumerate(wanted):
        if not (text.isascii() and text.isdigit()) or int(text) >= graph.num_nodes:
            raise ValueError(f"the graph has no node {text!r}: its nodes are 0 to {graph.num_nodes - 1}")
        found[at] = int(text)
    return found


def check_names(names: ArrayLike | None, num_nodes: int) -> NDArray[Any] | None:
    """Require a different name for every node."""
    if names is None:
        return None
    array = np.asarray(names)
    if array.dtype.kind == "U":
        array = array.astype(object)
    if array.shape != (num_nodes,):
        raise ValueError(f"there must be one name for every node, {num_nodes} of them (got {array.shape})")
    seen: set[Any] = set()
    for name in array.tolist():
        if name in seen:
            raise ValueError(f"node names must be different (got {name!r} twice)")
        seen.add(name)
    return array

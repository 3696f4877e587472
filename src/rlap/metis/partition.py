"""Parts of a graph by METIS, in a process of its own.

METIS draws from `rand` of the C library, whose state belongs to the whole process: another thread that draws once while
METIS runs, as a thread of every Ray worker does now and then, changes the parts.
"""

from __future__ import annotations

import importlib.util
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_PROCESS = Path(__file__).with_name("process.py")


def cut(
    parts: int,
    begin: NDArray[np.integer],
    neighbor: NDArray[np.integer],
    *,
    node_weight: NDArray[np.integer] | None = None,
    seed: int | None = None,
) -> NDArray[np.int32]:
    """Cut a graph into parts of about the same weight with few edges between them.

    Args:
        parts: how many; one may be empty.
        begin: where each node's neighbours begin, and where the last one's end.
        neighbor: the neighbours of all nodes, one node after another; both directions, without loops.
        node_weight: what each node weighs; 1 unless given.
        seed: of METIS; its own unless given.

    Returns:
        The part of every node.

    Raises:
        ModuleNotFoundError: without pymetis.
        ValueError: the arrays do not make a graph: METIS itself would read past their ends.
        RuntimeError: METIS failed.

    Examples:
        >>> import numpy as np
        >>> from rlap import metis
        >>> begin, neighbor = np.array([0, 1, 2, 3, 4]), np.array([1, 0, 3, 2])  # two pairs
        >>> part = metis.cut(2, begin, neighbor)
        >>> bool(part[0] == part[1] != part[2] == part[3])
        True
    """
    if importlib.util.find_spec("pymetis") is None:
        raise ModuleNotFoundError('METIS needs pymetis: pip install "rlap[cluster]"', name="pymetis")
    _check(parts, begin, neighbor, node_weight)
    job = pickle.dumps((parts, begin, neighbor, node_weight, seed), protocol=pickle.HIGHEST_PROTOCOL)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    # -P: what lies beside the script is not what its imports mean.
    command = [sys.executable, "-P", str(_PROCESS)]
    done = subprocess.run(command, input=job, capture_output=True, env=environment, check=False)
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise RuntimeError(
            f"METIS failed with exit status {done.returncode}: {said[-1] if said else 'it said nothing'}"
        )
    return np.frombuffer(done.stdout, dtype=np.int32).copy()


def _check(
    parts: int, begin: NDArray[np.integer], neighbor: NDArray[np.integer], node_weight: NDArray[np.integer] | None
) -> None:
    """Refuse what METIS would not."""
    nodes = begin.size - 1
    if parts < 1:
        raise ValueError(f"parts must be at least 1 (got {parts})")
    if nodes < 0 or begin[0] != 0 or begin[-1] != neighbor.size or np.any(np.diff(begin) < 0):
        raise ValueError(f"begin must rise from 0 to the number of neighbours, {neighbor.size}")
    if neighbor.size and not 0 <= neighbor.min() <= neighbor.max() < nodes:
        raise ValueError(f"neighbor must be in 0 .. {nodes - 1} (got {neighbor.min()} .. {neighbor.max()})")
    if node_weight is not None and node_weight.shape != (nodes,):
        raise ValueError(
            f"node_weight must have one weight for every node, {nodes} (got the shape {node_weight.shape})"
        )

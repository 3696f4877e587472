"""The process that METIS has for itself: a graph comes in through standard input, parts go out. See partition.py."""

from __future__ import annotations

import pickle
import sys

import numpy as np
import pymetis


def main() -> None:
    """Read one graph, write the part of every node."""
    parts, begin, neighbor, node_weight, seed = pickle.load(sys.stdin.buffer)
    options = pymetis.Options() if seed is None else pymetis.Options(seed=seed)
    graph = pymetis.CSRAdjacency(begin, neighbor)
    found = pymetis.part_graph(parts, graph, vweights=node_weight, options=options, recursive=False)
    sys.stdout.buffer.write(np.asarray(found.vertex_part, dtype=np.int32).tobytes())


if __name__ == "__main__":
    main()

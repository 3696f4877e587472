"""Write `golden.json`: what every variant gave when the file was made. Run it after a change of results that is meant:

    python tests/schur/make_golden.py

and say in the changelog that views change for the same seed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from tests.graphs import KARATE, random_graph  # noqa: E402 (a script has to find them first)
from tests.schur.variants import VARIANTS, Arrays, digest  # noqa: E402

GOLDEN = Path(__file__).with_name("golden.json")
EXAMPLES = {"karate": KARATE, "weighted": random_graph(20, 45, seed=11)}
SEED = 20240229


def golden_views() -> dict[str, dict[str, object]]:
    """A digest of all arrays of every variant, and the edges of its views, so that a change can be looked at.

    JSON keeps the digits of a float that tell it from all others.
    """
    return {
        f"{graph} {name}": {"sha256": digest(arrays)} | _edges(name, arrays)
        for graph, example in EXAMPLES.items()
        for name, arrays in ((name, make(example, SEED)) for name, make in VARIANTS.items())
    }


def _edges(name: str, arrays: Arrays) -> dict[str, object]:
    """Every edge of a view once; paths and factors, and what differs only in how nodes are chosen, have the digest."""
    if name.endswith(("keep", "ground", "path", "factor")):
        return {}
    edges = zip(*arrays[0].tolist(), arrays[1].tolist(), strict=True)
    return {"edges": [[u, v, weight] for u, v, weight in edges if u < v]}


if __name__ == "__main__":
    lines = (f"{json.dumps(name)}: {json.dumps(view)}" for name, view in golden_views().items())
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")

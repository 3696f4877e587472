"""Write the seed corpus of the fuzz targets: `python -m tests.fuzz.seeds`.

The bytes are what `input.hpp` reads. Forged sets, whose hashes once passed for those of a symmetric list, are among
them: no fuzzer finds those by chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.forged import forge

CORPUS = Path(__file__).parent / "corpus"
WEIGHTED, MIRROR, SORT, BY_COLUMN, BATCH, WILD, SYMMETRIZE = (1 << bit for bit in range(7))
RING = [(u, (u + 1) % 12) for u in range(12)]
HUBS = [(u % 3, u) for u in range(3, 100)] + [(0, 1), (1, 2)]
PARALLEL = [(u % 5, (u + 2) % 5) for u in range(60)]


def edge_list(
    options: int, nodes: int, edges: list[tuple[int, int]], graphs: bytes = b"", weights: bytes = b""
) -> bytes:
    """An edge list as bytes; `weights` are used in turn."""
    body = b"".join(
        bytes(edge) + (bytes([weights[e % len(weights)]]) if weights else b"") for e, edge in enumerate(edges)
    )
    return bytes([options, nodes]) + graphs + body


def valid_lists() -> Iterator[tuple[str, bytes]]:
    """Lists of all kinds, without options of the target in front."""
    for name, nodes, edges in (("ring", 12, RING), ("hubs", 100, HUBS), ("parallel", 5, PARALLEL)):
        yield name, edge_list(MIRROR | SORT, nodes, edges)
        yield f"{name}-unsorted", edge_list(MIRROR, nodes, edges)
        yield f"{name}-weighted", edge_list(MIRROR | SORT | WEIGHTED, nodes, edges, weights=bytes([7, 15, 31]))
        # 1e-300, 1e300, the least and a 64th of the largest
        yield f"{name}-hard", edge_list(MIRROR | WEIGHTED, nodes, edges, weights=bytes([226, 227, 230, 236]))
    yield "batch", edge_list(MIRROR | SORT | BATCH, 12, RING, graphs=bytes([2, 5, 0]))
    yield "empty", edge_list(MIRROR, 90, [])


def forged_lists() -> Iterator[tuple[str, bytes]]:
    """One-way edges whose hashes cancel, sorted and not."""
    for nodes, groups, seed in ((20, 1, 0), (20, 1, 1), (200, 3, 2)):
        for order, options in (("row", SORT), ("column", SORT | BY_COLUMN), ("none", 0)):
            edges = forge(nodes, seed, groups=groups, order=order).edge_index
            pairs = [(int(u), int(v)) for u, v in edges.T]
            yield f"forged-{nodes}-{seed}-{order}", edge_list(options, nodes, pairs)


def seeds() -> Iterator[tuple[str, str, bytes]]:
    """Targets, names and bytes."""
    for name, listed in [*valid_lists(), *forged_lists()]:
        for types in range(8):
            if types in (0, 7) or "ring" in name:
                yield "reading", f"{name}-{types}", bytes([types]) + listed
    yield "reading", "wild", bytes([0]) + edge_list(WILD | BATCH, 3, [(255, 255), (250, 1)], graphs=bytes([3, 9, 1, 2]))
    for at, (name, listed) in enumerate(valid_lists()):
        for orders in range(12):
            if orders % 3 == at % 3:
                options = (at * 37 + orders * 11) & 127
                yield "elimination", f"{name}-{orders}", bytes([orders, options, 128, 1, 1, 15]) + listed
        yield "elimination", f"{name}-ground", bytes([0, 4, 200, 1, 2, 232]) + listed  # the largest number of all
        yield "walks", f"{name}-terminal", bytes([0x80 + 15 * (at % 2), 3, 1, 15, 0, 0]) + listed
        yield "walks", f"{name}-restart", bytes([16 + 32 * (at % 2), 9, 20, 50, 1, 0]) + listed
        yield "assembly", name, bytes([at % 8, 200, 3, 1, 2, 15, 3, 4, 31, 1, 2, 7]) + listed
    walk = b"".join(bytes([2, u, 15, 128 + u, 7]) for u in range(10))
    yield "parts", "walk", bytes([0, 9, 3]) + walk
    for name, edges in (("ring", RING), ("parallel", PARALLEL)):
        yield "parts", f"cluster-{name}", bytes([1, 11, 15, 20]) + b"".join(bytes(edge) for edge in edges)
        body = b"".join(bytes([*edge, 15]) for edge in edges)
        yield "parts", f"eliminate-{name}", bytes([2, 11, 1, 128, 1, 0]) + body
        # not a number, and infinite
        yield "parts", f"eliminate-{name}-hard", bytes([2, 11, 1, 128, 1, 0]) + body.replace(b"\x0f", b"\xeb\xe9", 2)


def main() -> None:
    """Write the corpus anew."""
    for target, name, data in seeds():
        place = CORPUS / target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


if __name__ == "__main__":
    main()

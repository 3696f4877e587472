"""Terminal walks over parts: those that leave a part are handed over in bulk, round by round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rlap import _core
from rlap.experiments.environment import peak_memory, start_peak
from rlap.scale.choice import Choice
from rlap.scale.edges import Edges, join, merge
from rlap.scale.keys import edge_key
from rlap.scale.levels import Plan, find_parts
from rlap.scale.parts import Parts
from rlap.scale.split import ends_in_parts
from rlap.scale.summary import Level
from rlap.scale.tasks import Ref, Tasks

ROUNDS = 100_000


class Walks(NamedTuple):
    """Walks that stand somewhere. `end` is 0 for one from the edge's lower end, and 1 for the other."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    end: NDArray[np.uint8]
    owner: NDArray[np.int32]
    step: NDArray[np.int64]
    node: NDArray[np.int64]
    length: NDArray[np.float64]

    def take(self, chosen: NDArray[np.generic]) -> Walks:
        """Give some of them."""
        return Walks(*(column[chosen] for column in self))

    @property
    def nbytes(self) -> int:
        """Their size in memory."""
        return sum(column.nbytes for column in self)


class Ground(NamedTuple):
    """What walks see of a part: the rows of its nodes. Ends in other parts, and those that stay, are exits."""

    ids: NDArray[np.int64]
    start: NDArray[np.int64]
    to: NDArray[np.int32]
    weight: NDArray[np.float64]
    exits: NDArray[np.int64]
    exit_part: NDArray[np.int32]  # -1: the walk has arrived


def no_walks() -> Walks:
    """Give none."""
    whole, real = np.zeros(0, np.int64), np.zeros(0)
    return Walks(whole, whole, np.zeros(0, np.uint8), np.zeros(0, np.int32), whole, whole, real)


def join_walks(pieces: tuple[Walks, ...] | list[Walks]) -> Walks:
    """Put walks one behind the other."""
    return Walks(*(np.concatenate(columns) for columns in zip(no_walks(), *pieces, strict=True)))


class Row(NamedTuple):
    """Edges for a part, with the parts of both ends."""

    edges: Edges
    first: NDArray[np.int32]
    second: NDArray[np.int32]


def split_rows(
    edges: Edges, choice: Choice, parts: Parts | None, given: NDArray[np.int64] | None, count: int
) -> tuple[Row, ...] | Row:
    """Give every part the edges of its nodes; those between parts go to both."""
    first, second = ends_in_parts(edges, choice, parts, given)
    rows = []
    for p in range(count):
        own = (first == p) | (second == p)
        rows.append(Row(edges.take(own), first[own], second[own]))
    return tuple(rows) if count > 1 else rows[0]


def lay_ground(part: int, *rows: Row) -> tuple[Ground, Walks, int]:
    """Make the rows of a part, and the walks that begin there: one from every end that goes, for every edge."""
    edges = merge(join([row.edges for row in rows]))
    every = np.concatenate([edge.source for edge, _, _ in rows] + [edge.target for edge, _, _ in rows])
    where = np.concatenate([first for _, first, _ in rows] + [second for _, _, second in rows])
    ids, at = np.unique(every, return_index=True)
    part_of = where[at]
    low, high = np.searchsorted(ids, edges.source), np.searchsorted(ids, edges.target)
    resistance = 1 / edges.weight
    owner = np.where(part_of[low] >= 0, part_of[low], part_of[high]).astype(np.int32)
    single = (part_of[low] < 0) | (part_of[high] < 0)
    begun = []
    for end, (own, other) in enumerate(((low, high), (high, low))):
        here = np.flatnonzero(part_of[own] == part)
        del other
        # The edge itself counts for one of its walks: the only one, or that from the lower end.
        length = np.where(single[here] | (end == 0), resistance[here], 0.0)
        begun.append(
            Walks(
                edges.source[here],
                edges.target[here],
                np.full(here.size, end, np.uint8),
                owner[here],
                np.zeros(here.size, np.int64),
                ids[own[here]],
                length,
            )
        )
    inside = np.flatnonzero(part_of == part)
    outside = np.flatnonzero(part_of != part)
    code = np.empty(ids.size, np.int32)
    code[inside] = np.arange(inside.size)
    code[outside] = ~np.arange(outside.size)
    row = np.concatenate([low, high])
    col = np.concatenate([high, low])
    weight = np.concatenate([edges.weight, edges.weight])
    own_rows = part_of[row] == part
    row, col, weight = code[row[own_rows]], col[own_rows], weight[own_rows]
    order = np.lexsort((col, row))
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=inside.size))]).astype(np.int64)
    ground = Ground(ids[inside], start, code[col[order]], weight[order], ids[outside], part_of[outside])
    return ground, join_walks(begun), edges.size


def spread(ground: Ground, count: int, known: NDArray[np.int64], *found: NDArray[np.int64]) -> tuple[Any, ...]:
    """Find more nodes from which a walk can arrive, given some in this part; last, how many there are.

    Nodes of a component without a kept node are never found, and no walk begins there.
    """
    import scipy.sparse as sp
    from scipy.sparse.csgraph import connected_components

    size = ground.ids.size
    row = np.repeat(np.arange(size), np.diff(ground.start))
    inner = ground.to >= 0
    graph = sp.csr_array((np.ones(int(inner.sum()), np.int8), (row[inner], ground.to[inner])), shape=(size, size))
    _, group = connected_components(graph, directed=False)
    leaves = ~ground.to[~inner]
    arrives = row[~inner][ground.exit_part[leaves] < 0]
    told = np.searchsorted(ground.ids, np.concatenate([known, *found]).astype(np.int64))
    good = np.zeros(size + 1, np.bool_)
    good[group[arrives]] = True
    good[group[told]] = True
    reached = good[group] if size else np.zeros(0, np.bool_)
    fresh = np.setdiff1d(np.flatnonzero(reached), np.searchsorted(ground.ids, known))
    new = np.zeros(size, np.bool_)
    new[fresh] = True
    crossing = ~inner & new[row]
    exits = ~ground.to[crossing]
    out = [np.unique(ground.exits[exits[ground.exit_part[exits] == p]]) for p in range(count)]
    return (ground.ids[reached], *out, int(sum(one.size for one in out)))


class Moved(NamedTuple):
    """What a round of a part has done."""

    left: int
    nbytes: int
    peak_memory: int


def walk_round(ground: Ground, reached: NDArray[np.int64], count: int, seed: int, *pieces: Walks) -> tuple[Any, ...]:
    """Run walks until they arrive or leave the part: what leaves, by part, what arrives, by owner, and numbers."""
    start_peak()
    walks = join_walks(list(pieces))
    place = np.searchsorted(ground.ids, walks.node).astype(np.int32)
    fine = np.isin(walks.node, reached)
    walks, place = walks.take(fine), place[fine]
    step, exits, length = _core.walk_part(
        ground.start,
        ground.to,
        ground.weight,
        edge_key(seed, walks.low, walks.high, walks.end),
        np.ascontiguousarray(walks.step),
        place,
        np.ascontiguousarray(walks.length),
    )
    moved = walks._replace(step=step, node=ground.exits[exits], length=length)
    part = ground.exit_part[exits]
    leaving = [moved.take(part == p) for p in range(count)]
    arrived = [moved.take((part < 0) & (moved.owner == p)) for p in range(count)]
    left = sum(one.node.size for one in leaving)
    return (*leaving, *arrived, Moved(left, sum(piece.nbytes for piece in pieces), peak_memory()))


def join_ends(*pieces: Walks) -> tuple[Edges, int]:
    """Make an edge of every pair of walks from one edge whose ends differ."""
    walks = join_walks(list(pieces))
    order = np.lexsort((walks.end, walks.high, walks.low))
    walks = walks.take(order)
    same = (walks.low[1:] == walks.low[:-1]) & (walks.high[1:] == walks.high[:-1])
    paired = np.concatenate([same, [False]])  # with the next
    second = np.concatenate([[False], same])
    first = np.flatnonzero(~second)
    pair = paired[first]
    follower = np.minimum(first + 1, max(0, walks.low.size - 1))
    kept_end = np.where(walks.end[first] == 0, walks.high[first], walks.low[first])
    other = np.where(pair, walks.node[follower], kept_end)
    length = walks.length[first] + np.where(pair, walks.length[follower], 0.0)
    own = walks.node[first]
    weight = np.maximum(1 / length, np.finfo(np.float64).tiny)
    made = Edges(own, other, weight, np.ones(own.size, np.bool_)).take(own != other)
    return made, made.size


@dataclass(frozen=True)
class Walked:
    """The edges that came of the walks, in pieces, and numbers."""

    settled: list[Ref]
    counts: list[int]
    levels: list[Level]


def walk_parts(tasks: Tasks, plan: Plan, choice: Ref, seed: int, live: list[tuple[Ref, Ref, int]]) -> Walked:
    """Walk from both ends of every edge with an end that goes."""
    edges = sum(count for _, _, count in live)
    count = plan.parts
    found, _ = find_parts(tasks, plan, 1, count, [block for block, _, _ in live], choice)
    split = [
        tasks.start(split_rows, block, choice, found, None if found is not None else given, count, returns=count)
        for block, given, _ in live
    ]
    if not split:
        return Walked([], [], [])
    laid = [tasks.start(lay_ground, p, *(rows[p] for rows in split), returns=3) for p in range(count)]
    sizes = tasks.finish("laying out", [one[2] for one in laid])
    ground = [one[0] for one in laid]
    reached = _reach(tasks, ground, count)
    incoming: list[list[Ref]] = [[one[1]] for one in laid]
    arrived: list[list[Ref]] = [[] for _ in range(count)]
    levels: list[Level] = []
    left = 1
    while left:
        if len(levels) == ROUNDS:
            raise RuntimeError(f"walks must arrive within {ROUNDS} rounds: keep more nodes or use elimination")
        moved = [
            tasks.start(walk_round, ground[p], reached[p], count, seed, *incoming[p], returns=2 * count + 1)
            for p in range(count)
        ]
        numbers = tasks.finish(f"round {len(levels) + 1}", [one[-1] for one in moved])
        incoming = [[moved[q][p] for q in range(count)] for p in range(count)]
        for p in range(count):
            arrived[p] += [moved[q][count + p] for q in range(count)]
        left = sum(one.left for one in numbers)
        moved_bytes, peak = sum(one.nbytes for one in numbers), max(one.peak_memory for one in numbers)
        levels.append(Level(count, 0, left / max(1, 2 * edges), edges, max(sizes), moved_bytes, peak))
    joined = [tasks.start(join_ends, *arrived[p], returns=2) for p in range(count)]
    counts = tasks.finish("joining ends", [one[1] for one in joined])
    return Walked([one[0] for one in joined], counts, levels)


def _reach(tasks: Tasks, ground: list[Ref], count: int) -> list[Ref]:
    """Find, in every part, the nodes from which a walk can arrive."""
    nothing = np.zeros(0, np.int64)
    reached: list[Any] = [nothing] * count
    told: list[list[Any]] = [[] for _ in range(count)]
    while True:
        spreads = [tasks.start(spread, ground[p], count, reached[p], *told[p], returns=count + 2) for p in range(count)]
        news = tasks.finish("finding ways out", [one[-1] for one in spreads])
        reached = [one[0] for one in spreads]
        told = [[spreads[q][1 + p] for q in range(count)] for p in range(count)]
        if not sum(news):
            return reached

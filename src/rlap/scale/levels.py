"""Elimination level by level: cut, eliminate inside the parts, put together what is left, and cut again."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap.scale.choice import COUNTED, Choice
from rlap.scale.parts import Partitioner, Parts, inner_edges, metis_parts, streaming_parts
from rlap.scale.reduce import Reduced, reduce_part
from rlap.scale.split import split_edges
from rlap.scale.summary import Level
from rlap.scale.tasks import Ref, Tasks


@dataclass(frozen=True)
class Plan:
    """How the graph is cut.

    Args:
        parts: so many at the first level, half of them at the next, and so on.
        partition: the first cut: a word, the caller's own parts, or None where blocks come with parts.
        levels: cut so often at the most; None means until the rest fits.
        fits: as many edges as one worker is to take.
        metis_edges: up to so many edges between nodes that go, METIS cuts them, in one process.
    """

    parts: int
    partition: Partitioner | Parts | None
    levels: int | None
    fits: int
    metis_edges: int
    num_nodes: int

    def next_parts(self, level: int, edges: int) -> int:
        """Say into how many parts the graph is cut; 1 means that the rest is done by one worker."""
        if (level > 1 and edges <= self.fits) or (self.levels is not None and level > self.levels):
            return 1
        parts = max(1, -(-self.parts // (1 << (level - 1))))
        if parts == 1 and self.levels is None and level > 1:
            raise RuntimeError(
                f"the rest must fit in one worker: {edges:,} edges at nodes that go are left after {level - 1} levels, "
                f"fits is {self.fits:,}; raise it, keep more nodes, or use walks"
            )
        return parts


def find_parts(
    tasks: Tasks, plan: Plan, level: int, parts: int, live: Sequence[Ref], choice: Ref
) -> tuple[Ref | None, float]:
    """Cut the graph: a reference to `Parts`, or None where blocks come with parts; and the processor time for it."""
    import ray

    how = plan.partition if level == 1 else "metis"
    if parts == 1:
        return ray.put(Parts(1, plan.num_nodes)), 0.0
    if how is None:
        return None, 0.0
    if isinstance(how, Parts):
        return ray.put(how), 0.0
    if how == "range":
        return ray.put(Parts(parts, plan.num_nodes)), 0.0
    inner = [tasks.start(count_inner, edges, choice, returns=2) for edges in live]
    counts = tasks.finish("finding inner edges", [count for _, count in inner])
    pieces = [edges for edges, _ in inner]
    too_many = sum(counts) > plan.metis_edges
    if how == "metis" and too_many and level == 1 and plan.partition == "metis":
        raise ValueError(
            f'partition="metis" is for at most {plan.metis_edges:,} edges between nodes that go (got {sum(counts):,}); '
            'use "streaming", "range" or parts of your own'
        )
    if how == "streaming" or too_many or plan.partition == "streaming":
        if plan.num_nodes > COUNTED:
            raise ValueError(
                f'partition="streaming" holds 20 bytes for every node: for at most {COUNTED:,} nodes (got num_nodes = '
                f'{plan.num_nodes:,}); use "range", parts of your own, or smaller ids'
            )
        ref, spent = tasks.start(timed, streaming_parts, parts, plan.num_nodes, sum(counts), pieces, returns=2)
    else:
        ref, spent = tasks.start(timed, metis_parts, parts, *pieces, returns=2)
    return ref, tasks.finish("cutting", [spent])[0]


def count_inner(edges: Any, choice: Choice) -> tuple[Any, int]:
    """Give the edges that a partition is about, and how many there are."""
    inner = inner_edges(edges, choice)
    return inner, inner.size


def timed(function: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    """Call a function, and take its processor time, that of processes it started included."""
    began = os.times()
    result = function(*arguments)
    return result, sum(os.times()[:4]) - sum(began[:4])


@dataclass(frozen=True)
class Eliminated:
    """What the levels leave: the edges of the view in pieces, and the nodes that went, in their order."""

    settled: list[Ref]
    counts: list[int]
    order: list[Ref]
    levels: list[Level]


def eliminate_levels(
    tasks: Tasks,
    plan: Plan,
    choice: Ref,
    neighbor_order: str,
    seed: int,
    live: list[tuple[Ref, Ref, int]],
) -> Eliminated:
    """Eliminate all nodes that go. `live` has blocks of edges, the parts of their ends (or None), and their counts."""
    done = Eliminated([], [], [], [])
    level = 0
    while True:
        level += 1
        edges = sum(count for _, _, count in live)
        parts = plan.next_parts(level, edges)
        found, cut = find_parts(tasks, plan, level, parts, [block for block, _, _ in live], choice)
        split = [
            tasks.start(
                split_edges, block, choice, found, None if found is not None else given, parts, returns=parts + 1
            )
            for block, given, _ in live
        ]
        reduced = [
            tasks.start(reduce_part, choice, neighbor_order, seed, *(pieces[p] for pieces in split), returns=4)
            for p in range(parts)
        ]
        numbers: list[Reduced] = tasks.finish(f"level {level}", [one[3] for one in reduced])
        crossing = [(pieces[-1], tasks.start(count_edges, pieces[-1])[0]) for pieces in split]
        crossed = tasks.finish("counting", [count for _, count in crossing])
        done.levels.append(_describe(parts, edges, numbers, cut))
        done.settled.extend(one[1] for one in reduced)
        done.counts.extend(one.settled for one in numbers)
        done.order.extend(one[2] for one in reduced)
        live = [(one[0], None, own.live) for one, own in zip(reduced, numbers, strict=True) if own.live]
        live += [(edges_, None, count) for (edges_, _), count in zip(crossing, crossed, strict=True) if count]
        if not live:
            return done


def count_edges(edges: Any) -> int:
    """Count edges where they are."""
    return int(edges.size)


def _describe(parts: int, edges: int, numbers: Sequence[Reduced], cut: float) -> Level:
    nodes = sum(one.nodes for one in numbers)
    return Level(
        parts=parts,
        eliminated=sum(one.eliminated for one in numbers),
        boundary=sum(one.boundary for one in numbers) / max(1, nodes),
        edges=edges,
        largest_part=max(one.edges for one in numbers),
        bytes_moved=sum(one.nbytes for one in numbers),
        peak_memory=max(one.peak_memory for one in numbers),
        cut_seconds=cut,
        cpu_seconds=sum(one.cpu_seconds for one in numbers),
        longest_seconds=max(one.cpu_seconds for one in numbers),
    )


def whole_order(order: Sequence[NDArray[np.int64]], choice: Choice, num_nodes: int) -> NDArray[np.int64]:
    """Give all nodes that went, in their order; those that had no edge when their turn came are last."""
    known = np.concatenate([np.zeros(0, np.int64), *order])
    everyone = np.arange(num_nodes, dtype=np.int64)
    return np.concatenate([known, np.setdiff1d(everyone[choice.goes(everyone)], known)])

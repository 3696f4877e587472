"""`rlap.scale.schur_view`: a view of a graph that no single process has to hold."""

from __future__ import annotations

import glob
import math
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rlap.scale.choice import COUNTED, Choice, choose
from rlap.scale.edges import join
from rlap.scale.levels import Plan, eliminate_levels, whole_order
from rlap.scale.output import both_directions, cut_points, merge_shard, sample_sources, split_shards
from rlap.scale.parts import check_array
from rlap.scale.read import Found, largest_id, read_edges
from rlap.scale.session import cluster
from rlap.scale.sources import find_blocks, find_files
from rlap.scale.summary import Summary
from rlap.scale.tasks import Ref, Silent, Tasks, Watch
from rlap.scale.walks import walk_parts
from rlap.schur.seeds import Seed, check_seed
from rlap.schur.selection import check_fraction, check_neighbor_order

WORDS = ("metis", "streaming", "range")
SHARD = 4_000_000  # edges of an output file, about
_PART = ".part"  # how the name of a folder ends that is not complete


@dataclass(frozen=True)
class ScaledView:
    """A view, in memory or in a folder of Parquet files. Unpacks as `edge_index, edge_weight = view`.

    In memory, `edge_index` and `edge_weight` hold both directions of every edge, sorted, as those of `rlap.View` do; in
    files, every edge is once, with source < target. `order` has the nodes that went, in their order, if asked for.
    """

    num_nodes: int
    summary: Summary
    edge_index: NDArray[np.int64] | None = None
    edge_weight: NDArray[np.float64] | None = None
    path: Path | None = None
    order: NDArray[np.int64] | None = None

    def __iter__(self) -> Iterator[Any]:
        return iter((self.edge_index, self.edge_weight))


def schur_view(
    edges: Any,
    *,
    fraction: float | None = None,
    keep: ArrayLike | None = None,
    num_nodes: int | None = None,
    parts: int | None = None,
    levels: int | None = None,
    fits: int = 20_000_000,
    partition: Any = "metis",
    metis_edges: int = 50_000_000,
    method: Literal["elimination", "walks"] = "elimination",
    neighbor_order: str = "asc",
    directions: Literal["both", "one"] = "both",
    seed: Seed = None,
    out: str | os.PathLike[str] | None = None,
    return_order: bool = False,
    address: str | None = None,
    num_cpus: int | None = None,
    watch: Watch | None = None,
) -> ScaledView:
    """Make a randomized Schur complement of a graph on a Ray cluster, part by part.

    The nodes that go are cut into parts. Every worker eliminates those of its part that touch no node of another part
    that is to go; what is left is cut again, into half as many parts, until it fits in one worker. That is the
    algorithm of `rlap.schur_view` in another order of the nodes, and gives the view that it gives for that order and
    this seed. It depends on the seed and the partition, and neither on the number of workers nor on those that fail: a
    worker that dies costs the part it was at.

    A worker holds one part: about 250 bytes for each of its edges while it works. The one that cuts holds the edges
    between nodes that go (METIS: at most `metis_edges`), or 20 bytes for every node (streaming), or nothing (range).
    The caller's own process holds no edges, unless it gives them as arrays or gets the view so. What a worker really
    held is in `ScaledView.summary`.

    Args:
        edges: a Parquet file, a folder or pattern of files, a Ray Dataset, or arrays, with columns `source`, `target`
            and perhaps `weight`. Ids are 64-bit integers in [0, num_nodes).
        fraction: eliminate `floor(fraction * num_nodes)` nodes, chosen at random. Up to 2^32 nodes, they are counted,
            which takes a minute at the most; with more, a permutation of the ids decides, at once.
        keep: or keep these nodes and eliminate all others.
        num_nodes: how many there are; None means the largest id plus 1, for which all edges are read once more.
        parts: cut into so many at first; None means as many as make two of them fit in one worker.
        levels: cut so often at the most, and then leave the rest to one worker; None means until it fits.
        fits: so many edges are left to one worker.
        partition: "metis", "streaming", "range" (of ids: for graphs whose neighbours have near ids), a part for every
            node, or the name of a column: `source_NAME` and `target_NAME` then have the parts of the ends. Later levels
            are cut by METIS, or streaming where there are too many edges.
        metis_edges: so many edges between nodes that go are left to METIS.
        method: "elimination", or "walks": terminal random walks over the same parts, handed over in bulk; unbiased.
        neighbor_order: o_n: "asc", "desc" or "random"; not for walks.
        directions: "both" when every edge is listed in both, "one" when it is listed once.
        seed: an integer, a generator, or None for the global generator.
        out: write the view to this folder, which must not be there or be empty. It appears when it is complete; what
            a killed call for the same folder left beside it is removed.
        return_order: give the nodes that went in their order, too: all of them in one array, of at most 2^32 nodes.
        address: join a Ray cluster ("auto": the one that runs here) instead of starting one on this machine.
        num_cpus: of the cluster to start; None means all.
        watch: is called with a stage and how many of its tasks are done.

    Raises:
        ValueError: when an argument or an edge breaks a rule; the message says the rule and the value.
        RuntimeError: when the rest does not fit in one worker, or a task was lost too often.

    Example:
        >>> import rlap.scale
        >>> path = [0, 1], [1, 2]
        >>> view = rlap.scale.schur_view(path, keep=[0, 2], directions="one", seed=0, num_cpus=1)  # doctest: +SKIP
        >>> view.edge_index.tolist(), view.edge_weight.tolist()  # doctest: +SKIP
        ([[0, 2], [2, 0]], [0.5, 0.5])
    """
    key = check_seed(seed)
    _check(parts, levels, fits, partition, method, neighbor_order, directions)
    if fraction is not None:
        check_fraction(fraction)
    files = find_files(edges)
    began = time.monotonic()
    summary = Summary(seed=key, method=method)
    with _folder(out) as folder, cluster(address, num_cpus), Tasks(watch or Silent()) as tasks:
        import ray

        summary.seconds["starting"] = time.monotonic() - began
        blocks = files if files is not None else find_blocks(edges, ray.put)
        nodes = _count_nodes(tasks, blocks) if num_nodes is None else _check_num_nodes(num_nodes)
        if return_order and nodes > COUNTED:
            raise ValueError(f"return_order is for at most {COUNTED:,} nodes (got num_nodes = {nodes:,})")
        choice = choose(fraction, keep, nodes, key)
        chosen = ray.put(choice)
        own = partition if isinstance(partition, str) else check_array(partition, nodes)
        column = own if isinstance(own, str) and own not in WORDS else None
        both = directions == "both"
        read = [tasks.start(read_edges, block, chosen, nodes, both, column, returns=4) for block in blocks]
        found: list[Found] = tasks.finish("reading", [one[3] for one in read])
        if sum(one.balance for one in found) % 2**64:
            raise ValueError(
                "edges must hold both directions of every edge, with the same weight (got some without their reverse; "
                'directions="one" is for edges that are listed once)'
            )
        live = sum(one.live for one in found)
        if parts is None:
            parts = 1 if live <= fits else math.ceil(2 * live / fits)
        if not isinstance(own, str):
            parts = own.parts if parts == 1 else max(parts, own.parts)
        plan = Plan(parts, None if column else own, levels, fits, metis_edges, nodes)  # type: ignore[arg-type]
        settled = [one[2] for one in read]
        counts = [one.settled for one in found]
        pieces = [(one[0], one[1], own_.live) for one, own_ in zip(read, found, strict=True)]
        summary.num_nodes, summary.parts, summary.rows = nodes, parts, sum(one.rows for one in found)
        summary.bytes_read = sum(one.nbytes for one in found)
        del read
        summary.seconds["reading"] = time.monotonic() - began - sum(summary.seconds.values())
        order: list[Ref] = []
        if method == "walks":
            walked = walk_parts(tasks, plan, chosen, key, pieces)
            settled, counts, summary.levels = settled + walked.settled, counts + walked.counts, walked.levels
        else:
            done = eliminate_levels(tasks, plan, chosen, neighbor_order, key, pieces)
            settled, counts, order, summary.levels = (
                settled + done.settled,
                counts + done.counts,
                done.order,
                done.levels,
            )
        summary.seconds[method] = time.monotonic() - began - sum(summary.seconds.values())
        shards = max(1, math.ceil(sum(counts) / SHARD))
        merged = _merge(tasks, settled, counts, shards, None if folder is None else str(folder))
        numbers = tasks.finish("writing" if folder else "merging", [one[1] for one in merged])
        summary.edges, summary.shards = sum(numbers), shards
        summary.kept = _count_kept(choice, nodes, fraction)
        went = whole_order(ray.get(order), choice, nodes) if return_order and method == "elimination" else None
        made = ScaledView(nodes, summary, path=None if out is None else Path(out), order=went)
        if folder is None:
            index, weight = both_directions(join(ray.get([one[0] for one in merged])))
            made = ScaledView(nodes, summary, index, weight, order=went)
        summary.seconds["writing" if folder else "merging"] = time.monotonic() - began - sum(summary.seconds.values())
    return made


def _merge(tasks: Tasks, settled: list[Ref], counts: list[int], shards: int, folder: str | None) -> list[list[Ref]]:
    pieces = [(ref, count) for ref, count in zip(settled, counts, strict=True) if count]
    samples = tasks.finish("sampling", [tasks.start(sample_sources, ref)[0] for ref, _ in pieces])
    cuts = cut_points(samples, [count for _, count in pieces], shards)
    cut = [tasks.start(split_shards, ref, cuts, returns=shards) for ref, _ in pieces]
    return [
        tasks.start(merge_shard, folder, number, *(one[number] for one in cut), returns=2) for number in range(shards)
    ]


def _count_nodes(tasks: Tasks, blocks: list[Any]) -> int:
    return 1 + max(tasks.finish("counting nodes", [tasks.start(largest_id, block)[0] for block in blocks]), default=-1)


def _count_kept(choice: Choice, nodes: int, fraction: float | None) -> int:
    if choice.kept is not None:
        return int(choice.kept.size)
    assert fraction is not None
    return nodes - min(nodes, math.floor(fraction * nodes))


def _check_num_nodes(num_nodes: int) -> int:
    if not isinstance(num_nodes, int | np.integer) or not 0 <= num_nodes < 2**63:
        raise ValueError(f"num_nodes must be an integer in [0, 2**63) (got {num_nodes!r})")
    return int(num_nodes)


def _check(
    parts: int | None,
    levels: int | None,
    fits: int,
    partition: Any,
    method: str,
    neighbor_order: str,
    directions: str,
) -> None:
    for name, value, least in (("parts", parts, 1), ("levels", levels, 0), ("fits", fits, 0)):
        if value is not None and value < least:
            raise ValueError(f"{name} must be at least {least} (got {value})")
    if method not in ("elimination", "walks"):
        raise ValueError(f'method must be "elimination" or "walks" (got {method!r})')
    check_neighbor_order(neighbor_order)
    if method == "walks" and neighbor_order != "asc":
        raise ValueError(f'method="walks" has no neighbor_order: leave it as it is (got {neighbor_order!r})')
    if directions not in ("both", "one"):
        raise ValueError(f'directions must be "both" or "one" (got {directions!r})')
    if isinstance(partition, str) and partition not in WORDS and parts is None:
        raise ValueError(f"parts must be given with a column of parts (got the column {partition!r} and no parts)")


@contextmanager
def _folder(out: str | os.PathLike[str] | None) -> Iterator[Path | None]:
    """Give a folder next to where the view is to be, which takes its place when all went well."""
    if out is None:
        yield None
        return
    path = Path(out).absolute()
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise ValueError(f"out must be a new or empty folder (got {str(out)!r})")
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(path)
    made = Path(tempfile.mkdtemp(prefix=f".{path.name}.", suffix=_PART, dir=path.parent))
    lock = _lock(made)
    try:
        yield made
        made.chmod(0o755)
        made.replace(path)
    finally:
        shutil.rmtree(made, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def _remove_leftovers(path: Path) -> None:
    """Remove the folders of calls for the same view that were killed: nobody holds their locks."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.{'?' * 8}{_PART}"):
        lock = _lock(left)
        if lock is not None:
            shutil.rmtree(left, ignore_errors=True)
            os.close(lock)


def _lock(folder: Path) -> int | None:
    """Lock a folder as long as this process lives; None where another process has it, or there are no such locks."""
    if sys.platform == "win32":
        return None
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle

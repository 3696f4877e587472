"""How does the cost of a view grow with the graph, with the number of parts, and with the number of workers?

Makes R-MAT graphs (0.57, 0.19, 0.19, 0.05; sixteen edges a node), halves them with `rlap.scale.schur_view`, and prints
Markdown: times on 1, 2 and 4 local workers, how many nodes have to wait as parts grow, memory of a worker and bytes
moved; power laws through these, and what they say of a billion and of a hundred billion edges. A square grid, of which
nine nodes in ten go, stands for graphs that can be cut.

    python benchmarks/scale.py                                       # 1M, 3M and 10M edges
    python benchmarks/scale.py --sizes 1000000 50000000 --tables time --budget 3600
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from rlap.scale import ScaledView, schur_view
from rlap.scale.session import cluster

AT_ONCE = 2_000_000
QUADRANTS = (0.57, 0.19, 0.19)
FAR = (1e9, 1e11)
TABLES = ("time", "boundary", "walks")


@dataclass(frozen=True)
class Graph:
    name: str
    folder: Path
    edges: int
    nodes: int
    fraction: float


def rmat(root: Path, edges: int) -> Graph:
    """Write an R-MAT graph, every edge once, some parallel."""
    levels = int(np.log2(edges / 16))
    folder = root / f"rmat-{edges}"
    folder.mkdir()
    rng = np.random.default_rng(edges)
    for number, first in enumerate(range(0, edges, AT_ONCE)):
        count = min(AT_ONCE, edges - first)
        source, target = np.zeros(count, np.int64), np.zeros(count, np.int64)
        for _ in range(levels):
            draw = rng.random(count)
            down = draw >= QUADRANTS[0] + QUADRANTS[1]
            right = ((draw >= QUADRANTS[0]) & ~down) | (draw >= sum(QUADRANTS))
            source, target = 2 * source + down, 2 * target + right
        write(folder, number, source, target)
    return Graph("R-MAT", folder, edges, 2**levels, 0.5)


def grid(root: Path, edges: int) -> Graph:
    """Write a square grid, every edge once."""
    side = int(np.sqrt(edges / 2))
    folder = root / f"grid-{edges}"
    folder.mkdir()
    node = np.arange(side * side).reshape(side, side)
    write(folder, 0, node[:, :-1].ravel(), node[:, 1:].ravel())
    write(folder, 1, node[:-1].ravel(), node[1:].ravel())
    return Graph("grid", folder, 2 * side * (side - 1), side * side, 0.9)


def write(folder: Path, number: int, source: NDArray[np.int64], target: NDArray[np.int64]) -> None:
    pq.write_table(pa.table({"source": source, "target": target}), folder / f"{number}.parquet")


def run(
    graph: Graph, parts: int, method: Literal["elimination", "walks"] = "elimination", partition: str = "metis"
) -> tuple[ScaledView, float]:
    """Make one view; files in, files out."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        view = schur_view(
            graph.folder,
            fraction=graph.fraction,
            num_nodes=graph.nodes,
            parts=parts,
            levels=1,
            partition=partition,
            method=method,
            directions="one",
            seed=0,
            out=Path(folder) / "view",
        )
        return view, time.perf_counter() - began


def processor(view: ScaledView) -> float:
    """Processor time of cutting and eliminating: on a machine that others use too, it says more than the clock."""
    return sum(level.cut_seconds + level.cpu_seconds for level in view.summary.levels)


def row(*cells: object) -> None:
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def head(title: str, *titles: str) -> None:
    print(f"\n### {title}\n")
    row(*titles)
    row(*("---" for _ in titles))


def power(x: list[float], y: list[float]) -> tuple[float, float]:
    """Fit y = a x^b, by least squares of the logarithms."""
    slope, offset = np.polyfit(np.log(x), np.log(y), 1)
    return float(np.exp(offset)), float(slope)


def carry_on(what: str, unit: str, scale: float, sizes: list[float], values: list[float]) -> None:
    if len(sizes) < 2:
        return
    a, b = power(sizes, values)
    far = (f"{a * size**b / scale:,.3g} {unit}" for size in FAR)
    row(what, f"{a:.3g} E^{b:.2f}", *far)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000_000, 3_000_000, 10_000_000])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--parts", type=int, nargs="+", default=[2, 4, 8, 16])
    parser.add_argument("--tables", nargs="+", default=list(TABLES), choices=TABLES)
    parser.add_argument("--budget", type=float, default=600.0, help="begin nothing after so many seconds")
    options = parser.parse_args()
    until = time.monotonic() + options.budget

    def in_time() -> bool:
        return time.monotonic() < until

    with tempfile.TemporaryDirectory() as root:
        graphs = [rmat(Path(root), size) for size in options.sizes]
        times = measure_times(graphs, options.workers, in_time) if "time" in options.tables else {}
        if "boundary" in options.tables:
            grids = [grid(Path(root), size) for size in options.sizes]
            measure_boundary(graphs, grids, options.parts, in_time)
        if "walks" in options.tables:
            measure_walks(graphs, in_time)
    most = max(options.workers)
    if not times:
        return
    head("Carried on", "what", "law", "1e9 edges", "1e11 edges")
    chosen = [(size, view, spent) for (size, workers), (view, spent) in times.items() if workers == most]
    sizes = [float(size) for size, _, _ in chosen]
    carry_on("processor time, all workers", "h", 3600, sizes, [processor(view) for _, view, _ in chosen])
    cutting = [view.summary.levels[0].cut_seconds for _, view, _ in chosen]
    carry_on("of it METIS, in one process", "h", 3600, sizes, cutting)
    carry_on("moved between workers", "GB", 1e9, sizes, [float(view.summary.bytes_moved) for _, view, _ in chosen])
    carry_on("edges left to one worker", "", 1, sizes, [float(view.summary.levels[-1].edges) for _, view, _ in chosen])


def measure_times(
    graphs: list[Graph], workers: list[int], in_time: Callable[[], bool]
) -> dict[tuple[int, int], tuple[ScaledView, float]]:
    titles = (
        "edges",
        "nodes",
        "workers",
        "seconds",
        "processor, s",
        "longest task, s",
        "memory of a worker, MB",
        "moved, MB",
    )
    head("Time, R-MAT, 4 parts, half of the nodes go", *titles)
    found = {}
    for count in workers:
        with cluster(num_cpus=count):
            run(graphs[0], 4, partition="range")  # workers start
            for graph in graphs:
                if not in_time():
                    row(f"{graph.edges:,}", f"{graph.nodes:,}", count, "not measured", "", "", "", "")
                    continue
                view, spent = run(graph, 4)
                found[graph.edges, count] = view, spent
                memory, moved = view.summary.peak_memory / 1e6, view.summary.bytes_moved / 1e6
                row(
                    f"{graph.edges:,}",
                    f"{graph.nodes:,}",
                    count,
                    f"{spent:.1f}",
                    f"{processor(view):.1f}",
                    f"{max(level.longest_seconds for level in view.summary.levels):.1f}",
                    f"{memory:,.0f}",
                    f"{moved:,.0f}",
                )
    return found


def measure_boundary(graphs: list[Graph], grids: list[Graph], parts: list[int], in_time: Callable[[], bool]) -> None:
    titles = ("graph", "edges", "parts", "nodes that wait", "edges left", "largest part", "memory, MB", "seconds")
    head("Boundary, first level, 2 workers", *titles)
    with cluster(num_cpus=2):
        for graph in each(graphs, grids):
            for count in parts:
                if not in_time():
                    row(graph.name, f"{graph.edges:,}", count, "not measured", "", "", "", "")
                    continue
                view, spent = run(graph, count)
                first = view.summary.levels[0]
                rest = view.summary.levels[1].edges if len(view.summary.levels) > 1 else 0
                row(
                    graph.name,
                    f"{graph.edges:,}",
                    count,
                    f"{first.boundary:.2%}",
                    f"{rest / first.edges:.2%}",
                    f"{first.largest_part:,}",
                    f"{first.peak_memory / 1e6:,.0f}",
                    f"{spent:.1f}",
                )


def measure_walks(graphs: list[Graph], in_time: Callable[[], bool]) -> None:
    head("Walks, R-MAT, 4 parts, 2 workers", "edges", "rounds", "seconds", "memory of a worker, MB", "moved, MB")
    with cluster(num_cpus=2):
        for graph in graphs:
            if not in_time():
                row(f"{graph.edges:,}", "not measured", "", "", "")
                continue
            view, spent = run(graph, 4, "walks", "range")
            row(
                f"{graph.edges:,}",
                len(view.summary.levels),
                f"{spent:.1f}",
                f"{view.summary.peak_memory / 1e6:,.0f}",
                f"{view.summary.bytes_moved / 1e6:,.0f}",
            )


def each(graphs: list[Graph], grids: list[Graph]) -> Iterator[Graph]:
    for pair in zip(graphs, grids, strict=True):
        yield from pair


if __name__ == "__main__":
    main()

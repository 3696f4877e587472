"""`rlap bench ppr`: the paper's comparison of PPR with PPR after rLap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlap.cli import bench_options as option
from rlap.cli.bench_report import measuring_bar, prepare_folder, show_notes, show_table
from rlap.cli.refusal import refusal

if TYPE_CHECKING:
    from rlap.experiments.overheads.measure import Size

PAPER_SIZE = 8192


def ppr(
    dataset: option.Dataset = None,
    gammas: option.Gammas = "0.1,0.2,0.3,0.4,0.5",
    size: option.SubgraphSize = None,
    alpha: option.Alpha = 0.2,
    columns: option.Columns = 64,
    runs: option.Runs = 3,
    seed: option.Seed = 0,
    data: option.Data = None,
    trust_data: option.TrustData = False,
    out: option.Out = None,
    quiet: option.Quiet = False,
) -> None:
    """Compare PPR and a sub-graph with rLap, PPR and a sub-graph.

    Shows memory, time, edges, and the error against exact PPR restricted to the kept nodes, for two ways to put PPR
    after rLap: the paper's shortcut, which reduces the Laplacian alone, and the grounded one, which reduces the matrix
    that PPR inverts. Every way is measured in a process of its own.

    Example: `rlap bench ppr --data datasets --dataset COAUTHOR-CS --out results`
    """
    with refusal():
        from rlap.datasets import DataFolder
        from rlap.datasets.registry import canonical
        from rlap.diffusion.sparse import check_share
        from rlap.experiments.overheads.isolation import run_alone
        from rlap.experiments.overheads.ppr import exact, open_comparison, take_up_ppr, tasks
        from rlap.experiments.overheads.suite import first_dataset
        from rlap.report.overheads import heading
        from rlap.report.ppr import TITLES, draw_ppr, ppr_cells, ppr_explanation, ppr_markdown
        from rlap.schur.seeds import check_seed

        shares = _shares(gammas)
        check_share(alpha, "alpha")
        check_seed(seed)
        for name, value in (("size", size), ("columns", columns), ("runs", runs)):
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1 (got {value})")
        folder = prepare_folder(out)
        source = DataFolder(data, trust_data)
        known = first_dataset(["COAUTHOR-PHY", "digits"] if dataset is None else [canonical(dataset)], source)
        nodes = _need_one_graph(*known).nodes
        kept = nodes - int(max(shares) * nodes)
        plan = tasks(
            shares,
            dataset=known[0],
            folder=source,
            alpha=alpha,
            size=_fit(size, kept, nodes),
            columns=min(columns, kept),
            runs=runs,
            seed=seed,
        )
        results = open_comparison(folder and folder / "ppr.csv", plan[0])
        rows = []
        with measuring_bar(len(plan) + 1, quiet) as (say, done):
            say(f"exact PPR on {known[0]}")
            truth = run_alone(exact, plan[0]).need()
            done()
            for task in plan:
                say(f"{task.method}, gamma {task.gamma:g}")
                rows.append(take_up_ppr(task, truth, results))
                done()
        if folder is not None:
            (folder / "ppr.md").write_text(ppr_markdown(rows), encoding="utf-8")
            draw_ppr(rows, folder / "ppr.png")
        if not quiet:
            show_table(heading(*known), TITLES, map(ppr_cells, rows))
            show_notes(ppr_explanation(rows))


def _shares(gammas: str) -> list[float]:
    try:
        shares = [float(word) for word in gammas.split(",") if word.strip()]
    except ValueError:
        raise ValueError(f"gammas must be numbers with commas between (got {gammas!r})") from None
    for share in shares:
        if not 0 < share < 1:
            raise ValueError(f"gamma must lie between 0 and 1 (got {share})")
    if not shares:
        raise ValueError(f"give at least one gamma (got {gammas!r})")
    return sorted(set(shares))


def _need_one_graph(name: str, size: Size) -> Size:
    if size.level != "node":
        raise ValueError(f"the data set must be one graph (got {name}, a set of {size.graphs} graphs)")
    return size


def _fit(size: int | None, kept: int, nodes: int) -> int:
    """Choose the size of sub-graphs: the paper's, or on a small graph as large a share as the paper's has."""
    if size is None:
        return PAPER_SIZE if kept >= PAPER_SIZE else max(1, nodes // 4)
    if size > kept:
        raise ValueError(f"size must be at most {kept}, the nodes that the largest gamma keeps (got {size})")
    return size

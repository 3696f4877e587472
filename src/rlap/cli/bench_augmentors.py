"""`rlap bench augmentors`: the paper's overhead tables."""

from __future__ import annotations

from collections.abc import Callable

from rlap.cli import bench_options as option
from rlap.cli.bench_report import measuring_bar, prepare_folder, show_notes, show_table
from rlap.cli.refusal import refusal

FEWEST = 1


def augmentors(
    datasets: option.Datasets = None,
    augmentors: option.Augmentors = None,
    perturbation: option.Perturbation = 0.5,
    runs: option.Runs = 10,
    seed: option.Seed = 0,
    data: option.Data = None,
    trust_data: option.TrustData = False,
    out: option.Out = None,
    quiet: option.Quiet = False,
) -> None:
    """Measure the memory and the time of augmentors, beside the paper's numbers.

    Each augmentor is measured on each data set in a process of its own: by how much its resident size peaks above
    where it stood, and the median of several runs. Graph sets are augmented in batches of 128, and the time of all
    batches together is given. An augmentor that needs more memory than there is, is shown as such.

    Example: `rlap bench augmentors --data datasets --datasets CORA,MUTAG --augmentors rLap,PPRDiffusion --out results`
    """
    with refusal():
        from rlap.datasets import DataFolder
        from rlap.datasets.registry import canonical
        from rlap.experiments.overheads.augmentors import OTHERS, PAPER, check_name
        from rlap.experiments.overheads.measure import Task
        from rlap.experiments.overheads.suite import find_datasets, open_results, take_up
        from rlap.report.overheads import TITLES, cells, explanation, heading, markdown
        from rlap.report.overheads_chart import draw_overheads
        from rlap.schur.seeds import check_seed
        from rlap.schur.selection import check_fraction
        from rlap.transforms import names

        check_fraction(perturbation, "perturbation")
        check_seed(seed)
        if runs < FEWEST:
            raise ValueError(f"runs must be at least {FEWEST} (got {runs})")
        every = names() if augmentors == ["all"] else _words(augmentors, check_name) or [*PAPER, *OTHERS]
        wanted = _words(datasets, canonical)
        folder = prepare_folder(out)
        path = folder and folder / "augmentors.csv"
        results = open_results(path, perturbation=perturbation, runs=runs, seed=seed)
        source = DataFolder(data, trust_data)
        sizes = find_datasets(wanted, source)
        tasks = [Task(one, name, source, perturbation, runs, seed) for one in sizes for name in every]
        rows = []
        with measuring_bar(len(tasks), quiet) as (say, done):
            for task in tasks:
                say(f"{task.augmentor} on {task.dataset}")
                rows.append(take_up(task, sizes[task.dataset].level, results))
                done()
        if folder is not None:
            (folder / "augmentors.md").write_text(markdown(rows, sizes), encoding="utf-8")
            draw_overheads(rows, "memory", folder / "augmentors-memory.png")
            draw_overheads(rows, "time", folder / "augmentors-time.png")
        if not quiet:
            for name, size in sizes.items():
                show_table(heading(name, size), TITLES, [cells(row) for row in rows if row.dataset == name])
            show_notes(explanation(rows))


def _words(given: list[str] | None, check: Callable[[str], str]) -> list[str] | None:
    """Give the names in an option, each once and as the registry spells it."""
    if given is None:
        return None
    found = [check(word.strip()) for words in given for word in words.split(",") if word.strip()]
    if not found:
        raise ValueError(f"give at least one name (got {','.join(given)!r})")
    return list(dict.fromkeys(found))

"""`rlap reproduce`: the paper's tables and figures, run by run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from rlap.cli import reproduce_options as option
from rlap.cli.refusal import FAILED, refusal

if TYPE_CHECKING:
    from rlap.experiments.job import Job
    from rlap.experiments.runner import Options, Progress
    from rlap.experiments.runner.progress import Display
    from rlap.experiments.search import Search
    from rlap.experiments.store import Store

INTERRUPTED = 130  # what a shell has for a program that Ctrl-C ended


def reproduce(
    targets: option.Targets,
    datasets: option.Datasets = None,
    augmentors: option.Augmentors = None,
    protocol: option.Protocol = option.Protocols.both,
    seeds: option.Seeds = None,
    settings: option.Settings = None,
    budget: option.Budget = None,
    jobs: option.Jobs = 1,
    threads: option.Threads = 0,
    backend: option.Backend = option.Backends.local,
    address: option.Address = None,
    store: option.StoreFile = option.DEFAULT_STORE,
    data: option.DataFolder = None,
    trust_data: option.TrustData = False,
    retry_failed: option.RetryFailed = False,
    dry_run: option.DryRun = False,
    quiet: option.Quiet = False,
) -> None:
    """Make tables and figures of the paper, and keep every result.

    What is in the store is never computed again: call it as often as you like, and kill it when you like. Several
    calls may share one store.

    Example: `rlap reproduce grace bgrl --datasets Cora,MUTAG --protocol clean --budget 2h --jobs 2 --data DIR`
    """
    with refusal():
        from rlap.experiments.duration import parse_duration

        limit = None if budget is None else parse_duration(budget)
        from rlap.cli.reproduce_live import Board, list_runs, say_left_out, say_outcome
        from rlap.cli.reproduce_search import list_searches, say_found
        from rlap.datasets import DataFolder
        from rlap.experiments.runner import Options, Progress
        from rlap.experiments.runner.expectation import Expectation
        from rlap.experiments.store import Store
        from rlap.experiments.targets import Choice, expand, find_searches

        if address is not None and backend is not option.Backends.ray:
            raise ValueError(f"--address is for --backend ray (got {address!r} with {backend.value})")
        folder = DataFolder(data, trust_data)
        options = Options(jobs, limit, folder, threads or (1 if backend is option.Backends.ray else 0))
        choice = Choice(option.split(datasets), option.split(augmentors), protocol.value, seeds, tuple(settings or ()))
        wanted, searches = expand(targets, choice), find_searches(targets, choice)
        if dry_run:
            list_runs(wanted, store, folder)
            list_searches(searches, store)
            return
        kept = Store(store)
        progress, left_out = Progress({}, {}, Expectation()), dict[str, str]()
        with _crew(backend, address, jobs * options.share()) as crew, nullcontext(None) if quiet else Board() as board:
            for part in _parts(kept, wanted, searches, options, retry_failed, board, crew):
                progress.add(part[0])
                left_out |= part[1]
        if not quiet:
            say_outcome(progress, store)
            say_found(searches, kept)
        say_left_out(left_out)
        if progress.problem:
            raise RuntimeError(progress.problem)
    if progress.stopping == "interrupted":
        raise typer.Exit(INTERRUPTED)
    if left_out or not progress.complete:
        raise typer.Exit(FAILED)


def _parts(
    store: Store,
    wanted: Sequence[Job],
    searches: Sequence[Search],
    options: Options,
    retry_failed: bool,
    display: Display | None,
    crew: Callable[..., Any],
) -> Iterator[tuple[Progress, dict[str, str]]]:
    """Compute the runs of fixed targets, and then search with what is left of the budget."""
    from rlap.experiments.runner import prepare, run_jobs

    began = time.monotonic()
    stopping = ""
    if wanted:
        prepared = prepare(store, wanted, options.folder)
        if retry_failed:
            store.reopen(prepared.jobs)
        progress = run_jobs(store, prepared.jobs, options, display, crew)
        stopping = progress.stopping
        yield progress, prepared.left_out
    if searches and not stopping:
        from rlap.experiments.search.loop import run_searches

        left = None if options.budget is None else max(options.budget - (time.monotonic() - began), 1.0)
        rest = replace(options, budget=left)
        yield run_searches(store, searches, rest, display, retry_failed=retry_failed, crew=crew)


@contextmanager
def _crew(backend: option.Backends, address: str | None, cpus: int) -> Iterator[Callable[..., Any]]:
    """Give those who compute. A Ray of our own gets as many CPUs as the runs at once want, however few there are."""
    if backend is option.Backends.local:
        from rlap.experiments.runner.crew import Crew

        yield Crew
        return
    from rlap.scale.crew import RayCrew
    from rlap.scale.session import cluster

    with cluster(address, cpus):
        yield RayCrew

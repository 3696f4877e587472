"""`rlap reproduce`: the paper's tables and figures, run by run."""

from __future__ import annotations

from contextlib import nullcontext

import typer

from rlap.cli import reproduce_options as option
from rlap.cli.refusal import FAILED, refusal

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
    store: option.StoreFile = option.DEFAULT_STORE,
    data: option.DataFolder = None,
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
        from rlap.experiments.runner import Options, prepare, run_jobs
        from rlap.experiments.store import Store
        from rlap.experiments.targets import Choice, expand

        options = Options(jobs, limit, data, threads)
        choice = Choice(option.split(datasets), option.split(augmentors), protocol.value, seeds, tuple(settings or ()))
        wanted = expand(targets, choice)
        if dry_run:
            list_runs(wanted, store, data)
            return
        kept = Store(store)
        prepared = prepare(kept, wanted, data)
        if retry_failed:
            kept.reopen(prepared.jobs)
        with nullcontext(None) if quiet else Board() as board:
            progress = run_jobs(kept, prepared.jobs, options, board)
        if not quiet:
            say_outcome(progress, store)
        say_left_out(prepared.left_out)
    if progress.stopping == "interrupted":
        raise typer.Exit(INTERRUPTED)
    if prepared.left_out or "failed" in progress.states.values():
        raise typer.Exit(FAILED)

"""Optuna's part: which configuration is tried next, and which is given up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rlap.experiments.job import Job, canonical_json
from rlap.experiments.search.history import Tried
from rlap.experiments.search.search import Search

_STARTUP = 4  # full trials, before any is given up


def next_jobs(search: Search, tried: Sequence[Tried], number: int) -> list[Job]:
    """Say what is to be run next: what was begun, what goes on, and then so many configurations that are new.

    It follows from the search and what was tried alone, so that whoever asks gets the same answer. The paper's choice
    is the first configuration of all.
    """
    begun = [one.unfinished for one in tried if one.unfinished is not None]
    going_on = [
        search.job(one.parameters, short=False) for one in tried if one.waits and not is_pruned(search, tried, one)
    ]
    fresh = new_configurations(search, tried, max(number - len(going_on), 0))
    return [*begun, *going_on, *(search.job(one, short=True) for one in fresh)]


def new_configurations(search: Search, tried: Sequence[Tried], number: int) -> list[dict[str, Any]]:
    """Choose configurations that were not tried yet."""
    known = {canonical_json(one.parameters) for one in tried}
    wanted = min(number, search.limit - len(known))
    found: list[dict[str, Any]] = []
    asked = _asked(search, tried)
    while len(found) < wanted:
        one = next(asked)
        if canonical_json(one) not in known:
            known.add(canonical_json(one))
            found.append(one)
    return found


def is_pruned(search: Search, tried: Sequence[Tried], one: Tried) -> bool:
    """Ask Optuna's median rule whether a configuration is to be given up after its short trial."""
    from optuna.pruners import MedianPruner

    pruner = MedianPruner(n_startup_trials=_STARTUP, n_warmup_steps=0)
    others = [other for other in tried if other is not one]
    return bool(pruner.prune(_study(search, others, None), _frozen(search, one, running=True)))


def _asked(search: Search, tried: Sequence[Tried]) -> Iterator[Any]:
    """Give the paper's choice, then what Optuna asks for, and in the end whatever is left."""
    from optuna.samplers import GridSampler, TPESampler
    from optuna.trial import TrialState

    paper = search.paper()
    if paper is not None:
        yield paper
    sampler: Any = (
        TPESampler(seed=len(tried)) if search.sampler == "tpe" else GridSampler(dict(search.open), seed=len(tried))
    )
    study = _study(search, tried, sampler)
    for _ in range(2 * search.size if search.sampler == "tpe" else search.size):
        trial = study.ask(_distributions(search))
        yield trial.params
        if search.sampler == "tpe":
            study.tell(trial, state=TrialState.FAIL)  # it is not run here, and must not count as running either
    yield from search.configurations()


def _study(search: Search, tried: Sequence[Tried], sampler: Any) -> Any:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    study.add_trials([_frozen(search, one) for one in tried if one.unfinished is None])
    return study


def _frozen(search: Search, one: Tried, *, running: bool = False) -> Any:
    from optuna.trial import TrialState, create_trial

    if running:
        state = TrialState.RUNNING
    elif one.failed:
        state = TrialState.FAIL
    else:
        state = TrialState.PRUNED if one.value is None else TrialState.COMPLETE
    return create_trial(
        state=state,
        value=one.value if state == TrialState.COMPLETE else None,
        params=one.parameters,
        distributions=_distributions(search),
        intermediate_values={} if one.early is None else {search.short: one.early},
    )


def _distributions(search: Search) -> dict[str, Any]:
    from optuna.distributions import CategoricalDistribution

    return {name: CategoricalDistribution(values) for name, values in search.open.items()}

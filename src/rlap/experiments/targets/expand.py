"""`expand`: from targets to jobs."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rlap.datasets.registry import canonical, names
from rlap.experiments import config
from rlap.experiments.baseline_job import SETTINGS as BASELINES
from rlap.experiments.baseline_job import baseline_job
from rlap.experiments.job import Job
from rlap.experiments.leak import leak_job
from rlap.experiments.method_job import method_job
from rlap.experiments.overhead_jobs import COMPARISON, OVERHEADS, overhead_job, ppr_job
from rlap.experiments.search import Search
from rlap.experiments.search.search import SETTINGS as SEARCH
from rlap.experiments.settings import check_keys, parse_words
from rlap.experiments.spectral import SETTINGS, spectral_job
from rlap.experiments.targets.target import ALL, Target, find_target, target_names


@dataclass(frozen=True)
class Choice:
    """What is asked for of the targets; None is all there is.

    `words` are settings as key=value, for quick trials; they make other runs, under other keys.
    """

    datasets: Sequence[str] | None = None
    augmentors: Sequence[str] | None = None
    protocol: str = "both"
    seeds: int | None = None
    words: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.protocol not in ("clean", "paper", "both"):
            raise ValueError(f"protocol must be clean, paper or both (got {self.protocol!r})")
        if self.seeds is not None and self.seeds < 1:
            raise ValueError(f"seeds must be at least 1 (got {self.seeds})")


def expand(targets: Iterable[str], choice: Choice | None = None) -> list[Job]:
    """List the jobs of targets, without those that several have in common; searches have none before they begin.

    Data sets that a target does not have are left out, but may be asked for if they are of its level: the embedded
    ones take the place of the paper's in trials.

    Example:
        >>> jobs = expand(["grace"], Choice(datasets=["Cora"], protocol="clean", seeds=2))
        >>> len(jobs), jobs[0].title
        (20, 'grace, rLap, CORA, clean, seed 0')
    """
    chosen, asked, settings = _read(targets, choice)
    fixed = [target for target in chosen if not target.is_search]
    jobs = [
        _MAKERS[target.kind](target, dataset, augmentor, protocol, seed, settings[target.kind])
        for target in fixed
        for seed in range(asked.seeds or target.seeds)
        for dataset, augmentor, protocol in _cells(target, asked)
    ]
    if fixed and not jobs:
        raise ValueError(f"no run of {', '.join(target.name for target in fixed)} is left of what was asked for")
    return list({job.to_json(): job for job in jobs}.values())


def find_searches(targets: Iterable[str], choice: Choice | None = None) -> list[Search]:
    """List the searches of targets.

    Example:
        >>> [one.title for one in find_searches(["grid"], Choice(datasets=["Cora"], protocol="clean"))]
        ['grace, rLap, CORA, clean', 'mvgrl, rLap, CORA, clean']
    """
    chosen, asked, settings = _read(targets, choice)
    hunts = [target for target in chosen if target.is_search]
    words = settings["trial"]
    own = parse_words(word for key, word in words.items() if key in SEARCH)
    shared = [word for key, word in words.items() if key not in SEARCH]
    found = [
        Search(
            target.method, dataset, augmentor, protocol, target.space, shared, seeds=asked.seeds or target.seeds, **own
        )
        for target in hunts
        for dataset, augmentor, protocol in _cells(target, asked)
    ]
    if hunts and not found:
        raise ValueError(f"no search of {', '.join(target.name for target in hunts)} is left of what was asked for")
    return found


def _read(targets: Iterable[str], choice: Choice | None) -> tuple[list[Target], Choice, dict[str, dict[str, str]]]:
    asked = choice or Choice()
    chosen = _find(targets)
    if not chosen:
        raise ValueError(f"a target must be named: one of {', '.join([*target_names(), ALL])}")
    _check_rows(chosen, asked.augmentors)
    return chosen, asked, _settings(chosen, asked.words)


def _cells(target: Target, choice: Choice) -> Iterator[tuple[str, str, str]]:
    """Go through data sets, augmentors and protocols."""
    wanted = None if choice.augmentors is None else {name.lower() for name in choice.augmentors}
    for dataset in _datasets(target, choice.datasets):
        for row in target.rows:
            for protocol in target.protocols:
                augmentor = target.augmentor(row, protocol)
                if wanted is not None and not wanted & {row.lower(), augmentor.lower()}:
                    continue
                if not protocol or choice.protocol in (protocol, "both"):
                    yield dataset, augmentor, protocol


def _datasets(target: Target, asked: Sequence[str] | None) -> list[str]:
    if asked is None:
        return list(target.datasets)
    fitting = [name for level in (names("node"), names("graph")) if {*level} & {*target.datasets} for name in level]
    return [name for name in dict.fromkeys(map(canonical, asked)) if name in fitting]


def _find(names: Iterable[str]) -> list[Target]:
    """Find targets, and those that come with them, each once."""
    everything = [name for name in target_names() if not find_target(name).is_search]
    asked = [find_target(one) for name in names for one in (everything if name.lower() == ALL else [name])]
    found = {one.name: one for target in asked for one in (target, *map(find_target, target.also))}
    return list(found.values())


def _check_rows(targets: Sequence[Target], asked: Sequence[str] | None) -> None:
    known = {name.lower(): name for target in targets for name in _names(target)}
    for name in asked or ():
        if name.lower() not in known:
            near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.0)[0]
            hint = _elsewhere(name, targets) or f"the nearest is {known[near]!r}"
            raise ValueError(f"the targets must have the augmentor (got {name!r}; {hint})")


def _elsewhere(name: str, targets: Sequence[Target]) -> str:
    """Say which targets have the augmentor, those of the same designs if there are any; empty where none has it."""
    others = [
        other for other in map(find_target, target_names()) if name.lower() in {one.lower() for one in _names(other)}
    ]
    methods = {target.method for target in targets}
    nearest = [other for other in others if other.method in methods and not other.is_search] or others
    return f"these have it: {', '.join(other.name for other in nearest)}" if nearest else ""


def _names(target: Target) -> Iterator[str]:
    for row in target.rows:
        yield row
        yield target.augmentor(row)


def _settings(targets: Sequence[Target], words: Sequence[str]) -> dict[str, dict[str, str]]:
    """Give every kind the words that it knows; one that none of them knows is refused."""
    by_key = {next(iter(parse_words([word]))): word for word in words}
    kinds = {target.kind for target in targets}
    plain = {key: key.rpartition(".")[2] if _KNOWS_SECTIONS & kinds else key for key in by_key}
    check_keys(plain.values(), sorted({key for kind in kinds for key in _OWN[kind]}))
    return {kind: {key: word for key, word in by_key.items() if plain[key] in own} for kind, own in _OWN.items()}


def _make_method(
    target: Target, dataset: str, augmentor: str, protocol: str, seed: int, words: Mapping[str, str]
) -> Job:
    return method_job(target.method, dataset, augmentor, protocol, seed, list(words.values()))


def _make_leak(target: Target, dataset: str, row: str, protocol: str, seed: int, words: Mapping[str, str]) -> Job:
    return leak_job(dataset, row, seed, list(words.values()))


def _make_by(make: Callable[..., Job]) -> Callable[..., Job]:
    def job(target: Target, dataset: str, row: str, protocol: str, seed: int, words: Mapping[str, str]) -> Job:
        return make(dataset, row, seed, parse_words(words.values()))

    return job


def _make_baseline(
    target: Target, dataset: str, augmentor: str, protocol: str, seed: int, words: Mapping[str, str]
) -> Job:
    return baseline_job(dataset, augmentor, protocol, seed, parse_words(words.values()))


_KNOWS_SECTIONS = {"method", "leak", "trial"}  # settings as train.lr
_OWN: Mapping[str, Collection[str]] = {
    "method": config.SETTINGS,
    "leak": config.SETTINGS,
    "trial": {*config.SETTINGS, *SEARCH},
    "baseline": BASELINES,
    "spectral": SETTINGS.keys(),
    "overheads": OVERHEADS.keys(),
    "ppr": COMPARISON.keys(),
}
_MAKERS: Mapping[str, Callable[..., Job]] = {
    "method": _make_method,
    "leak": _make_leak,
    "baseline": _make_baseline,
    "spectral": _make_by(spectral_job),
    "overheads": _make_by(overhead_job),
    "ppr": _make_by(ppr_job),
}

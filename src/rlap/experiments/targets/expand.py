"""`expand`: from targets to jobs."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rlap.datasets.registry import canonical, names
from rlap.experiments.job import Job
from rlap.experiments.leak import leak_job
from rlap.experiments.method_job import method_job
from rlap.experiments.overhead_jobs import COMPARISON, OVERHEADS, overhead_job, ppr_job
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
    """List the jobs of targets, without those that several have in common.

    Data sets that a target does not have are left out, but may be asked for if they are of its level: the embedded
    ones take the place of the paper's in trials.

    Example:
        >>> jobs = expand(["grace"], Choice(datasets=["Cora"], protocol="clean", seeds=2))
        >>> len(jobs), jobs[0].title
        (20, 'grace, rLap, CORA, clean, seed 0')
    """
    asked = choice or Choice()
    chosen = _find(targets)
    if not chosen:
        raise ValueError(f"a target must be named: one of {', '.join([*target_names(), ALL])}")
    _check_rows(chosen, asked.augmentors)
    settings = _settings(chosen, asked.words)
    jobs = [job for target in chosen for job in _jobs(target, asked, settings[target.kind])]
    if not jobs:
        raise ValueError(f"no run of {', '.join(target.name for target in chosen)} is left of what was asked for")
    return list({job.to_json(): job for job in jobs}.values())


def _jobs(target: Target, choice: Choice, words: Mapping[str, str]) -> Iterator[Job]:
    wanted = None if choice.augmentors is None else {name.lower() for name in choice.augmentors}
    for seed in range(choice.seeds or target.seeds):
        for dataset in _datasets(target, choice.datasets):
            for row in target.rows:
                augmentor = target.augmentor(row)
                if wanted is not None and not wanted & {row.lower(), augmentor.lower()}:
                    continue
                for protocol in target.protocols:
                    if protocol and choice.protocol not in (protocol, "both"):
                        continue
                    yield _MAKERS[target.kind](target, dataset, augmentor, protocol, seed, words)


def _datasets(target: Target, asked: Sequence[str] | None) -> list[str]:
    if asked is None:
        return list(target.datasets)
    fitting = [name for level in (names("node"), names("graph")) if {*level} & {*target.datasets} for name in level]
    return [name for name in dict.fromkeys(map(canonical, asked)) if name in fitting]


def _find(names: Iterable[str]) -> list[Target]:
    """Find targets, and those that come with them, each once."""
    asked = [find_target(one) for name in names for one in (target_names() if name.lower() == ALL else [name])]
    found = {one.name: one for target in asked for one in (target, *map(find_target, target.also))}
    return list(found.values())


def _check_rows(targets: Sequence[Target], asked: Sequence[str] | None) -> None:
    known = {name.lower(): name for target in targets for row in target.rows for name in (row, target.augmentor(row))}
    for name in asked or ():
        if name.lower() not in known:
            near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.0)[0]
            raise ValueError(f"the targets must have the augmentor (got {name!r}; the nearest is {known[near]!r})")


def _settings(targets: Sequence[Target], words: Sequence[str]) -> dict[str, dict[str, str]]:
    """Give every kind the words that it knows. Designs have all that no other has, and refuse what is no setting."""
    by_key = {next(iter(parse_words([word]))): word for word in words}
    kinds = {target.kind for target in targets}
    known = {key for kind in kinds & _OWN.keys() for key in _OWN[kind]}
    if not kinds & set(_DESIGNS):
        check_keys(by_key, known)
    found = {kind: {key: word for key, word in by_key.items() if key in own} for kind, own in _OWN.items()}
    rest = {key: word for key, word in by_key.items() if key not in known}
    return found | dict.fromkeys(_DESIGNS, rest)


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


_DESIGNS = ("method", "leak")  # kinds that train a design, and take its settings
_OWN: Mapping[str, Mapping[str, object]] = {"spectral": SETTINGS, "overheads": OVERHEADS, "ppr": COMPARISON}
_MAKERS: Mapping[str, Callable[..., Job]] = {
    "method": _make_method,
    "leak": _make_leak,
    "spectral": _make_by(spectral_job),
    "overheads": _make_by(overhead_job),
    "ppr": _make_by(ppr_job),
}

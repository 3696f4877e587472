"""What searches have found, from a store alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rlap.experiments.hyperparameters import defaults
from rlap.experiments.job import Job, canonical_json
from rlap.experiments.results import Cell, cells, changes
from rlap.experiments.search.history import is_final, parameters_of, validation
from rlap.experiments.search.trial_job import as_run, lengthened
from rlap.experiments.store import Entry
from rlap.experiments.targets import find_target

NAMES: Sequence[str] = tuple(find_target("grid-grace").space)


@dataclass(frozen=True)
class Choice:
    """A configuration: its accuracy on validation, in [0, 1], and on the test parts, where it was tested."""

    parameters: Mapping[str, Any]
    validation: float | None
    test: Cell | None

    @property
    def text(self) -> str:
        """Name the hyper-parameters.

        Example:
            >>> Choice({"layers": 2, "lr": 0.01}, None, None).text
            'layers 2, lr 0.01'
        """
        return ", ".join(f"{name} {value:g}" for name, value in self.parameters.items())


@dataclass(frozen=True)
class Found:
    """A search: how many configurations were tried in full, given up, or failed; the best, and the paper's.

    `fixed` has the settings that are not the target's; it is empty for the paper's search.
    """

    method: str
    dataset: str
    augmentor: str
    protocol: str
    fixed: str
    full: int
    given_up: int
    failed: int
    best: Choice
    paper: Choice | None


def found_best(entries: Iterable[Entry]) -> list[Found]:
    """Put the trials of every search together, and choose by validation. Searches without a full trial are left out."""
    every = [entry for entry in entries if entry.is_current]
    groups: dict[tuple[str, str], list[Entry]] = {}
    for entry in every:
        if entry.job.kind == "trial":
            groups.setdefault((_fixed(entry.job), entry.checksum), []).append(entry)
    tests = _tests(every)
    return [one for group in groups.values() if (one := _choose(group, tests)) is not None]


def _choose(group: Sequence[Entry], tests: Mapping[str, Sequence[Entry]]) -> Found | None:
    final = [entry for entry in group if entry.result is not None and is_final(entry)]
    if not final:
        return None
    best = max(final, key=validation)
    job = best.job
    done = {_configuration(entry.job) for entry in final}
    failed = {_configuration(entry.job) for entry in group if entry.state == "failed"} - done
    begun = {_configuration(entry.job) for entry in group if entry.result is not None}
    usual = defaults(job.method, job.dataset)
    paper = None
    if all(name in usual for name in NAMES):
        wanted = {name: usual[name] for name in NAMES}
        its = next((entry for entry in final if parameters_of(entry.job, NAMES) == wanted), None)
        paper = Choice(wanted, None, None) if its is None else _choice(its, tests)
    return Found(
        job.method,
        job.dataset,
        job.augmentor,
        job.protocol,
        _changes(job),
        len(done),
        len(begun - done - failed),
        len(failed),
        _choice(best, tests),
        paper,
    )


def _choice(entry: Entry, tests: Mapping[str, Sequence[Entry]]) -> Choice:
    found = cells(tests.get(_configuration(entry.job) + entry.checksum, ()))
    return Choice(parameters_of(entry.job, NAMES), validation(entry), found[0] if found else None)


def _tests(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Find the finished runs of designs by their configuration, whatever the seed, and their data."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.job.kind == "method" and entry.result is not None:
            found.setdefault(_configuration(entry.job) + entry.checksum, []).append(entry)
    return found


def _configuration(job: Job) -> str:
    return as_run(job, seed=0).to_json()


def _fixed(job: Job) -> str:
    """Write what all trials of a search share."""
    settings = {**lengthened(job).settings}
    for part in ("method", "train"):
        settings[part] = {key: value for key, value in settings[part].items() if key not in NAMES}
    return canonical_json([job.method, job.dataset, job.augmentor, job.protocol, settings])


def _changes(job: Job) -> str:
    words = changes(replace(lengthened(job), kind="method"))
    return ", ".join(word for word in words.split(", ") if word.partition("=")[0] not in NAMES)

"""`prepare`: put jobs into a store, in the order in which they are to be done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from rlap import datasets
from rlap.datasets import Folder
from rlap.experiments.job import Job
from rlap.experiments.store import Store

# What a run on a data set costs beside the others, roughly. It orders runs, and is a first guess of their time.
WEIGHT = {
    "MUTAG": 1.0,
    "families": 1.0,
    "digits": 2.0,
    "CORA": 4.0,
    "PROTEINS": 5.0,
    "IMDB-BINARY": 5.0,
    "IMDB-MULTI": 6.0,
    "NCI1": 15.0,
    "AMAZON-PHOTO": 20.0,
    "PUBMED": 30.0,
    "COAUTHOR-CS": 40.0,
    "COAUTHOR-PHY": 80.0,
}

Checksums: TypeAlias = dict[tuple[str, str], str]  # by data set and features


@dataclass(frozen=True)
class Prepared:
    """Jobs by their keys, in order; and why data sets were left out, by name."""

    jobs: dict[str, Job]
    left_out: dict[str, str]


def in_order(jobs: Iterable[Job]) -> list[Job]:
    """Sort jobs so that every cell gets a first seed before any gets a second, and small data sets come first.

    Example:
        >>> jobs = [Job("method", name, "grace", "rLap", seed=seed) for seed in (1, 0) for name in ("PUBMED", "CORA")]
        >>> [(job.dataset, job.seed) for job in in_order(jobs)]
        [('CORA', 0), ('PUBMED', 0), ('CORA', 1), ('PUBMED', 1)]
    """
    return sorted(jobs, key=lambda job: (job.seed, WEIGHT.get(job.dataset, 0.0)))


def prepare(store: Store, jobs: Iterable[Job], folder: Folder = None, known: Checksums | None = None) -> Prepared:
    """Put jobs into a store, with the checksums of their data sets. Those of data sets that are not there are left out.

    `known` has checksums of an earlier call, and takes those of this one: whoever prepares often reads data once.

    Raises:
        FileNotFoundError: when none of the data sets is there.
    """
    checksums: Checksums = {} if known is None else known
    left_out: dict[str, str] = {}
    wanted = in_order(jobs)
    for job in wanted:
        place = (job.dataset, features_of(job))
        if place in checksums or job.dataset in left_out:
            continue
        try:
            checksums[place] = checksum(*place, folder)
        except FileNotFoundError as missing:
            left_out[job.dataset] = str(missing)
    there = [job for job in wanted if job.dataset not in left_out]
    if not there and left_out:
        raise FileNotFoundError("\n".join(left_out.values()))
    keys = store.add((job, checksums[job.dataset, features_of(job)]) for job in there)
    return Prepared(dict(zip(keys, there, strict=True)), left_out)


def features_of(job: Job) -> str:
    """Say which features a job wants."""
    return str(job.settings.get("features", "default"))


def checksum(name: str, features: str, folder: Folder = None) -> str:
    """Give the checksum of a data set's content."""
    loaded = datasets.load(name, folder, features=features, sparse_features=True)  # type: ignore[arg-type]
    return str(loaded.checksum)

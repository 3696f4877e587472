"""`Job`: one run of an experiment, in plain values, and the key under which its result is kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from rlap.experiments.revisions import results_version


@dataclass(frozen=True)
class Job:
    """What is to be computed.

    Args:
        kind: who computes it; see `rlap.experiments.kinds`.
        dataset: one of `rlap.datasets.names()`.
        method: the design, or the name of the experiment.
        augmentor: by its name in `rlap.transforms`.
        protocol: "clean" or "paper"; empty where there is only one way.
        seed: of everything random.
        settings: all that the result depends on besides, in values that JSON knows.

    Example:
        >>> Job("method", "CORA", "grace", "rLap", "clean", seed=1).title
        'grace, rLap, CORA, clean, seed 1'
    """

    kind: str
    dataset: str
    method: str
    augmentor: str
    protocol: str = ""
    seed: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def cell(self) -> tuple[str, ...]:
        """What has one place in a table, whatever the seed."""
        return (self.kind, self.method, self.dataset, self.protocol, self.augmentor)

    @property
    def column(self) -> tuple[str, ...]:
        """What has one column in a table, whatever the augmentor and the seed."""
        return self.cell[:-1]

    @property
    def title(self) -> str:
        """The job in a few words."""
        return ", ".join(part for part in (*self.short, f"seed {self.seed}") if part)

    @property
    def short(self) -> tuple[str, ...]:
        """The parts of the title that are not the seed."""
        return (self.method, self.augmentor, self.dataset, self.protocol)

    def to_json(self) -> str:
        """Write the job so that equal jobs give equal text."""
        return canonical_json(asdict(self))

    @staticmethod
    def from_json(text: str) -> Job:
        """Read what `to_json` wrote."""
        return Job(**json.loads(text))


def job_key(job: Job, checksum: str, version: int | None = None) -> str:
    """Give the name of a result: a digest of the whole job, of the data set's content and of the results' version.

    The version is the present one, unless another is asked for.

    Example:
        >>> job = Job("method", "CORA", "grace", "rLap")
        >>> job_key(job, "ab") == job_key(job, "ab"), job_key(job, "ab") == job_key(job, "cd")
        (True, False)
    """
    version = results_version(job) if version is None else version
    text = canonical_json({"job": asdict(job), "data": checksum, "version": version})
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def canonical_json(value: Any) -> str:
    """Write a value as JSON in the one way: sorted keys, no blanks, no NaN.

    Example:
        >>> canonical_json({"b": 1, "a": [0.1, None]})
        '{"a":[0.1,null],"b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)

"""`Target`: a table or a figure, as its file describes it."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

ALL = "all"
_FILES = ("accuracy", "ablation", "spectral", "overheads", "ppr", "ppr_accuracy", "leak", "baselines", "grid")
_APART = "trial"  # a search is no fixed list of runs, and as long as one likes


@dataclass(frozen=True)
class Target:
    """A table or figure of the paper.

    Attributes:
        name: as on the command line.
        title: for people.
        kind: of its jobs.
        method: the design, or the name of the experiment.
        datasets: its columns.
        rows: its rows, as the paper names them, the most informative first.
        protocols: those it has.
        seeds: how many runs a cell gets unless something else is asked for.
        table: where the paper's numbers are: table and design in `rlap.experiments.paper`.
        same: rows that are computed under another augmentor's name, since the two are the same.
        same_under: the same for one protocol alone, by its name.
        also: targets that come with it.
        space: of a search: the values of every hyper-parameter.
    """

    name: str
    title: str
    kind: str
    method: str
    datasets: tuple[str, ...]
    rows: tuple[str, ...]
    protocols: tuple[str, ...]
    seeds: int
    table: tuple[str, str] | None = None
    same: Mapping[str, str] = field(default_factory=dict)
    same_under: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    space: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    @property
    def is_search(self) -> bool:
        """Say whether its runs follow from one another."""
        return self.kind == _APART

    def augmentor(self, row: str, protocol: str = "") -> str:
        """Give the augmentor that makes a row, under a protocol.

        Example:
            >>> find_target("ablation-grace").augmentor("rLap-rand-asc")
            'rLap'
        """
        return self.same_under.get(protocol, {}).get(row) or self.same.get(row, row)


def target_names() -> list[str]:
    """List all targets but "all".

    Example:
        >>> target_names()[:4]
        ['grace', 'mvgrl', 'graphcl', 'bgrl']
    """
    return list(_targets())


def find_target(name: str) -> Target:
    """Find a target by its name.

    Example:
        >>> find_target("GRACE").method
        'grace'
    """
    known = _targets()
    if name.lower() not in known:
        near = difflib.get_close_matches(name.lower(), [*known, ALL], n=1, cutoff=0.0)[0]
        raise ValueError(
            f"the target must be one of {', '.join([*known, ALL])} (got {name!r}; the nearest is {near!r})"
        )
    return known[name.lower()]


@cache
def _targets() -> dict[str, Target]:
    return {target.name: target for file in _FILES for target in _read(file)}


def _read(file: str) -> Iterator[Target]:
    text = resources.files("rlap.experiments.targets").joinpath(f"{file}.toml").read_text(encoding="utf-8")
    shared: dict[str, Any] = tomllib.loads(text)
    own = shared.pop("targets")
    for name, values in own.items():
        fields: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in {**shared, **values}.items()
        }
        yield Target(name=name, **fields)

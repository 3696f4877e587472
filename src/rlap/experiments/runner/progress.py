"""`Progress`: where the runs stand, for whoever shows it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from rlap.experiments.job import Job
from rlap.experiments.runner.expectation import Expectation

USED_UP, TOO_LONG, INTERRUPTED = "the budget is used up", "nothing more fits into the budget", "interrupted"


@dataclass
class Running:
    """A run that is being computed here."""

    began: float = field(default_factory=time.monotonic)
    fraction: float = 0.0
    words: str = ""


@dataclass
class Progress:
    """All runs that were asked for, by key.

    `states` has open, running, done, failed, and elsewhere (somebody else computes it). `stopping` says why no further
    run is begun; it is empty as long as they are. It is one of the words above, or what is wrong with the machine.
    """

    jobs: Mapping[str, Job]
    states: dict[str, str]
    expectation: Expectation
    processes: int = 1
    running: dict[str, Running] = field(default_factory=dict)
    stopping: str = ""

    def add(self, other: Progress) -> None:
        """Take in the runs of another."""
        self.jobs = {**self.jobs, **other.jobs}
        self.states |= other.states
        self.stopping = self.stopping or other.stopping

    @property
    def complete(self) -> bool:
        """Whether all runs are done, but for those that the budget has no time for."""
        fine = {"done", "open"} if self.stopping in (USED_UP, TOO_LONG) else {"done"}
        return fine.issuperset(self.states.values())

    @property
    def problem(self) -> str:
        """What is wrong with the machine, if that is why it stopped."""
        return "" if self.stopping in (USED_UP, TOO_LONG, INTERRUPTED) else self.stopping

    def count(self) -> Counter[str]:
        """Count the runs in every state."""
        return Counter(self.states.values())

    def groups(self) -> Iterator[tuple[tuple[str, str], Counter[str]]]:
        """Count the states of each method and protocol."""
        found: dict[tuple[str, str], Counter[str]] = {}
        for key, job in self.jobs.items():
            found.setdefault((job.method, job.protocol), Counter())[self.states[key]] += 1
        yield from found.items()

    def seconds_left(self) -> float | None:
        """Guess how long the rest will take; None as long as nothing is known.

        A run that takes longer than was expected says that those like it will take as long.
        """
        now = time.monotonic()
        spent = {key: now - run.began for key, run in self.running.items()}
        at_least: dict[tuple[str, ...], float] = {}
        for key, seconds in spent.items():
            column = self.jobs[key].column
            at_least[column] = max(seconds, at_least.get(column, 0.0))
        total = 0.0
        for key, state in self.states.items():
            if state in ("open", "running"):
                guess = self.expectation.guess(self.jobs[key])
                if guess is None:
                    return None
                total += max(guess, at_least.get(self.jobs[key].column, 0.0)) - spent.get(key, 0.0)
        return total / self.processes


class Display(Protocol):
    """Whoever shows it."""

    def refresh(self, progress: Progress) -> None:
        """Show where the runs stand."""

    def say(self, text: str) -> None:
        """Show a line that stays."""


class Silence:
    """Shows nothing."""

    def refresh(self, progress: Progress) -> None:
        """Do nothing."""

    def say(self, text: str) -> None:
        """Do nothing."""

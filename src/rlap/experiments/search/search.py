"""`Search`: one design on one data set, and all that may be tried there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal

from rlap.experiments.hyperparameters import defaults
from rlap.experiments.job import Job
from rlap.experiments.search.trial_job import trial_job
from rlap.experiments.settings import parse_words, typed

Sampler = Literal["tpe", "grid"]
SETTINGS: Mapping[str, Any] = {"trials": 0, "sampler": "tpe", "short": 100}


@dataclass(frozen=True)
class Search:
    """Where hyper-parameters are searched for, and how.

    Args:
        method: the design.
        dataset: by its canonical name.
        augmentor: by its name in `rlap.transforms`.
        protocol: "clean" or "paper".
        space: the values of every hyper-parameter.
        words: settings that all trials share, as key=value. What they fix is not searched for.
        trials: try at most so many configurations; 0 is all.
        sampler: "tpe" learns from what was tried, "grid" takes configurations in a random order.
        short: a configuration gets so many epochs at first, and the rest if it is better than the median.
        seeds: with how many training seeds the best configuration is tested in the end.

    Example:
        >>> search = Search("grace", "CORA", "rLap", "clean", {"layers": (2, 4), "lr": (0.1, 0.01)}, ("lr=0.5",))
        >>> search.size, search.paper()
        (2, {'layers': 2})
    """

    method: str
    dataset: str
    augmentor: str
    protocol: str
    space: Mapping[str, Sequence[Any]]
    words: Sequence[str] = ()
    trials: int = 0
    sampler: Sampler = "tpe"
    short: int = 100
    seeds: int = 1
    open: Mapping[str, tuple[Any, ...]] = field(init=False)

    def __post_init__(self) -> None:
        fixed = {key.rpartition(".")[2] for key in parse_words(self.words)}
        object.__setattr__(self, "open", {key: tuple(v) for key, v in self.space.items() if key not in fixed})
        for name, least in {"trials": 0, "short": 1, "seeds": 1}.items():
            if typed(name, getattr(self, name), int) < least:
                raise ValueError(f"{name} must be at least {least} (got {getattr(self, name)})")
        if self.sampler not in ("tpe", "grid"):
            raise ValueError(f'sampler must be "tpe" or "grid" (got {self.sampler!r})')
        if not self.open:
            raise ValueError(f"a search must have something to choose (all of {', '.join(self.space)} are set)")

    @property
    def size(self) -> int:
        """How many configurations there are."""
        return len(list(product(*self.open.values())))

    @property
    def limit(self) -> int:
        """How many of them are to be tried."""
        return min(self.trials or self.size, self.size)

    @property
    def title(self) -> str:
        """The search in a few words."""
        return ", ".join((self.method, self.augmentor, self.dataset, self.protocol))

    def configurations(self) -> list[dict[str, Any]]:
        """List everything that may be tried."""
        return [dict(zip(self.open, values, strict=True)) for values in product(*self.open.values())]

    def paper(self) -> dict[str, Any] | None:
        """Give the paper's choice; None where it has none, or one that is not among these."""
        chosen = defaults(self.method, self.dataset)
        found = {key: chosen.get(key) for key in self.open}
        return found if all(found[key] in values for key, values in self.open.items()) else None

    def job(self, parameters: Mapping[str, Any], *, short: bool) -> Job:
        """Describe a trial of a configuration."""
        length = self.short if short else None
        place = (self.method, self.dataset, self.augmentor, self.protocol)
        return trial_job(*place, parameters, self.words, short=length)

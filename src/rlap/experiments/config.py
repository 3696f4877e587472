"""`RunConfig`: all that one run depends on, apart from where its files are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from rlap import methods
from rlap.datasets.features import Features
from rlap.datasets.registry import canonical, names
from rlap.experiments.hyperparameters import defaults
from rlap.experiments.settings import check_keys, field_types, parse_words, read_toml, typed
from rlap.methods import MethodConfig
from rlap.training import TrainConfig

_SECTIONS: dict[str, type] = {"method": MethodConfig, "train": TrainConfig}
_PART_KEYS = sorted({name for kind in _SECTIONS.values() for name in field_types(kind)})
LOADED_NODES = 4096  # in a step, where there is a loader and nobody says how many
_ONE_GRAPH = ("dgi", "mvgrl")  # with several, their negatives would be nodes of the same large graph
_SHARED = "protocol"  # one setting for the method, training and evaluation
_OWN: dict[str, Any] = {
    "dataset": str,
    "protocol": Literal["clean", "paper"],
    "splits": int,
    "features": Features,
}
SETTINGS = frozenset([*_OWN, *_PART_KEYS])


@dataclass(frozen=True)
class RunConfig:
    """A data set, a method, how it is trained and how it is evaluated.

    `make_config` builds one from names and settings, with the paper's hyper-parameters where nothing else is said.

    Args:
        dataset: one of `rlap.datasets.names()`.
        method: the design, its augmentor and its sizes.
        train: the optimiser's numbers, the device and the seed.
        protocol: "clean", or "paper" for what the paper's scripts do.
        splits: into training, validation and test, to evaluate on.
        features: "default", "constant" or "normalized"; see `rlap.datasets.load`. The paper's scripts take a constant
            for IMDB and normalize those of node sets, and so does `make_config` under their protocol.
    """

    dataset: str
    method: MethodConfig = field(default_factory=MethodConfig)
    train: TrainConfig = field(default_factory=TrainConfig)
    protocol: Literal["clean", "paper"] = "clean"
    splits: int = 10
    features: Features = "default"

    def __post_init__(self) -> None:
        object.__setattr__(self, "dataset", canonical(self.dataset))
        if self.splits < 1:
            raise ValueError(f"splits must be at least 1 (got {self.splits})")
        for part in (self.method, self.train):
            if part.protocol != self.protocol:
                raise ValueError(f"there must be one protocol (got {self.protocol} and {part.protocol})")
        level, wanted = methods.level(self.method.method), "node" if self.dataset in names("node") else "graph"
        if level != wanted:
            fitting = " or ".join(one for one in methods.names() if methods.level(one) == wanted)
            raise ValueError(
                f"{self.method.method} embeds {level}s, and {self.dataset} has labelled {wanted}s: take {fitting}"
            )
        if self.train.loader is not None and wanted == "graph":
            raise ValueError(f"a loader is for node sets, and {self.dataset} is a set of graphs")
        if (self.train.pieces or 1) > 1 and self.method.method in _ONE_GRAPH:
            raise ValueError(f"{self.method.method} contrasts nodes with one graph (got {self.train.pieces} pieces)")

    def to_dict(self) -> dict[str, Any]:
        """Give the settings as they may stand in a TOML file: those of training and of the method in tables."""
        own = {name: getattr(self, name) for name in _OWN}
        parts = {name: asdict(getattr(self, name)) for name in _SECTIONS}
        for part in parts.values():
            del part[_SHARED]
        return own | {name: {k: v for k, v in part.items() if v is not None} for name, part in parts.items()}


def make_config(
    method: str | None = None,
    dataset: str | None = None,
    *,
    file: Path | None = None,
    words: Iterable[str] = (),
    **given: Any,
) -> RunConfig:
    """Put a configuration together.

    What is said later wins: the defaults of the classes, the paper's hyper-parameters for this method and data set, the
    TOML file, `key=value` words, and what is given here; None is as if it was not given. In the file, settings stand
    alone or in the tables [method] and [train]; in words, alone or as train.lr and the like.

    Raises:
        ValueError: for a key that does not exist, naming the nearest that does, or a value that breaks a rule.

    Example:
        >>> config = make_config("grace", "Cora", words=["epochs=10"], seed=3)
        >>> config.train.lr, config.train.epochs, config.train.seed, config.method.gamma1
        (0.0001, 10, 3, 0.5)
        >>> make_config("grace", "Cora", words=["hiden=10"])
        Traceback (most recent call last):
        ValueError: 'hiden' is no setting; the nearest is 'hidden'
    """
    said = _gather(file, words, {"method": method, "dataset": dataset, **given})
    check_keys(said, sorted(SETTINGS))
    if "dataset" not in said:
        raise ValueError(f"a data set must be named: one of {', '.join(names())}")
    said["dataset"] = typed("dataset", said["dataset"], str)
    said = defaults(said["method"], said["dataset"]) | said
    if "loader" in said:
        said.setdefault("batch_size", LOADED_NODES)
    if said.get("protocol") == "paper":
        said = {"features": scripts_features(canonical(said["dataset"]))} | said
    parts = {name: _part(said, name) for name in _SECTIONS}
    own = {name: typed(name, said[name], kind) for name, kind in _OWN.items() if name in said}
    return RunConfig(**own, **parts)


def scripts_features(dataset: str) -> str:
    """Say which features the paper's scripts take for a data set.

    Example:
        >>> scripts_features("CORA"), scripts_features("MUTAG")
        ('normalized', 'default')
    """
    return "normalized" if dataset in names("node") else "constant" if dataset.startswith("IMDB") else "default"


def make_parts(
    method: str | None = None, *, file: Path | None = None, words: Iterable[str] = (), **given: Any
) -> tuple[MethodConfig, TrainConfig]:
    """Put together what is needed without a data set of the registry; as `make_config`, without the paper's numbers.

    Example:
        >>> make_parts("mvgrl", words=["lr=0.1"])[1].lr
        0.1
    """
    said = _gather(file, words, {"method": method, **given})
    check_keys(said, _PART_KEYS)
    return _part(said, "method"), _part(said, "train")


def _gather(file: Path | None, words: Iterable[str], flags: Mapping[str, Any]) -> dict[str, Any]:
    said = _flat({} if file is None else read_toml(file)) | _flat(parse_words(words))
    said |= {key: value for key, value in flags.items() if value is not None}
    said.setdefault("method", MethodConfig().method)
    said["method"] = typed("method", said["method"], str).lower()
    methods.level(said["method"])
    return said


def _part(said: Mapping[str, Any], section: str) -> Any:
    kinds = field_types(_SECTIONS[section])
    return _SECTIONS[section](**{key: typed(key, said[key], kind) for key, kind in kinds.items() if key in said})


def _flat(given: Mapping[str, Any]) -> dict[str, Any]:
    """Take settings out of their tables, and see that they are in the right one."""
    flat: dict[str, Any] = {}
    for key, value in given.items():
        section, dot, name = key.partition(".")
        if isinstance(value, Mapping) and key in _SECTIONS:
            section, inner = key, dict(value)
        elif dot and section in _SECTIONS:
            inner = {name: value}
        else:
            flat[key] = value
            continue
        check_keys(inner, field_types(_SECTIONS[section]))
        flat |= inner
    return flat

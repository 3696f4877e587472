"""Which nodes or graphs train, validate and test: the two protocols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rlap.schur.seeds import check_seed

FOLDS = 10


@dataclass(frozen=True, eq=False)
class Split:
    """Three disjoint sets of numbers of nodes or graphs, which together are all of them."""

    train: Tensor
    val: Tensor
    test: Tensor


def node_splits(
    labels: Any, protocol: Literal["clean", "paper"] = "clean", number: int = 10, seed: int = 0
) -> list[Split]:
    """Split nodes into 10 % training, 10 % validation and 80 % test, independently for every split.

    "clean" stratifies: each part has its share of every class, to one node. "paper" follows the scripts: it does not,
    and the library that they used gives 80 % to validation and 10 % to test.

    Raises:
        ValueError: for another protocol, or when "clean" meets a class with fewer than 10 members.

    Example:
        >>> import torch
        >>> from rlap.datasets import node_splits
        >>> split = node_splits(torch.arange(100) % 2)[0]
        >>> len(split.train), len(split.val), len(split.test)
        (10, 10, 80)
    """
    classes = _check(labels, protocol, number)
    if protocol == "paper":
        return [_shuffled(len(classes), 0.1, 0.8, _random(seed, split)) for split in range(number)]
    folds = [_folds(classes, _random(seed, split)) for split in range(number)]
    return [_parts(fold == 0, fold == 1) for fold in folds]


def graph_splits(
    labels: Any, protocol: Literal["clean", "paper"] = "clean", number: int = 10, seed: int = 0
) -> list[Split]:
    """Split graphs into 80 % training, 10 % validation and 10 % test.

    "clean" is stratified 10-fold cross-validation: ten splits test every graph once, and the fold after the tested one
    validates. More than ten begin a new division into folds. "paper" shuffles anew for every split.

    Raises:
        ValueError: for another protocol, or when "clean" meets a class with fewer than 10 members.

    Example:
        >>> import torch
        >>> from rlap.datasets import graph_splits
        >>> splits = graph_splits(torch.arange(50) % 2)
        >>> sorted(torch.cat([split.test for split in splits]).tolist()) == list(range(50))
        True
    """
    classes = _check(labels, protocol, number)
    if protocol == "paper":
        return [_shuffled(len(classes), 0.8, 0.1, _random(seed, split)) for split in range(number)]
    splits = []
    for split in range(number):
        if split % FOLDS == 0:
            fold = _folds(classes, _random(seed, split // FOLDS))
        test = split % FOLDS
        val = fold == (test + 1) % FOLDS
        splits.append(_parts((fold != test) & ~val, val))
    return splits


def _check(labels: Any, protocol: str, number: int) -> NDArray[np.int64]:
    if protocol not in ("clean", "paper"):
        raise ValueError(f'protocol must be "clean" or "paper" (got {protocol!r})')
    if number < 1:
        raise ValueError(f"the number of splits must be at least 1 (got {number})")
    values = np.asarray(labels)
    if values.ndim != 1 or values.dtype.kind not in "iub":
        raise ValueError(f"labels must be integers in one dimension (got {values.dtype} of shape {values.shape})")
    if len(values) < FOLDS:
        raise ValueError(f"there must be at least {FOLDS} labels to split (got {len(values)})")
    found, classes, counts = np.unique(values, return_inverse=True, return_counts=True)
    if protocol == "clean" and counts.min() < FOLDS:
        rare = counts.argmin()
        raise ValueError(
            f"every class must have at least {FOLDS} members, or no stratified part of a tenth has one of each "
            f"(got {counts[rare]} of class {found[rare]})"
        )
    return classes.reshape(-1).astype(np.int64)


def _random(seed: int, split: int) -> np.random.Generator:
    return np.random.default_rng([check_seed(seed), split])


def _shuffled(count: int, first: float, second: float, random: np.random.Generator) -> Split:
    order = torch.from_numpy(random.permutation(count))
    train, val = int(count * first), int(count * second)
    return Split(order[:train], order[train : train + val], order[train + val :])


def _folds(classes: NDArray[np.int64], random: np.random.Generator) -> NDArray[np.int64]:
    """Deal members to ten folds like cards, class after class: folds have equal sizes, and equal shares of a class."""
    order = random.permutation(len(classes))
    dealt = order[np.argsort(classes[order], kind="stable")]
    fold = np.empty(len(classes), dtype=np.int64)
    # Which fold gets the odd card must not depend on its number.
    fold[dealt] = random.permutation(FOLDS)[np.arange(len(classes)) % FOLDS]
    return fold


def _parts(train: NDArray[np.bool_], val: NDArray[np.bool_]) -> Split:
    return Split(*(torch.from_numpy(np.flatnonzero(part)) for part in (train, val, ~(train | val))))

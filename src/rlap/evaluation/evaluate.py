"""`evaluate`: a linear probe on a frozen embedding; `evaluate_each`: on one for every split."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rlap.datasets.splits import Split, graph_splits, node_splits
from rlap.evaluation.adam_probe import predict_by_adam
from rlap.evaluation.logistic_probe import predict_by_regression
from rlap.evaluation.scores import Scores, score
from rlap.schur.seeds import check_seed, derive_seed


def evaluate(
    embedding: Any,
    labels: Any,
    level: Literal["node", "graph"],
    protocol: Literal["clean", "paper"] = "clean",
    splits: int = 10,
    seed: int = 0,
    part: Literal["test", "val"] = "test",
) -> Scores:
    """Train a linear classifier on an embedding for several splits, and give its scores on the test parts.

    "clean": logistic regression, regularised as is best on validation, over standardised features; stratified splits of
    10/10/80 % (nodes) or ten folds (graphs). "paper": what the paper's scripts did: a linear layer under Adam for 2000
    epochs, taken where validation was best; splits of 10/80/10 % (nodes; validation and test are swapped there) or
    80/10/10 % (graphs), not stratified.

    Args:
        embedding: (rows, width), a tensor or an array of finite numbers.
        labels: (rows,), integers.
        level: "node" or "graph": how rows are split.
        protocol: "clean" or "paper".
        splits: how many.
        seed: chooses the splits, and for "paper" the first weights.
        part: what is scored: "test", or "val" for the validation parts, on which hyper-parameters are chosen. The
            classifier was chosen on these too, so the latter are a little too high.

    Raises:
        ValueError: when a rule of the above is broken, when there are fewer than two classes, or when "clean" meets a
            class with fewer than 10 members.

    Example:
        >>> import torch
        >>> from rlap.evaluation import evaluate
        >>> labels = torch.arange(200) % 2
        >>> embedding = torch.stack([labels.float(), torch.ones(200)], dim=1)
        >>> evaluate(embedding, labels, "node", splits=3).accuracy.tolist()
        [1.0, 1.0, 1.0]
    """
    features, values = _check(embedding, labels)
    parts, classes = _split(values, level, protocol, splits, seed)
    predicted = _predict(features, classes, parts, protocol, _seeds(seed, splits))
    return _scores(predicted, classes, parts, part)


def evaluate_each(
    embeddings: Sequence[Any],
    labels: Any,
    level: Literal["node", "graph"],
    protocol: Literal["clean", "paper"] = "clean",
    seed: int = 0,
    part: Literal["test", "val"] = "test",
) -> Scores:
    """Score the embedding number k on split number k, where embeddings are random and every split has its own.

    Splits, probes and errors are those of `evaluate` with as many splits as there are embeddings.

    Example:
        >>> import torch
        >>> from rlap.evaluation import evaluate_each
        >>> labels = torch.arange(200) % 2
        >>> told, silent = labels.float()[:, None], torch.zeros(200, 1)
        >>> [bool(one > 0.9) for one in evaluate_each([told, silent], labels, "graph").accuracy]
        [True, False]
    """
    checked = [_check(embedding, labels) for embedding in embeddings]
    if not checked:
        raise ValueError("there must be at least one embedding (got none)")
    parts, classes = _split(checked[0][1], level, protocol, len(checked), seed)
    predicted = [
        _predict(features, classes, [part], protocol, [own])
        for (features, _), part, own in zip(checked, parts, _seeds(seed, len(checked)), strict=True)
    ]
    return _scores(np.concatenate(predicted), classes, parts, part)


def _split(
    values: NDArray[Any], level: str, protocol: Literal["clean", "paper"], splits: int, seed: int
) -> tuple[list[Split], NDArray[np.int64]]:
    if level not in ("node", "graph"):
        raise ValueError(f'level must be "node" or "graph" (got {level!r})')
    parts = (node_splits if level == "node" else graph_splits)(values, protocol, splits, seed)
    return parts, np.unique(values, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _seeds(seed: int, splits: int) -> list[int]:
    return [derive_seed(check_seed(seed), view=number) for number in range(splits)]


def _predict(
    features: Tensor, classes: NDArray[np.int64], parts: Sequence[Split], protocol: str, seeds: Sequence[int]
) -> NDArray[np.int64]:
    if protocol == "paper":
        on_device = [Split(*(part.to(features.device) for part in (one.train, one.val, one.test))) for one in parts]
        target = torch.from_numpy(classes).to(features.device)
        predicted: NDArray[np.int64] = predict_by_adam(features, target, on_device, seeds=seeds).cpu().numpy()
        return predicted
    table = features.cpu().numpy()
    return np.stack([predict_by_regression(table, classes, one) for one in parts])


def _scores(
    predicted: NDArray[np.int64], classes: NDArray[np.int64], parts: Sequence[Split], part: str = "test"
) -> Scores:
    if part not in ("test", "val"):
        raise ValueError(f'part must be "test" or "val" (got {part!r})')
    scored = [getattr(one, part).numpy() for one in parts]
    results = [score(row[rows], classes[rows]) for row, rows in zip(predicted, scored, strict=True)]
    return Scores(*np.array(results).T)


def _check(embedding: Any, labels: Any) -> tuple[Tensor, NDArray[Any]]:
    features = torch.as_tensor(embedding).detach()
    if features.dim() != 2 or features.is_complex():
        raise ValueError(f"the embedding must be real of shape (rows, width) (got {tuple(features.shape)})")
    if features.dtype != torch.float64:
        features = features.to(torch.float32)
    bad = ~torch.isfinite(features)
    if bad.any():
        row, column = bad.nonzero()[0].tolist()
        raise ValueError(f"the embedding must be finite (got {features[row, column].item()} at row {row}, {column})")
    values = np.asarray(labels.detach().cpu() if isinstance(labels, Tensor) else labels)
    if values.shape != (len(features),) or values.dtype.kind not in "iub":
        raise ValueError(
            f"labels must be {len(features)} integers, one for each row (got {values.dtype} of shape {values.shape})"
        )
    found = np.unique(values)
    if len(found) < 2:
        raise ValueError(f"there must be at least two classes (got {len(found)})")
    return features, values

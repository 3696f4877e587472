"""The probe of the paper's scripts: one linear layer under Adam, for all splits at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor
from torch.nn.functional import one_hot, pad

from rlap.datasets.splits import Split

EPOCHS = 2000
CHECK_EVERY = 20
LEARNING_RATE = 0.01
_DECAY, _SQUARE_DECAY, _EPSILON = 0.9, 0.999, 1e-8
_ROWS = 1 << 15  # what is predicted at a time, which bounds the memory
_LANES = 8  # sizes are rounded up to a multiple: products are a quarter faster
_NEVER = -1e30  # the bias of a class that only fills up: its probability is 0, and stays so
_SMALL = 1 << 26  # multiplications of a step, under which a second thread costs more than it saves


def predict_by_adam(
    embedding: Tensor, classes: Tensor, splits: Sequence[Split], *, seeds: Sequence[int], epochs: int = EPOCHS
) -> Tensor:
    """Train a layer for every split, and give its predictions (splits, rows) when it was best on validation.

    Weights begin as Xavier's, from the split's own seed, biases as 0; the loss is cross-entropy over the whole training
    part, without weight decay. Every 20 epochs the accuracy on validation is taken; of equal ones the first counts.

    All splits are one batched problem, and it is laid out with classes before rows. Products and softmax then run along
    the long dimension, which makes them several times as fast as they are for a few classes side by side. The gradient
    is written out, as its form is known. The result is that of training one split after the other, to rounding.

    Args:
        embedding: (rows, width), float32 or float64.
        classes: (rows,), from 0.
        splits: training parts of equal size.
        seeds: one for every split.
        epochs: how long to train.
    """
    count = int(classes.max()) + 1
    x, weight = _start(embedding, count, seeds)
    validation = torch.zeros(len(splits), len(x), dtype=torch.bool, device=x.device)
    for row, split in zip(validation, splits, strict=True):
        row[split.val] = True
    best = torch.full((len(splits),), -1, device=x.device)
    predicted = torch.zeros(len(splits), len(x), dtype=torch.long, device=x.device)
    train = torch.stack([split.train for split in splits])
    with _threads(1 if train.numel() * weight[0].numel() < _SMALL else torch.get_num_threads()):
        for _ in _descend(x, classes, weight, train, epochs):
            now = _predict(x, weight[:, :count])
            hits = ((now == classes) & validation).sum(dim=1)
            better = hits > best
            best = torch.where(better, hits, best)
            predicted[better] = now[better]
    return predicted


@contextmanager
def _threads(number: int) -> Iterator[None]:
    """Let torch use so many threads. Where others use the cores too, each of thousands of short steps waits for all."""
    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _start(embedding: Tensor, classes: int, seeds: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Give the rows, with a 1 for the bias, and the first weights (splits, classes, width), both filled up."""
    rows, width = embedding.shape
    x = embedding.new_zeros(rows, _round_up(width + 1))
    x[:, :width] = embedding
    x[:, width] = 1
    weight = torch.zeros(len(seeds), _round_up(classes), x.shape[1])
    weight[:, classes:, width] = _NEVER
    for one, seed in zip(weight, seeds, strict=True):
        torch.nn.init.xavier_uniform_(one[:classes, :width], generator=torch.Generator().manual_seed(seed))
    return x, weight.to(x)


def _round_up(size: int) -> int:
    return -(-size // _LANES) * _LANES


def _descend(x: Tensor, classes: Tensor, weight: Tensor, train: Tensor, epochs: int) -> Iterator[None]:
    """Change the weights (splits, classes, width) in place by Adam, and come back for every check."""
    size = train.shape[1]
    fill = (0, 0, 0, _round_up(size) - size)  # rows of zeros, which add nothing to a gradient
    rows = pad(x[train], fill)
    columns = rows.transpose(1, 2)
    target = pad(one_hot(classes[train], weight.shape[1]).to(x) / size, fill).transpose(1, 2).contiguous()
    mean, square, step = torch.zeros_like(weight), torch.zeros_like(weight), torch.empty_like(weight)
    gradient = torch.empty_like(weight)
    for epoch in range(1, epochs + 1):
        excess = torch.softmax(torch.bmm(weight, columns), dim=1).div_(size).sub_(target)
        torch.bmm(excess, rows, out=gradient)
        mean.lerp_(gradient, 1 - _DECAY)
        square.mul_(_SQUARE_DECAY).addcmul_(gradient, gradient, value=1 - _SQUARE_DECAY)
        torch.sqrt(square, out=step)
        step.mul_((1 - _SQUARE_DECAY**epoch) ** -0.5).add_(_EPSILON)
        weight.addcdiv_(mean, step, value=-LEARNING_RATE / (1 - _DECAY**epoch))
        if epoch % CHECK_EVERY == 0:
            yield


def _predict(x: Tensor, weight: Tensor) -> Tensor:
    """Find the largest class of every row by hand: torch's argmax is slow unless classes lie side by side."""
    splits, classes, width = weight.shape
    parts = []
    for block in x.split(_ROWS):
        scores = (weight.reshape(-1, width) @ block.t()).view(splits, classes, -1)
        largest = scores[:, 0].clone()
        found = torch.zeros(largest.shape, dtype=torch.long, device=x.device)
        for one in range(1, classes):
            found.masked_fill_(scores[:, one] > largest, one)
            torch.maximum(largest, scores[:, one], out=largest)
        parts.append(found)
    return torch.cat(parts, dim=1)

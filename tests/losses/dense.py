"""The objectives spelled out with masks over all pairs, as their formulas are written."""

from __future__ import annotations

import math

import torch
from torch.nn.functional import normalize


def cosines(first, second):
    return normalize(first) @ normalize(second).t()


def infonce(first, second, t, *, intra_view=False, scaled_positive=True):
    """Both directions one after the other, each with its own matrix of similarities and its own masks."""

    def direction(anchor, sample):
        s = cosines(anchor, sample)
        positive = torch.eye(len(s), dtype=torch.bool)
        total = (s / t).exp().sum(1)
        if intra_view:
            total = total + (cosines(anchor, anchor) / t).exp().masked_fill(positive, 0).sum(1)
        return (total.log() - s[positive] / (t if scaled_positive else 1)).mean()

    return (direction(first, second) + direction(second, first)) / 2


def infonce_pairs(anchors, samples, positive, negative, t):
    """The paper's formula: the mean over an anchor's positives, each against all negatives; then over anchors."""
    s = cosines(anchors, samples) / t
    losses = []
    for row, own, others in zip(s, positive, negative, strict=True):
        if own.any():
            below = row[others].exp().sum()
            losses.append(torch.stack([-torch.log(one.exp() / (one.exp() + below)) for one in row[own]]).mean())
    return torch.stack(losses).mean()


def jsd_pairs(anchors, samples, positive, negative):
    s = anchors @ samples.t()
    return torch.log1p((-s[positive]).exp()).mean() + torch.log1p(s[negative].exp()).mean() - 2 * math.log(2)


def cosine(prediction, target):
    return (prediction * target).sum(1) / (prediction.norm(dim=1) * target.norm(dim=1))


def barlow_twins(first, second, factor, eps):
    total = 0.0
    for a in range(first.shape[1]):
        for b in range(first.shape[1]):
            x, y = first[:, a], second[:, b]
            x = (x - x.mean()) / (x.var(correction=0) + eps).sqrt()
            y = (y - y.mean()) / (y.var(correction=0) + eps).sqrt()
            c = (x * y).mean()
            total = total + ((1 - c) ** 2 if a == b else factor * c**2)
    return total


def vicreg(first, second, eps):
    total = 25 * (first - second).pow(2).mean()
    for view in (first, second):
        covariance = torch.cov(view.t())
        deviation = (torch.diagonal(covariance) + eps).sqrt()
        total = total + 25 / 2 * (1 - deviation).clamp(min=0).mean()
        others = covariance - torch.diag(torch.diagonal(covariance))
        total = total + others.pow(2).sum() / view.shape[1]
    return total

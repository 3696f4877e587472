"""`InfoNCE`: every row must find its counterpart among all others, without the matrix of all similarities."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from rlap.losses.tiles import TILE, check_pair, products

_KEPT = 4  # tiles: what is computed once, not twice, where all of them are so few
_RANGE = {torch.float32: 80.0, torch.float64: 680.0}  # of exponents whose ratios are still normal numbers


class InfoNCE(nn.Module):
    """The noise-contrastive objective of van den Oord et al. 2018, with cosine similarities and a temperature.

    For two views with matching rows, s_ij the cosine of row i of the first and row j of the second, it is the mean of

        1/N sum_i -log(exp(s_ii / t) / sum_j exp(s_ij / t))

    and the same with the views exchanged, as in NT-Xent (Chen et al. 2020) and GRACE (Zhu et al. 2020), with negatives
    from the other view alone, as the paper has it. `intra_view` adds those of the row's own view, as the original
    GRACE does: the sum then goes over exp(s_ij / t) for all j, and over exp(s'_ij / t) for j other than i, s' the
    cosines within the view.

    Rows and columns of the same similarities are summed tile by tile, and the tiles are computed again for the
    gradient, so that memory grows with N and not with its square. A few tiles (64 MB) are kept instead. No masks are
    needed.

    Args:
        temperature: t, at least 1/340.
        intra_view: take negatives from the row's own view too.
        scaled_positive: divide the similarity of the pair by t. The paper's scripts do not: they have
            s_ii - log sum_j exp(s_ij / t).
        tile: rows and columns of similarities that are held at once.

    Raises:
        ValueError: when the temperature is too small, or the views have different shapes.

    Example:
        >>> import torch
        >>> from rlap.losses import InfoNCE
        >>> views = torch.eye(4)
        >>> round(InfoNCE(temperature=0.5)(views, views).item(), 4)  # log(1 + 3 exp(-2))
        0.3408
    """

    uses_negatives = True
    refuses: str | None = None  # global-local contrast makes sense

    def __init__(
        self,
        temperature: float = 0.4,
        *,
        intra_view: bool = False,
        scaled_positive: bool = True,
        tile: int = TILE,
    ) -> None:
        super().__init__()
        if not temperature >= 2 / _RANGE[torch.float64]:
            raise ValueError(f"temperature must be at least 1/340 (got {temperature})")
        if tile < 1:
            raise ValueError(f"tile must be at least 1 (got {tile})")
        self.temperature = float(temperature)
        self.intra_view = intra_view
        self.scaled_positive = scaled_positive
        self.tile = tile

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        """Contrast every row of one view with all rows of the other, in both directions."""
        check_pair(first, second)
        first, second = functional.normalize(first), functional.normalize(second)
        positive = (first * second).sum(1).mean() * (1 / self.temperature if self.scaled_positive else 1.0)
        dtype = first.dtype
        if 2 / self.temperature > _RANGE.get(dtype, 80.0):
            first, second = first.double(), second.double()
        wide: Tensor = _Denominators.apply(first, second, self.temperature, self.intra_view, self.tile)
        return wide.to(dtype) - positive

    def grouped(
        self, anchors: Tensor, samples: Tensor, owner: Tensor, noise: tuple[Tensor, Tensor] | None = None
    ) -> Tensor:
        """Contrast every anchor with its samples and those of the others, or with noise instead of the others.

        Every positive stands alone against the negatives, as in the paper's formula; the mean is over the positives
        of an anchor, then over the anchors.
        """
        anchors, samples = functional.normalize(anchors), functional.normalize(samples)
        positive = (anchors[owner] * samples).sum(1) / self.temperature
        if noise is None:
            scores = anchors @ samples.t() / self.temperature
            own = torch.arange(len(anchors), device=owner.device)[:, None] == owner
            negative = scores.masked_fill(own, -math.inf).logsumexp(1)
        else:
            scores = anchors @ functional.normalize(noise[0]).t() / self.temperature
            other = torch.arange(len(anchors), device=owner.device)[:, None] != noise[1]
            negative = scores.masked_fill(other, -math.inf).logsumexp(1)
        each = torch.logaddexp(positive, negative[owner])
        each = each - (positive if self.scaled_positive else positive * self.temperature)
        size = torch.bincount(owner, minlength=len(anchors)).to(each.dtype)
        return (each / size[owner]).sum() / (size > 0).sum()

    def extra_repr(self) -> str:
        """Show the arguments."""
        return f"temperature={self.temperature}, intra_view={self.intra_view}, scaled_positive={self.scaled_positive}"


class _Denominators(torch.autograd.Function):
    """The mean of the logarithms of all sums, over rows and over columns, of exp(s / t) for rows of length 1.

    Cosines lie in [-1, 1] and temperatures are not too small for the precision, so exp(s / t) and its sums neither
    overflow nor vanish, and no maximum must be looked for.
    """

    @staticmethod
    def forward(ctx: Any, first: Tensor, second: Tensor, temperature: float, intra: bool, tile: int) -> Tensor:
        rows, columns = first.new_zeros(len(first)), first.new_zeros(len(second))
        few = len(first) * len(second) <= _KEPT * tile * tile and any(ctx.needs_input_grad)
        kept = []
        for row, column, e in _exponentials(first, second, temperature, tile, fresh=few):
            rows[row] += e.sum(1)
            columns[column] += e.sum(0)
            if few:
                kept.append((row, column, e))
        if intra:
            for view, sums in ((first, rows), (second, columns)):
                for row, column, e in _exponentials(view, view, temperature, tile):
                    if row == column:
                        e.fill_diagonal_(0)
                    sums[row] += e.sum(1)
        ctx.save_for_backward(first, second, rows, columns)
        ctx.settings, ctx.kept = (temperature, intra, tile), kept
        return (rows.log().mean() + columns.log().mean()) / 2

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        first, second, rows, columns = ctx.saved_tensors
        temperature, intra, tile = ctx.settings
        scale = gradients[0] / (2 * temperature * max(len(first), 1))
        by_row, by_column = scale / rows, scale / columns
        to_first, to_second = torch.zeros_like(first), torch.zeros_like(second)
        factor = first.new_empty(min(tile, len(first)) * min(tile, len(second)))
        for row, column, e in ctx.kept or _exponentials(first, second, temperature, tile):
            weighed = factor[: e.numel()].view(e.shape)
            torch.add(by_row[row, None], by_column[column], out=weighed).mul_(e)
            to_first[row].addmm_(weighed, second[column])
            to_second[column].addmm_(weighed.t(), first[row])
        if intra:
            for view, weight, to in ((first, by_row, to_first), (second, by_column, to_second)):
                for row, column, e in _exponentials(view, view, temperature, tile):
                    if row == column:
                        e.fill_diagonal_(0)
                    # The matrix is symmetric, so what row j owes to row i is found in the tile of i too.
                    e.mul_(torch.add(weight[row, None], weight[column]))
                    to[row].addmm_(e, view[column])
        return to_first, to_second, None, None, None


def _exponentials(first: Tensor, second: Tensor, temperature: float, tile: int, fresh: bool = False) -> Any:
    for row, column, e in products(first / temperature, second, tile, fresh=fresh):
        yield row, column, e.exp_()

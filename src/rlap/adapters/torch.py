"""torch tensors in, torch tensors out, on the caller's device.

Tensors in main memory are read where they lie, and results are handed over without a copy. Tensors on another device
are brought over, and the results put there. A view is a sample, so nothing is differentiated through: weights that
require a gradient are read without it.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from rlap.schur import View

Function = TypeVar("Function", bound=Callable[..., Any])

_SOURCE: ContextVar[Any] = ContextVar("_SOURCE", default=None)


def accepts_torch(function: Function) -> Function:
    """Let a function of edge arrays take tensors.

    The new weights have the type of the caller's, or torch's default type when these are missing or whole numbers.
    """

    @functools.wraps(function)
    def wrapped(edge_index: Any, edge_weight: Any = None, **options: Any) -> Any:
        if not is_tensor(edge_index):
            return function(edge_index, edge_weight, **options)
        import torch

        given = {name: to_numpy(value) for name, value in options.items()}
        given["seed"] = draw_seed(options.get("seed"))
        precision = _precision(edge_weight, options.get("dtype"))
        given["dtype"] = np.float64 if precision == torch.float64 else np.float32
        leak: Any = options.get("ground")
        to_caller = functools.partial(
            _view_to_torch,
            index=edge_index,
            precision=precision,
            leak_precision=leak.dtype if is_tensor(leak) and leak.is_floating_point() else precision,
        )
        views = function(to_numpy(edge_index), to_numpy(edge_weight), **given)
        return [to_caller(view) for view in views] if isinstance(views, list) else to_caller(views)

    return wrapped  # type: ignore[return-value]


def is_tensor(value: Any) -> bool:
    """Say whether this is a torch tensor, without importing torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def to_numpy(value: Any) -> Any:
    """Read a tensor as an array, without a copy where it lies in main memory; leave everything else as it is."""
    if not is_tensor(value):
        return value

    tensor = value.detach().cpu().resolve_neg()  # NumPy knows no lazy minus signs, and no short floats of most kinds
    return (tensor.float() if tensor.is_floating_point() and tensor.itemsize < 4 else tensor).numpy()


def to_torch(array: Any, device: Any, dtype: Any = None) -> Any:
    """Give an array to torch, without a copy when the device is the CPU and the type stays."""
    import torch

    tensor = torch.from_numpy(array)
    if dtype is not None and dtype.is_floating_point and dtype.itemsize < 4:
        limits = torch.finfo(dtype)  # a positive weight stays positive, and finite, when it is narrowed
        tensor = torch.where(tensor > 0, tensor.clamp(limits.tiny * limits.eps, limits.max), tensor)
    return tensor.to(device, dtype)


def draw_seed(seed: Any) -> Any:
    """Draw a seed from torch: its global generator for None, a `torch.Generator`; leave everything else as it is.

    Inside of `seeds_from`, None draws from the generator that is given there.
    """
    import torch

    seed = _SOURCE.get() if seed is None else seed
    if seed is None or isinstance(seed, torch.Generator):
        device = "cpu" if seed is None else seed.device
        halves = torch.randint(2**32, (2,), generator=seed, device=device, dtype=torch.int64).tolist()
        return halves[0] << 32 | halves[1]
    return to_numpy(seed)


@contextlib.contextmanager
def seeds_from(seed: int) -> Iterator[None]:
    """Let every seed that is None, in this thread and context, be drawn from a generator with this seed."""
    import torch

    token = _SOURCE.set(torch.Generator().manual_seed(seed))
    try:
        yield
    finally:
        _SOURCE.reset(token)


def _precision(edge_weight: Any, dtype: Any) -> Any:
    import torch

    if dtype is not None:
        precision = dtype if isinstance(dtype, torch.dtype) else torch.from_numpy(np.empty(0, dtype)).dtype
        if not precision.is_floating_point:
            raise ValueError(f"dtype must be a floating-point type (got {precision})")
        return precision
    if edge_weight is None:
        return torch.get_default_dtype()
    given = torch.as_tensor(edge_weight).dtype
    return given if given.is_floating_point else torch.get_default_dtype()


def _view_to_torch(view: View, index: Any, precision: Any, leak_precision: Any) -> View:
    return replace(
        view,
        edge_index=to_torch(view.edge_index, index.device, index.dtype),
        edge_weight=to_torch(view.edge_weight, index.device, precision),
        node_mask=to_torch(view.node_mask, index.device),
        ground=None if view.ground is None else to_torch(view.ground, index.device, leak_precision),
    )

"""torch tensors in, torch tensors out, on the caller's device."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from rlap.schur import View

Function = TypeVar("Function", bound=Callable[..., Any])


def accepts_torch(function: Function) -> Function:
    """Let a function of edge arrays take tensors. Tensors on the CPU are read where they lie."""

    @functools.wraps(function)
    def wrapped(edge_index: Any, edge_weight: Any = None, **options: Any) -> Any:
        if not is_tensor(edge_index):
            return function(edge_index, edge_weight, **options)
        import torch

        precision = torch.get_default_dtype() if edge_weight is None else as_tensor(edge_weight).dtype
        if not precision.is_floating_point:
            precision = torch.float64
        options["seed"] = draw_seed(options.get("seed"))
        if options.get("dtype") is None:
            options["dtype"] = np.float64 if precision == torch.float64 else np.float32
        given = {name: to_numpy(value) for name, value in options.items()}
        views = function(to_numpy(edge_index), to_numpy(edge_weight), **given)
        to_caller = functools.partial(_view_to_torch, index=edge_index, precision=precision)
        return [to_caller(view) for view in views] if isinstance(views, list) else to_caller(views)

    return wrapped  # type: ignore[return-value]


def is_tensor(value: Any) -> bool:
    """Say whether this is a torch tensor, without importing torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def as_tensor(value: Any) -> Any:
    """Take what the caller gave beside a tensor for a tensor too."""
    import torch

    return value if is_tensor(value) else torch.as_tensor(value)


def to_numpy(value: Any) -> Any:
    """Read a tensor as an array, without a copy where it lies in main memory; leave everything else as it is."""
    if not is_tensor(value):
        return value
    import torch

    tensor = value.detach().cpu()
    if tensor.dtype in (torch.bfloat16, torch.float16):
        tensor = tensor.float()
    return tensor.resolve_conj().resolve_neg().numpy() if tensor.dtype == torch.bool else np.from_dlpack(tensor)


def to_torch(array: Any, device: Any) -> Any:
    """Give an array to torch, without a copy when the device is the CPU."""
    import torch

    return torch.from_numpy(array).to(device)


def draw_seed(seed: Any) -> Any:
    """Draw a seed from torch: its global generator for None, a `torch.Generator`; leave everything else as it is."""
    import torch

    if seed is None or isinstance(seed, torch.Generator):
        device = None if seed is None else seed.device
        halves = torch.randint(2**32, (2,), generator=seed, device=device, dtype=torch.int64).tolist()
        return halves[0] << 32 | halves[1]
    return seed


def _view_to_torch(view: View, index: Any, precision: Any) -> View:
    device = index.device
    weight = to_torch(view.edge_weight, device)
    return replace(
        view,
        edge_index=to_torch(view.edge_index, device).to(index.dtype),
        edge_weight=weight if weight.dtype == precision or precision.itemsize >= 4 else weight.to(precision),
        node_mask=to_torch(view.node_mask, device),
        ground=None if view.ground is None else to_torch(view.ground, device),
    )

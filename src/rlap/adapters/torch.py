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
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from rlap import schur
from rlap.schur import PreparedGraph, View

Function = TypeVar("Function", bound=Callable[..., Any])

_SOURCE: ContextVar[Any] = ContextVar("_SOURCE", default=None)


def accepts_torch(function: Function) -> Function:
    """Let a function of edge arrays take tensors.

    The new weights have the type of the caller's, or torch's default type when these are missing or whole numbers.
    """

    @functools.wraps(function)
    def wrapped(edge_index: Any, edge_weight: Any = None, **options: Any) -> Any:
        origin = edge_index.origin if isinstance(edge_index, PreparedGraph) else None
        if is_tensor(edge_index):
            origin = TensorOrigin.of(edge_index, edge_weight)
        if origin is None:
            return function(edge_index, edge_weight, **options)
        import torch

        given = {name: to_numpy(value) for name, value in options.items()}
        given["seed"] = draw_seed(options.get("seed"))
        precision = origin.precision(options.get("dtype"))
        given["dtype"] = np.float64 if precision == torch.float64 else np.float32
        leak: Any = options.get("ground")
        to_caller = functools.partial(
            _view_to_torch,
            origin=origin,
            precision=precision,
            leak_precision=leak.dtype if is_tensor(leak) and leak.is_floating_point() else precision,
        )
        views = function(to_numpy(edge_index), to_numpy(edge_weight), **given)
        return [to_caller(view) for view in views] if isinstance(views, list) else to_caller(views)

    return wrapped  # type: ignore[return-value]


@dataclass(frozen=True)
class TensorOrigin:
    """The tensors that a graph came from, as far as results follow them."""

    device: Any
    index_type: Any
    weight_type: Any  # None without weights, or when these are whole numbers

    @classmethod
    def of(cls, edge_index: Any, edge_weight: Any) -> TensorOrigin:
        """Describe the caller's edges."""
        import torch

        given = None if edge_weight is None else torch.as_tensor(edge_weight).dtype
        real = given is not None and given.is_floating_point
        whole = not (edge_index.is_floating_point() or edge_index.is_complex())  # without edges, any type is taken
        return cls(edge_index.device, edge_index.dtype if whole else torch.int64, given if real else None)

    def precision(self, dtype: Any) -> Any:
        """Return the type of new weights: the one asked for, or the caller's, or torch's default."""
        import torch

        if dtype is None:
            return self.weight_type or torch.get_default_dtype()
        precision = dtype if isinstance(dtype, torch.dtype) else torch.from_numpy(np.empty(0, dtype)).dtype
        if not precision.is_floating_point:
            raise ValueError(f"dtype must be a floating-point type (got {precision})")
        return precision


@functools.wraps(schur.prepare)
def prepare(graph: Any, edge_weight: Any = None, **options: Any) -> PreparedGraph:
    """Read tensors and PyG's `Data` too."""
    pyg = sys.modules.get("torch_geometric.data")
    if pyg is not None and isinstance(graph, pyg.Data):
        spare = [name for name in ("num_nodes", "ptr", "batch") if options.get(name) is not None]
        if spare or edge_weight is not None:
            got = ", ".join(spare) or "edge_weight"
            raise ValueError(f"the data has its own edge_weight, num_nodes, ptr and batch (got {got} beside it)")
        if graph.edge_index is None or graph.num_nodes is None:
            raise ValueError("the data must have an edge_index and say how many nodes it has")
        owned = next((name for name in ("ptr", "batch") if name in graph), None)
        options = {**options, "num_nodes": graph.num_nodes, **({owned: graph[owned]} if owned else {})}
        graph, edge_weight = graph.edge_index, graph.edge_weight if "edge_weight" in graph else None
    read = {name: to_numpy(value) for name, value in options.items()}
    prepared = schur.prepare(to_numpy(graph), to_numpy(edge_weight), **read)
    return replace(prepared, origin=TensorOrigin.of(graph, edge_weight)) if is_tensor(graph) else prepared


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


def _view_to_torch(view: View, origin: TensorOrigin, precision: Any, leak_precision: Any) -> View:
    return replace(
        view,
        edge_index=to_torch(view.edge_index, origin.device, origin.index_type),
        edge_weight=to_torch(view.edge_weight, origin.device, precision),
        node_mask=to_torch(view.node_mask, origin.device),
        ground=None if view.ground is None else to_torch(view.ground, origin.device, leak_precision),
    )

"""Results that are remembered by what a graph holds, not by which object it is."""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.weak import WeakIdKeyDictionary

from rlap import _core
from rlap.schur.threads import check_num_threads

Arrays: TypeAlias = tuple[Any, ...]  # arrays, or what else has `nbytes` and does not change
Known = TypeVar("Known")

_PROBES = 64
_LOCK = threading.Lock()
_KNOWN: Any = WeakIdKeyDictionary()
_CACHES: weakref.WeakSet[ContentCache] = weakref.WeakSet()


def clear_caches() -> int:
    """Forget what all transforms remember of graphs, and give the bytes that this frees.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import PPRDiffusion
        >>> pair = PPRDiffusion()(Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=2))
        >>> clear_caches() > 0, clear_caches()
        (True, 0)
    """
    return sum(cache.clear() for cache in list(_CACHES))


def content(*arrays: NDArray[Any] | None) -> Hashable:
    """Say what arrays hold, by fingerprints of 64 bits, so that a change in place is noticed too.

    Example:
        >>> import numpy as np
        >>> array = np.arange(3)
        >>> before = content(array)
        >>> array[1] = 7
        >>> content(array) == before, content(np.array([0, 7, 2])) == content(array)
        (False, True)
    """
    return tuple(None if array is None else _mark(array) for array in arrays)


def known(tensor: Tensor, array: NDArray[Any], make: Callable[[], Known]) -> Known:
    """Give what was made for an array that was read from this tensor, while torch counts no change to the tensor.

    Changes that torch does not see, through a NumPy array that shares the tensor's memory, are noticed where they
    touch one of some hundred places.
    """
    if tensor.is_inference():  # torch does not count changes to these
        return make()
    seen = (tensor._version, array[..., :: max(1, array.shape[-1] // _PROBES)].tobytes())
    with _LOCK:
        before, made = _KNOWN.get(tensor, (None, None))
    if before != seen:
        made = make()
        with _LOCK:
            _KNOWN[tensor] = seen, made
    return cast(Known, made)


class ContentCache:
    """The results of a slow computation, the least recently used ones forgotten beyond a size in bytes."""

    def __init__(self, size: int = 1 << 28) -> None:
        self._size = size
        self._used = 0
        self._entries: OrderedDict[Hashable, Arrays] = OrderedDict()
        self._lock = threading.Lock()
        _CACHES.add(self)

    def clear(self) -> int:
        """Forget everything, and give the bytes that this frees."""
        with self._lock:
            used, self._used = self._used, 0
            self._entries.clear()
        return used

    def find(self, key: Hashable) -> Arrays | None:
        """Give the result for this key from before, if there is one."""
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)

    def put(self, key: Hashable, result: Arrays) -> Arrays:
        """Remember a result, which nobody may change from now on."""
        for array in result:
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
        with self._lock:
            self._used += _bytes(result) - _bytes(self._entries.pop(key, ()))
            self._entries[key] = result
            while self._used > self._size:
                self._used -= _bytes(self._entries.popitem(last=False)[1])
        return result

    def get(self, key: Hashable, make: Callable[[], Arrays]) -> Arrays:
        """Give the result for this key, from before or by `make`."""
        found = self.find(key)
        return self.put(key, make()) if found is None else found


def _mark(array: NDArray[Any]) -> Hashable:
    return (array.shape, array.dtype.str, _core.fingerprint(np.ascontiguousarray(array), check_num_threads(0)))


def _bytes(arrays: Arrays) -> int:
    return sum(array.nbytes for array in arrays) + 1024 if arrays else 0

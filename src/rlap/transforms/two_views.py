"""`TwoViews`: two views of the same graph at the same time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rlap.adapters.torch import draw_seed, seeds_from
from rlap.schur.seeds import check_seed, derive_seed
from rlap.schur.threads import shared_by
from rlap.transforms.augmentation import Augmentation


class TwoViews(Augmentation):
    """Give the pair (t1(data), t2(data)), made in two threads.

    The native core releases the interpreter's lock, so two views that it makes take the time of one where there are two
    cores. `data` may be a list: the views are then two lists. Both transforms get the data as it is, and neither may
    change it in place.

    Two seeds are drawn in the caller's thread, and in each of the two, transforms whose own seed is None draw from a
    generator with one of them. So the views do not depend on which thread is faster. PyG's own transforms, and a
    generator that both sides share, know nothing of this.

    Args:
        t1: makes the first view.
        t2: makes the second; `t1` again by default, with other random numbers unless it has a seed of its own.
        seed: where the two seeds come from: an integer, a generator, or None for torch's.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> import rlap.transforms as T
        >>> path = Data(edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3)
        >>> whole, empty = T.TwoViews(T.Identity(), T.EdgeDropping(1.0))(path)
        >>> whole.num_edges, empty.num_edges
        (4, 0)
    """

    def __init__(self, t1: Callable[[Any], Any], t2: Callable[[Any], Any] | None = None, *, seed: Any = None) -> None:
        for transform in (t1, t2 or t1):
            if not callable(transform):
                raise TypeError(f"t1 and t2 must be callable (got {type(transform).__name__})")
        self.t1 = t1
        self.t2 = t2 or t1
        self.seed = seed

    def forward(self, data: Any) -> tuple[Any, Any]:
        """Make both views; one of them in the caller's thread, which has nothing else to do."""
        seed = check_seed(draw_seed(self.seed))
        # Made anew each time: a thread that waits in the main process is not there in a forked worker.
        with ThreadPoolExecutor(1) as pool:
            second = pool.submit(_view, self.t2, data, derive_seed(seed, view=1))
            first = _view(self.t1, data, derive_seed(seed, view=0))
            return first, second.result()

    def __repr__(self) -> str:
        """Show both transforms."""
        return f"TwoViews({self.t1}, {self.t2})"


def _view(transform: Callable[[Any], Any], data: Any, seed: int) -> Any:
    with seeds_from(seed), shared_by(2):
        return [transform(one) for one in data] if isinstance(data, list | tuple) else transform(data)

"""What training needs to know of a method and of a data set; `rlap.methods` and `rlap.datasets` have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, Protocol

from torch import Tensor


class Trainable(Protocol):
    """A method: an `nn.Module` that makes two views of a graph, and a loss of two views."""

    views: Callable[[Any], tuple[Any, Any]]

    def __call__(self, view1: Any, view2: Any, /) -> Tensor:
        """Give the loss of one step."""

    def embed(self, data: Any, /) -> Tensor:
        """Embed every node, or every graph, of a graph or batch."""

    def after_step(self, step: int, steps: int, /) -> Any:
        """Do what follows step number `step` of at most `steps`, such as moving a target network."""

    def parameters(self) -> Iterator[Any]:
        """List what the optimiser changes."""

    def state_dict(self) -> dict[str, Any]:
        """Give the weights."""

    def load_state_dict(self, state_dict: Any, /) -> Any:
        """Take weights."""

    def train(self, mode: bool = True) -> Any:
        """Switch to training."""

    def to(self, device: Any) -> Any:
        """Move to a device."""

    @property
    def training(self) -> bool:
        """Whether it is switched to training."""


class NodeData(Protocol):
    """A data set of one graph."""

    @property
    def level(self) -> Literal["node"]:
        """What is embedded."""

    @property
    def data(self) -> Any:
        """The graph."""


class GraphData(Protocol):
    """A data set of many graphs."""

    @property
    def level(self) -> Literal["graph"]:
        """What is embedded."""

    @property
    def graphs(self) -> list[Any]:
        """The graphs."""

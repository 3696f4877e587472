"""What a call reports about itself."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Level:
    """One round of elimination (or of walks) over parts.

    `boundary` is the share of the nodes that had still to go, had an edge to another such node in another part, and
    had to wait. `largest_part` counts edges, `bytes_moved` what went to the workers, `peak_memory` the most bytes that
    one of them held, and `cut_seconds` the processor time of the partition. `cpu_seconds` is the processor
    time of all workers, and `longest_seconds` that of the one who took longest.
    """

    parts: int
    eliminated: int
    boundary: float
    edges: int
    largest_part: int
    bytes_moved: int
    peak_memory: int
    cut_seconds: float = 0.0
    cpu_seconds: float = 0.0
    longest_seconds: float = 0.0


@dataclass
class Summary:
    """How a view was made."""

    num_nodes: int = 0
    rows: int = 0
    edges: int = 0
    kept: int = 0
    parts: int = 0
    seed: int = 0
    method: str = "elimination"
    levels: list[Level] = field(default_factory=list)
    shards: int = 0
    bytes_read: int = 0
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def peak_memory(self) -> int:
        """The most bytes that a worker held."""
        return max((level.peak_memory for level in self.levels), default=0)

    @property
    def bytes_moved(self) -> int:
        """What went from worker to worker, all levels together."""
        return sum(level.bytes_moved for level in self.levels)

"""Ray tasks: started, waited for with a word on how far they are, and cancelled when the call ends early."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

Ref: TypeAlias = Any  # a reference to something in Ray's object store

# What dies with its worker or its machine is computed again so often. A mistake in the input is not tried twice.
RETRIES = 10
_PAUSE = 0.25  # seconds between two looks at what is done


class Watch(Protocol):
    """Whoever shows how far it is."""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show that so many tasks of a stage are done."""


class Silent:
    """Shows nothing."""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Do nothing."""


class Tasks:
    """Starts tasks and knows those that are not done. Leaving the block by an error cancels them.

    Results stay in Ray's object store, which spills to disk. Those of a machine that dies are computed again from
    theirs.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._open: set[Ref] = set()

    def __enter__(self) -> Tasks:
        return self

    def __exit__(self, kind: type[BaseException] | None, *problem: object) -> None:
        if kind is not None:
            self.cancel()

    def start(self, function: Callable[..., Any], *arguments: Any, returns: int = 1) -> list[Ref]:
        """Start a task, and give references to all that it returns."""
        import ray

        remote = ray.remote(function).options(num_returns=returns, max_retries=RETRIES, name=function.__name__)
        refs = remote.remote(*arguments)
        found: list[Ref] = [refs] if returns == 1 else list(refs)
        self._open.add(found[-1])
        return found

    def finish(self, stage: str, refs: Sequence[Ref]) -> list[Any]:
        """Wait for small results, in their order."""
        import ray
        from ray.exceptions import RayError, RayTaskError

        left = list(refs)
        self._watch(stage, 0, len(refs))
        while left:
            done, left = ray.wait(left, num_returns=len(left), timeout=_PAUSE, fetch_local=False)
            self._open.difference_update(done)
            self._watch(stage, len(refs) - len(left), len(refs))
            try:
                ray.get(done)
            except RayTaskError as problem:
                raise problem.cause if isinstance(problem.cause, Exception) else problem from None
            except RayError as problem:
                raise RuntimeError(f"{stage}: a task was lost {RETRIES + 1} times ({problem})") from problem
        return list(ray.get(list(refs)))

    def cancel(self) -> None:
        """Stop what is not done."""
        import ray

        if not ray.is_initialized():
            return
        for ref in self._open:
            ray.cancel(ref, force=True)
        self._open.clear()

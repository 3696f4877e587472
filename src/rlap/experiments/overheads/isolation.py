"""A call in a process of its own: nothing that came before hides what it needs, and it cannot end the caller."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from rlap.experiments.overheads.memory import memory_limit
from rlap.schur.memory import available_memory

Result = TypeVar("Result")

OUT_OF_MEMORY = "out of memory"
_ABSENT = "FileNotFoundError: "
_ALLOCATION = ("not enough memory", "can't allocate memory", "cannot allocate memory", "bad_alloc")  # torch's words
# What every measurement imports: once, in the process that the others are copies of.
_PRELOAD = ["rlap.experiments.overheads.ppr", "sklearn.datasets"]
_PATIENCE = 5.0  # seconds for a process to end after it has given its result
_RESERVE = 0.95  # of the memory that is there; the rest is for everybody else


@dataclass(frozen=True)
class Outcome(Generic[Result]):
    """What a call in another process gave: a result, or the reason why there is none."""

    result: Result | None
    problem: str = ""

    @property
    def out_of_memory(self) -> bool:
        """Whether it needed more memory than there is."""
        return self.problem.startswith(OUT_OF_MEMORY)

    @property
    def absent(self) -> bool:
        """Whether a file was not there."""
        return self.problem.startswith(_ABSENT)

    def need(self) -> Result:
        """Give the result.

        Raises:
            RuntimeError: when there is none; it says why.
        """
        if self.result is None:
            raise RuntimeError(self.problem.removeprefix(_ABSENT))
        return self.result


def run_alone(call: Callable[..., Result], *arguments: Any, limit: int | None = None) -> Outcome[Result]:
    """Call a function of a module in a new process, with arguments and a result that can be pickled.

    Args:
        call: the function.
        arguments: its arguments.
        limit: the bytes that it may take beyond those of Python and its libraries; None means nearly all that
            are available.

    Example:
        >>> run_alone(divmod, 17, 5).result
        (3, 2)
        >>> run_alone(int, "seventeen").problem
        "ValueError: invalid literal for int() with base 10: 'seventeen'"
        >>> run_alone(bytes, 1 << 40, limit=1 << 30).out_of_memory
        True
    """
    context = _context()
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(sender, dict(os.environ), limit, call, arguments), daemon=True)
    process.start()
    sender.close()
    try:
        outcome: Outcome[Result] = receiver.recv()
    except EOFError:
        process.join()
        outcome = Outcome(None, _how_it_ended(process.exitcode))
    except BaseException:  # the caller was interrupted
        process.terminate()
        raise
    finally:
        process.join(_PATIENCE)
        if process.is_alive():
            process.kill()
        receiver.close()
    return outcome


def _context() -> Any:
    """Choose a process that is copied from a clean one, which has only imported; elsewhere one that starts anew."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOAD)
    return context


def _work(
    sender: Connection,
    environment: dict[str, str],
    limit: int | None,
    call: Callable[..., Any],
    arguments: tuple[Any, ...],
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the caller hears it too, and ends this process
    os.environ.clear()  # the process that this is a copy of may have started under another
    os.environ.update(environment)
    try:
        with memory_limit(_most() if limit is None else limit):
            outcome = Outcome(call(*arguments))
    except MemoryError:
        outcome = Outcome(None, OUT_OF_MEMORY)
    except Exception as problem:
        lost = any(words in str(problem).lower() for words in _ALLOCATION)
        outcome = Outcome(None, OUT_OF_MEMORY if lost else f"{type(problem).__name__}: {problem}")
    sender.send(outcome)
    sender.close()


def _most() -> int | None:
    available = available_memory()
    return None if available is None else int(_RESERVE * available)


def _how_it_ended(code: int | None) -> str:
    if code in (-9, -6):  # the system's way to free memory, and C++'s to say that there is none
        return f"{OUT_OF_MEMORY} (the process was ended by signal {-code})"
    return f"the process ended with code {code}"

"""`Store`: what is to be done, who does it, and what came out."""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlap.experiments.job import Job, canonical_json, job_key
from rlap.experiments.revisions import results_version
from rlap.experiments.store.connection import StoreError, connect, transaction
from rlap.experiments.store.owner import Owner

LEASE = 300.0  # seconds; renewed often, and looked at only from other machines
_DEATHS = 3
_DIED = f"the process that computed it ended {_DEATHS} times without a word at one point; perhaps it needs more memory"


class ClaimLost(RuntimeError):
    """Somebody else has the run now: this process was taken for dead."""


@dataclass(frozen=True)
class Claim:
    """The right to compute a run and to write its result; `spent` is how many seconds others put into it before."""

    key: str
    token: str
    spent: float


@dataclass(frozen=True)
class Entry:
    """A run in the store. `state` is open, running, done or failed; what is not there yet is None."""

    key: str
    job: Job
    state: str
    checksum: str
    version: int
    error: str | None
    result: dict[str, Any] | None
    environment: dict[str, Any] | None
    code: str | None
    seconds: float | None
    finished: float | None

    @property
    def is_current(self) -> bool:
        """Whether the code still gives this result."""
        return self.version == results_version(self.job)


class Store:
    """A file of runs. It may be open in many processes; one object belongs to one thread.

    Checkpoints are files in a folder beside it, named by the keys of their runs.

    Example:
        >>> import tempfile
        >>> store = Store(Path(tempfile.mkdtemp(), "store.sqlite"))
        >>> [key] = store.add([(Job("method", "digits", "grace", "rLap"), "checksum")])
        >>> claim = store.claim(key)
        >>> store.claim(key) is None
        True
        >>> store.finish(claim, {"accuracy": 0.5}, environment={}, code="", seconds=1.0)
        >>> [entry.result for entry in store.entries()]
        [{'accuracy': 0.5}]
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self._connection = connect(self.path)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def checkpoint(self, key: str) -> Path:
        """Say where the checkpoint of a run is kept."""
        return self.path.with_name(f"{self.path.name}.checkpoints") / f"{key}.pt"

    def add(self, jobs: Iterable[tuple[Job, str]]) -> list[str]:
        """Put jobs in, each with the checksum of its data set, and give their keys. What is there stays as it is."""
        rows = [(job_key(job, checksum), job.to_json(), checksum, results_version(job)) for job, checksum in jobs]
        with transaction(self._connection):
            self._connection.executemany(
                "INSERT OR IGNORE INTO runs (key, job, checksum, version) VALUES (?, ?, ?, ?)", rows
            )
        return [row[0] for row in rows]

    def states(self) -> dict[str, str]:
        """Give the state of every run by its key."""
        return dict(map(tuple, self._connection.rows("SELECT key, state FROM runs")))

    def claim(self, key: str, owner: Owner | None = None) -> Claim | None:
        """Take a run that is open, or whose process is gone; None if there is nothing to take.

        A run whose process has died a few times is marked as failed instead, unless its checkpoint has moved in
        between: then it only takes longer.
        """
        mine, reached = owner or Owner.me(), self._reached(key)
        # The log begins anew, so that on a disk that is full by then it has room for `give_back`.
        self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        with transaction(self._connection):
            row = self._connection.execute("SELECT * FROM runs WHERE key = ?", (key,)).fetchone()
            if row is None:
                raise ValueError(f"the run must be in the store (got {key!r})")
            deaths = row["deaths"]
            if row["state"] == "running":
                if not _is_gone(row):
                    return None
                deaths = 1 if reached is not None and reached != row["checkpoint"] else deaths + 1
            elif row["state"] != "open":
                return None
            if deaths >= _DEATHS:
                self._leave(key, "failed", deaths=deaths, error=_DIED)
                return None
            token = secrets.token_hex(16)
            self._connection.execute(
                "UPDATE runs SET state = 'running', token = ?, host = ?, pid = ?, started = ?, lease = ?, deaths = ?, "
                "checkpoint = ? WHERE key = ?",
                (token, mine.host, mine.pid, mine.started, time.time() + LEASE, deaths, reached, key),
            )
        return Claim(key, token, row["spent"])

    def renew(self, claim: Claim) -> None:
        """Say that the run is still being computed.

        Raises:
            ClaimLost: when it is somebody else's by now.
        """
        with transaction(self._connection):
            self._own(claim)
            self._connection.execute("UPDATE runs SET lease = ? WHERE key = ?", (time.time() + LEASE, claim.key))

    def finish(
        self, claim: Claim, result: dict[str, Any], *, environment: dict[str, Any], code: str, seconds: float
    ) -> None:
        """Write the result of a run, once, and end the claim.

        Raises:
            ClaimLost: when it is somebody else's by now; nothing is written then.
        """
        row = (claim.key, canonical_json(result), canonical_json(environment), code, seconds, time.time())
        with transaction(self._connection):
            self._own(claim)
            self._connection.execute("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?)", row)
            self._leave(claim.key, "done", deaths=0)
        for left in self.checkpoint(claim.key).parent.glob(f"*{claim.key}.pt*"):
            if left.suffix != ".damaged":  # was set aside, for somebody to look at
                left.unlink(missing_ok=True)

    def fail(self, claim: Claim, error: str, seconds: float = 0.0) -> None:
        """Write down why a run failed, and end the claim."""
        with transaction(self._connection):
            self._own(claim)
            self._leave(claim.key, "failed", deaths=0, error=error, seconds=seconds)

    def give_back(self, claim: Claim, seconds: float = 0.0) -> None:
        """End the claim of a run that is to be gone on with later; `seconds` is what went into it.

        On a full disk, the space of SQLite's log is used again: else the run would count as one that died.
        """
        try:
            self._open(claim, seconds)
        except StoreError:
            self._connection.execute("PRAGMA wal_checkpoint(RESTART)")
            self._open(claim, seconds)

    def reopen(self, keys: Iterable[str]) -> int:
        """Open those of the runs that have failed, and say how many there were. They go on from their checkpoints."""
        count = 0
        with transaction(self._connection):
            for key in keys:
                count += self._connection.execute(
                    "UPDATE runs SET state = 'open', error = NULL, deaths = 0 WHERE key = ? AND state = 'failed'",
                    (key,),
                ).rowcount
        return count

    def entries(self) -> Iterator[Entry]:
        """Go through all runs, in the order in which they were put in."""
        query = "SELECT * FROM runs LEFT JOIN results USING (key) ORDER BY runs.rowid"
        for row in self._connection.rows(query):
            yield Entry(
                key=row["key"],
                job=Job.from_json(row["job"]),
                state=row["state"],
                checksum=row["checksum"],
                version=row["version"],
                error=row["error"],
                result=None if row["result"] is None else json.loads(row["result"]),
                environment=None if row["environment"] is None else json.loads(row["environment"]),
                code=row["code"],
                seconds=row["seconds"],
                finished=row["finished"],
            )

    def take_over(self, entries: Iterable[Entry]) -> int:
        """Take in runs of another store, all or none, and say how many came; what was running there is open here.

        What this store knows of a run stays, unless the other has a result and here nobody is at it.
        """
        count = 0
        with transaction(self._connection):
            for entry in entries:
                if entry.key != job_key(entry.job, entry.checksum, entry.version):
                    raise ValueError(f"a key must be the digest of its job (got {entry.key} for {entry.job.title})")
                state = "open" if entry.state == "running" else entry.state
                row = (entry.key, entry.job.to_json(), entry.checksum, entry.version, state, entry.error)
                added = self._connection.execute(
                    "INSERT INTO runs (key, job, checksum, version, state, error) VALUES (?, ?, ?, ?, ?, ?) "
                    "ON CONFLICT (key) DO UPDATE SET state = 'done', error = NULL "
                    "WHERE excluded.state = 'done' AND runs.state IN ('open', 'failed')",
                    row,
                ).rowcount
                count += added
                if added and entry.result is not None:
                    values = (canonical_json(entry.result), canonical_json(entry.environment), entry.code)
                    self._connection.execute(
                        "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?)",
                        (entry.key, *values, entry.seconds, entry.finished),
                    )
        return count

    def spent(self) -> dict[str, float]:
        """Give the seconds that went into runs that are not finished, by key."""
        return dict(map(tuple, self._connection.rows("SELECT key, spent FROM runs WHERE spent > 0")))

    def _reached(self, key: str) -> str | None:
        """Return what tells a run's checkpoint from an earlier one; None if there is none."""
        try:
            found = self.checkpoint(key).stat()
        except FileNotFoundError:
            return None
        return f"{found.st_mtime_ns} {found.st_ino} {found.st_size}"

    def _open(self, claim: Claim, seconds: float) -> None:
        with transaction(self._connection):
            self._own(claim)
            self._leave(claim.key, "open", deaths=0, seconds=seconds)

    def _own(self, claim: Claim) -> None:
        row = self._connection.execute("SELECT token FROM runs WHERE key = ?", (claim.key,)).fetchone()
        if row is None or row["token"] != claim.token:
            raise ClaimLost(f"the run {claim.key} is somebody else's by now")

    def _leave(self, key: str, state: str, *, deaths: int, error: str | None = None, seconds: float = 0.0) -> None:
        self._connection.execute(
            "UPDATE runs SET state = ?, token = NULL, host = NULL, pid = NULL, started = NULL, lease = NULL, "
            "deaths = ?, error = ?, spent = spent + ? WHERE key = ?",
            (state, deaths, error, seconds, key),
        )


def _is_gone(row: sqlite3.Row) -> bool:
    alive = Owner(row["host"], row["pid"], row["started"]).is_alive()
    return bool(row["lease"] < time.time()) if alive is None else not alive

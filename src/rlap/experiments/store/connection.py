"""Connections to a store's file: write-ahead log, waiting instead of failing, transactions that are all or nothing."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rlap.experiments.store.schema import APPLICATION, LATER, TABLES, VERSION

_WAIT = 60.0  # seconds, for others to finish writing
_PAGES = 1 << 16  # bytes; a disk that has less takes no write of SQLite's, whatever its word for it

_STAYS = "what is in the store stays"
_WHY: Mapping[int, str] = {
    sqlite3.SQLITE_FULL: f"the disk is full: free some space and call again, {_STAYS}",
    sqlite3.SQLITE_BUSY: f"another program has kept it locked: wait for it, or end it, and call again, {_STAYS}",
    sqlite3.SQLITE_LOCKED: f"another program has kept it locked: wait for it, or end it, and call again, {_STAYS}",
    sqlite3.SQLITE_READONLY: "it cannot be written to: make the file and its folder writable, or copy it elsewhere",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: its folder must be there and writable, or copy it elsewhere",
    sqlite3.SQLITE_PERM: "it cannot be opened: make the file and its folder readable and writable",
    sqlite3.SQLITE_IOERR: "the disk could not read or write it: look after the disk, and call again",
    sqlite3.SQLITE_CORRUPT: "it is damaged: keep it, and a copy; `sqlite3 FILE .recover` saves what can be read, and "
    "`rlap results import` takes an export",
}


class StoreError(RuntimeError):
    """SQLite could not use the store: the disk is full, the file is locked, read-only or damaged. It says which."""


class Connection(sqlite3.Connection):
    """A connection whose errors say what to do."""

    path: Path

    def execute(self, *query: Any) -> sqlite3.Cursor:
        """Execute a statement."""
        with _explained(self.path):
            return super().execute(*query)

    def executemany(self, *query: Any) -> sqlite3.Cursor:
        """Execute a statement for many rows."""
        with _explained(self.path):
            return super().executemany(*query)

    def rows(self, *query: Any) -> list[Any]:
        """Return all rows of a query."""
        with _explained(self.path):
            return super().execute(*query).fetchall()


def connect(path: Path) -> Connection:
    """Open a store's file, which is made where there is none.

    Raises:
        ValueError: when the file is something else, or of a later version.
        StoreError: when SQLite cannot use it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with _explained(path):
        connection = sqlite3.connect(path, timeout=_WAIT, isolation_level=None, factory=Connection)
    connection.path = path
    try:
        _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write all of it or nothing. The lock is taken at once, so what was read stays true until it ends."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # of some errors, a full disk among them, SQLite rolls back by itself
            connection.execute("ROLLBACK")
        raise


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Pass on what SQLite says, with what to do about it."""
    try:
        yield
    except sqlite3.Error as problem:
        code = getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF  # above are the details
        if code == sqlite3.SQLITE_NOTADB:
            raise _foreign(path, problem) from None
        if code == sqlite3.SQLITE_IOERR and shutil.disk_usage(path.parent).free < _PAGES:
            code = sqlite3.SQLITE_FULL
        if code not in _WHY:
            raise
        raise StoreError(f"SQLite cannot use the store {str(path)!r} ({problem}): {_WHY[code]}") from problem


def _foreign(path: Path, why: object) -> ValueError:
    return ValueError(f"the store must be a file that rlap wrote (got {str(path)!r}: {why})")


def _prepare(connection: Connection) -> None:
    connection.row_factory = sqlite3.Row
    mark = connection.execute("PRAGMA application_id").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables and mark != APPLICATION:
        raise _foreign(connection.path, "a data base of another program")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise ValueError(f"the store's version must be at most {VERSION} (got {version}): take a newer rlap")
    _use_log(connection)
    connection.execute("PRAGMA synchronous = FULL")
    if version == VERSION and not _missing(connection):
        return
    with transaction(connection):
        for statement in _statements(TABLES):
            connection.execute(statement)
        for name in _missing(connection):
            connection.execute(LATER[name])
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _missing(connection: Connection) -> set[str]:
    return LATER.keys() - {row["name"] for row in connection.rows("PRAGMA table_info(runs)")}


def _use_log(connection: Connection) -> None:
    """Switch to a write-ahead log. SQLite does not wait for others here, so it is done by hand."""
    until = time.monotonic() + _WAIT
    while True:
        try:
            sqlite3.Connection.execute(connection, "PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                with _explained(connection.path):
                    raise
            time.sleep(0.01)


def _statements(text: str) -> Iterator[str]:
    part = ""
    for piece in text.split(";"):  # a trigger has semicolons inside, which is why SQLite is asked
        part += piece + ";"
        if sqlite3.complete_statement(part):
            yield part
            part = ""
